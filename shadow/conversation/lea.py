"""Léa: one sentence in, one reply out. What she may do depends on where the conversation stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.language import question_locale
from shadow.conversation import keeping, observing, reviewing
from shadow.conversation.acts import (
    Act,
    Build,
    CancelAll,
    Correct,
    Delete,
    Finish,
    GoOn,
    Help,
    Merge,
    Name,
    No,
    Observe,
    Question,
    Refrain,
    Show,
    Split,
    Teach,
    Unclear,
    UndoLast,
    Validate,
    Varies,
    Wrong,
    Yes,
)
from shadow.conversation.gateway import GatewayError
from shadow.conversation.said import hear
from shadow.conversation.scope import WITH_STEPS, Setting
from shadow.conversation.sentences import say_fault, say_rather
from shadow.conversation.talk import Reply, Talk
from shadow.conversation.understanding import understand

_OPEN = {*WITH_STEPS, "observing"}
_YES_TO_WHAT = {"observing": ("go_on", "done"), "persisted": ("already_persisted", "again")}
_DOUBT_CHOICES = {
    "rather_act": ("yes", "no"),
    "rather_finished": ("yes", "no"),
    "yes_or_no": ("yes", "no"),
    "cancel_what": ("cancel", "undo"),
}


def reply(talk: Talk, text: str) -> Reply:
    """Answer a sentence. What goes wrong on the way to the server is said, and the conversation stays where it was."""
    memory = talk.memory
    memory.locale = question_locale(hear(text).plain, memory.locale)
    try:
        if memory.state == "choosing_machine":
            return observing.machine_chosen(talk, text)
        return _do(talk, _meant(talk, text))
    except GatewayError as error:
        return talk.reply(say_fault(memory.locale, error))


def _meant(talk: Talk, text: str) -> Act:
    """Understand a sentence; « oui » to « veux-tu dire … ? » stands for what was asked."""
    memory = talk.memory
    act = understand(text, Setting(memory.state, memory.asked or ("rather" if memory.rather else "")))
    rather, memory.rather, memory.asked = memory.rather, "", ""
    if rather and isinstance(act, Yes):
        return understand(rather, Setting(memory.state))
    if rather and isinstance(act, No):
        return Refrain()
    return act


def _do(talk: Talk, act: Act) -> Reply:
    if (handler := _REVIEW.get(type(act))) is not None:
        return handler(talk, act) if talk.memory.state in WITH_STEPS else _too_early_or_late(talk)
    return _HANDLERS[type(act)](talk, act)


def _propose(talk: Talk, act: Teach) -> Reply:
    memory = talk.memory
    if memory.state in _OPEN:
        return _ask_back(talk, Unclear())
    if not act.name:
        return talk.reply(talk.say("propose_nameless"), choices=("observe",))
    memory.state, memory.name = "proposing", act.name
    return talk.reply(talk.say("propose", name=act.name), choices=("yes", "no"))


def _finish(talk: Talk, _act: Finish) -> Reply:
    memory = talk.memory
    if memory.state in WITH_STEPS:
        return _show(talk, Show())
    session_id, machine_id = memory.session_id, memory.machine_id
    if memory.state != "observing":
        # It may have been begun elsewhere: by the button, or in another conversation.
        session_id, machine_id = observing.observed_elsewhere(talk)
    if not session_id:
        return talk.reply(talk.say("not_observing"))
    try:
        steps = talk.gateway.stop(session_id)
    except GatewayError as error:
        if error.kind != "not_observing" or memory.state != "observing":
            raise
        steps = talk.gateway.understanding(session_id)
        if not steps:
            memory.forget("idle")
            raise
    memory.session_id, memory.machine_id = session_id, machine_id
    if not steps:
        memory.forget("idle")
        return talk.reply(talk.say("saw_nothing"), steps=(), choices=("observe",))
    saw = talk.say("saw" if len(steps) > 1 else "saw_one", count=len(steps))
    return reviewing.shown(talk, steps, question="is_it_right", before=saw)


def _yes(talk: Talk, _act: Yes) -> Reply:
    match talk.memory.state:
        case "proposing":
            return observing.observe(talk, Observe(talk.memory.name))
        case "reviewing":
            return reviewing.validate(talk, Validate())
        case "naming":
            return keeping.take_suggestion(talk)
        case "confirming" | "built":
            return keeping.build(talk, talk.steps())
    sentence, choice = _YES_TO_WHAT.get(talk.memory.state, ("yes_to_what", "observe"))
    return talk.reply(talk.say(sentence), choices=(choice,))


def _no(talk: Talk, _act: No) -> Reply:
    match talk.memory.state:
        case "proposing":
            talk.memory.forget("idle")
            return talk.reply(talk.say("not_proposed"))
        case "reviewing":
            return talk.reply(talk.say("which_is_wrong"))
        case "naming":
            return talk.reply(talk.say("ask_name"))
        case "confirming":
            return keeping.proceed(talk, talk.steps())
    return talk.reply(talk.say("not_now"))


def _cancel(talk: Talk, _act: CancelAll) -> Reply:
    memory = talk.memory
    if memory.state == "proposing":
        return _no(talk, No())
    if memory.state not in {*_OPEN, "built"}:
        return talk.reply(talk.say("nothing_to_cancel"))
    said = talk.feedback("cancel")
    if not said.applied:
        return talk.reply(talk.say("rejected", reason=said.reason))
    memory.forget("cancelled")
    return talk.reply(talk.say("cancelled"), choices=("again",))


def _build(talk: Talk, act: Build) -> Reply:
    match talk.memory.state:
        case "reviewing" | "naming" | "confirming":
            return keeping.ask_to_build(talk, act)
        case "built" | "persisted":
            return _yes(talk, Yes())
        case "observing":
            return talk.reply(talk.say("still_observing"), choices=("done",))
    return talk.reply(talk.say("nothing_to_build"), choices=("observe",))


def _show(talk: Talk, _act: Show) -> Reply:
    if talk.memory.state not in _OPEN:
        return talk.reply(talk.say("nothing_to_build"), choices=("observe",))
    steps = talk.steps()
    if talk.memory.state != "observing":
        return reviewing.shown(talk, steps, question="is_it_right")
    if not steps:
        return talk.reply(talk.say("nothing_yet"), steps=(), choices=("done",))
    so_far = talk.say("so_far" if len(steps) > 1 else "so_far_one", count=len(steps))
    return talk.reply(f"{so_far}\n{talk.listed(steps)}".strip(), steps=steps, choices=("done",))


def _too_early_or_late(talk: Talk) -> Reply:
    if talk.memory.state == "observing":
        return talk.reply(talk.say("still_observing"), choices=("done",))
    return talk.reply(talk.say("no_demonstration"), choices=("observe",))


def _question(talk: Talk, act: Question) -> Reply:
    if talk.answer is None:
        return talk.reply(talk.say("questions_elsewhere"))
    answered = talk.answer(act.text)
    return talk.reply(answered.text, tour=answered.tour, choices=answered.choices)


def _ask_back(talk: Talk, act: Unclear) -> Reply:
    memory = talk.memory
    if act.doubt == "what_is_step":
        return reviewing.wrong(talk, Wrong(act.step)) if memory.state in WITH_STEPS else _too_early_or_late(talk)
    if act.doubt == "rather_finished" and memory.state != "observing":
        return _finish(talk, Finish()) if memory.state in WITH_STEPS else talk.reply(talk.say("not_observing"))
    memory.rather = act.rather
    said = {"which_name": "ask_name", "unknown": _unknown(talk)}.get(act.doubt, act.doubt)
    rather = say_rather(memory.locale, act.rather)
    return talk.reply(talk.say(said, rather=rather), choices=_DOUBT_CHOICES.get(act.doubt, ()))


def _unknown(talk: Talk) -> str:
    match talk.memory.state:
        case "observing":
            return "unknown_observing"
        case "reviewing":
            return "unknown_reviewing"
        case "naming":
            return "ask_name"
    return "unknown"


def _help(talk: Talk, _act: Help) -> Reply:
    state = talk.memory.state
    if state == "observing":
        return talk.reply(talk.say("help_observing"))
    return talk.reply(talk.say("help_reviewing" if state in WITH_STEPS else "help_idle"))


def _go_on(talk: Talk, _act: GoOn) -> Reply:
    return talk.reply(talk.say("go_on" if talk.memory.state == "observing" else "not_now"))


def _refrain(talk: Talk, _act: Refrain) -> Reply:
    return talk.reply(talk.say("go_on" if talk.memory.state == "observing" else "refrain"))


def _name(talk: Talk, act: Name) -> Reply:
    return keeping.name(talk, act) if talk.memory.state in _OPEN else _too_early_or_late(talk)


_REVIEW: dict[type, Callable[[Talk, Any], Reply]] = {
    Correct: reviewing.correct,
    Wrong: reviewing.wrong,
    Delete: reviewing.delete,
    Merge: reviewing.merge,
    Split: reviewing.split,
    Validate: reviewing.validate,
    UndoLast: reviewing.undo_last,
    Varies: keeping.varies,
}
_HANDLERS: dict[type, Callable[[Talk, Any], Reply]] = {
    Observe: observing.observe,
    Teach: _propose,
    Finish: _finish,
    GoOn: _go_on,
    Yes: _yes,
    No: _no,
    CancelAll: _cancel,
    Name: _name,
    Build: _build,
    Show: _show,
    Help: _help,
    Question: _question,
    Refrain: _refrain,
    Unclear: _ask_back,
}
