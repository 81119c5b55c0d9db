"""Léa: one sentence in, one reply out. What she may do depends on where the conversation stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.language import question_locale
from shadow.conversation import keeping, reviewing
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
from shadow.conversation.gateway import GatewayError, MachineSeen
from shadow.conversation.numbers import number_of
from shadow.conversation.said import fold, hear
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
            return _machine_chosen(talk, text)
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


def _observe(talk: Talk, act: Observe) -> Reply:
    memory = talk.memory
    name = act.name or (memory.name if memory.state == "proposing" else "")
    if memory.state == "observing":
        already = talk.gateway.start(memory.session_id)
        return talk.reply(talk.say("already_observing" if already else "observing"), choices=("done",))
    machine_id = talk.place.machine_id
    if not talk.place.session_id:
        machines = talk.gateway.machines()
        chosen = _only(machines, machine_id or memory.machine_id)
        if chosen is None:
            return _ask_which_machine(talk, machines, name)
        machine_id = chosen.machine_id
    return _start(talk, machine_id, name)


def _start(talk: Talk, machine_id: str, name: str) -> Reply:
    session_id = talk.place.session_id or _active_session(talk, machine_id)
    if not session_id:
        return talk.reply(talk.say("no_session"))
    already = talk.gateway.start(session_id)
    memory = talk.memory
    memory.forget("observing")
    memory.session_id, memory.machine_id, memory.name = session_id, machine_id, name
    if already:
        return talk.reply(talk.say("already_observing"), choices=("done",))
    said = talk.say("observing_named", name=name) if name else talk.say("observing")
    return talk.reply(said, choices=("done",))


def _active_session(talk: Talk, machine_id: str) -> str:
    open_ones = [one.session_id for one in talk.gateway.sessions(machine_id) if not one.finalized]
    return open_ones[0] if open_ones else ""


def _only(machines: Sequence[MachineSeen], wanted: str) -> MachineSeen | None:
    known = [one for one in machines if one.machine_id == wanted]
    if known:
        return known[0]
    return machines[0] if len(machines) == 1 and not wanted else None


def _ask_which_machine(talk: Talk, machines: Sequence[MachineSeen], name: str) -> Reply:
    if not machines:
        return talk.reply(talk.say("no_session"))
    memory = talk.memory
    was_unknown = bool(memory.machine_id)
    memory.state, memory.name, memory.machine_id = "choosing_machine", name, ""
    memory.offered = [one.machine_id for one in machines]
    sentence = "unknown_machine" if was_unknown else "which_machine"
    names = ", ".join(one.name for one in machines)
    return talk.reply(talk.say(sentence, machines=names), choices=[one.name for one in machines])


def _machine_chosen(talk: Talk, text: str) -> Reply:
    memory = talk.memory
    machines = [one for one in talk.gateway.machines() if one.machine_id in memory.offered]
    said = fold(text).strip(" .!?«»\"'")
    meant = [one for one in machines if said in (fold(one.machine_id), fold(one.name))]
    meant = meant or [one for one in machines if len(said) > 1 and said in fold(one.name)]
    place = number_of(said) if not meant and len(said) <= 10 else 0
    if place in range(1, len(machines) + 1):
        meant = [machines[place - 1]]
    if len(meant) == 1:
        memory.state = "idle"
        return _start(talk, meant[0].machine_id, memory.name)
    act = understand(text, Setting("idle"))
    if isinstance(act, No | CancelAll | Refrain):
        memory.forget("idle")
        return talk.reply(talk.say("not_proposed"))
    names = ", ".join(one.name for one in machines)
    return talk.reply(talk.say("unknown_machine", machines=names), choices=[one.name for one in machines])


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
        session_id, machine_id = _observed_elsewhere(talk)
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


def _observed_elsewhere(talk: Talk) -> tuple[str, str]:
    if talk.place.session_id:
        return talk.place.session_id, talk.place.machine_id
    for machine in talk.gateway.machines():
        for session in talk.gateway.sessions(machine.machine_id):
            if session.recording and not session.finalized:
                return session.session_id, machine.machine_id
    return "", ""


def _yes(talk: Talk, _act: Yes) -> Reply:
    match talk.memory.state:
        case "proposing":
            return _observe(talk, Observe(talk.memory.name))
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
    Observe: _observe,
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
