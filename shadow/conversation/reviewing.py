"""Going through the steps: right, wrong, put into other words, taken out, merged, split, taken back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shadow.conversation.acts import FOCUS, Correct, Delete, Merge, Split, UndoLast, Validate, Wrong
from shadow.conversation.gateway import FeedbackResult, Step
from shadow.conversation.keeping import proceed
from shadow.conversation.said import fold
from shadow.conversation.talk import Reply, Talk

REVIEWED = ("validated", "corrected")
_SMALL = """
le la les l un une de du des d sur dans a au aux et apres avant geste clic click clique cliquer champ bouton je j ai que
i on the in of to an action event evenement field button
"""
_SMALL_WORDS = frozenset(_SMALL.split())
_WORD = re.compile(r"[^\W_]+")


def shown(talk: Talk, steps: tuple[Step, ...], *, question: str = "and_now", before: str = "") -> Reply:
    """Read the steps out as they stand, and ask about them."""
    talk.memory.state = "reviewing"
    if not steps:
        return talk.reply(_lines(before, talk.say("no_steps_left")), steps=steps, choices=("observe", "cancel"))
    text = _lines(before, talk.listed(steps), talk.say(question))
    return talk.reply(text, steps=steps, choices=("yes", *(("undo",) if talk.memory.undos else ()), "cancel"))


def correct(talk: Talk, act: Correct) -> Reply:
    steps = talk.steps()
    step = _step(talk, act.step, steps)
    if isinstance(step, Reply):
        return step
    said = talk.feedback("correct", step.number, new_intent=act.intent)
    if said.applied:
        talk.remember_undo([_correction(step)])
        talk.memory.focus = step.number
    return _after(talk, said)


def wrong(talk: Talk, act: Wrong) -> Reply:
    step = _step(talk, act.step, talk.steps())
    return step if isinstance(step, Reply) else ask_what_it_is(talk, step.number)


def ask_what_it_is(talk: Talk, number: int) -> Reply:
    talk.memory.focus, talk.memory.asked = number, "step_words"
    return talk.reply(talk.say("what_is_step", step=number))


def validate(talk: Talk, act: Validate) -> Reply:
    steps = talk.steps()
    but = {talk.number(number, steps) for number in act.but}
    meant = [step.number for step in steps] if act.steps is None else [talk.number(one, steps) for one in act.steps]
    for number in (*sorted(but), *meant):
        if (refused := _out_of_range(talk, number, steps)) is not None:
            return refused
    by_number = {step.number: step for step in steps}
    for number in meant:
        if number not in but and by_number[number].state not in REVIEWED:
            said = talk.feedback("validate", number)
            if not said.applied:
                return _after(talk, said)
            steps = said.steps
    if but:
        return ask_what_it_is(talk, min(but))
    if steps and all(step.state in REVIEWED for step in steps):
        return proceed(talk, steps)
    return shown(talk, steps)


def delete(talk: Talk, act: Delete) -> Reply:
    steps = talk.steps()
    meant = sorted({talk.number(number, steps) for number in act.steps}, reverse=True)
    for number in meant:
        if (refused := _out_of_range(talk, number, steps)) is not None:
            return refused
    said: FeedbackResult | None = None
    for number in meant:
        said = talk.feedback("undo", number)
        if not said.applied:
            break
        # Their numbers are no longer those that earlier changes were made with.
        talk.memory.undos, talk.memory.focus = [], 0
    return _after(talk, said) if said is not None else talk.reply(talk.say("which_step"))


def merge(talk: Talk, act: Merge) -> Reply:
    steps = talk.steps()
    meant = sorted({talk.number(number, steps) for number in act.steps})
    for number in meant:
        if (refused := _out_of_range(talk, number, steps)) is not None:
            return refused
    first, last = meant[0], meant[-1]
    if last - first + 1 != len(meant) or first == last:
        named = ", ".join(str(number) for number in meant)
        return talk.reply(talk.say("not_neighbours", steps=named), steps=steps)
    merged = steps[first - 1 : last]
    said: FeedbackResult | None = None
    for _ in merged[1:]:
        said = talk.feedback("merge_next", first)
        if not said.applied:
            return _after(talk, said)
    apart = [
        {"action": "split", "step_index": one.number - 1, "at_event_index": min(one.events)}
        for one in merged[1:]
        if one.events
    ]
    if len(apart) == len(merged) - 1:
        talk.remember_undo([*apart, *(_correction(one) for one in merged if one.state == "corrected")])
    talk.memory.focus = first
    return _after(talk, said) if said is not None else shown(talk, steps)


def split(talk: Talk, act: Split) -> Reply:
    steps = talk.steps()
    step = _step(talk, act.step, steps)
    if isinstance(step, Reply):
        return step
    count = len(step.events)
    if count < 2:
        return talk.reply(talk.say("split_single", step=step.number), steps=steps)
    place = act.event
    if act.words:
        found = _found(act.words, step)
        if len(found) != 1:
            return _ask_where(talk, step, "split_several" if found else "split_not_found", act.words)
        place = found[0][0] if act.before else found[0][1]
    if not place:
        return _ask_where(talk, step, "split_where")
    if place < 0:
        place = count
    after = place - 1 if act.before else place
    if not 1 <= after < count:
        return talk.reply(talk.say("split_edge", step=step.number, count=count), steps=steps)
    said = talk.feedback("split", step.number, at_event_index=sorted(step.events)[after])
    if said.applied:
        again = [_correction(step)] if step.state == "corrected" else []
        talk.remember_undo([{"action": "merge_next", "step_index": step.number}, *again])
        talk.memory.focus = step.number
    return _after(talk, said)


def undo_last(talk: Talk, _act: UndoLast) -> Reply:
    if not talk.memory.undos:
        return talk.reply(talk.say("nothing_to_undo"), steps=talk.steps())
    *talk.memory.undos, takes_back = talk.memory.undos
    said: FeedbackResult | None = None
    for one in takes_back:
        said = talk.feedback(
            one["action"],
            one["step_index"],
            new_intent=one.get("new_intent"),
            at_event_index=one.get("at_event_index"),
        )
        if not said.applied:
            return _after(talk, said)
    steps = said.steps if said is not None else talk.steps()
    return shown(talk, steps, before=talk.say("undone"))


def _after(talk: Talk, said: FeedbackResult) -> Reply:
    if said.applied:
        return shown(talk, said.steps)
    talk.memory.state = "reviewing"
    return talk.reply(talk.say("rejected", reason=said.reason), steps=said.steps)


def _step(talk: Talk, step: int, steps: Sequence[Step]) -> Step | Reply:
    number = talk.number(step, steps)
    if step == FOCUS and not number:
        return talk.reply(talk.say("which_step"), steps=tuple(steps))
    return _out_of_range(talk, number, steps) or steps[number - 1]


def _out_of_range(talk: Talk, number: int, steps: Sequence[Step]) -> Reply | None:
    if 1 <= number <= len(steps):
        return None
    if not steps:
        return talk.reply(talk.say("no_steps_left"), steps=())
    return talk.reply(talk.say("out_of_range", step=number, last=len(steps)), steps=tuple(steps))


def _correction(step: Step) -> dict[str, object]:
    return {"action": "correct", "step_index": step.number, "new_intent": step.intent}


def _ask_where(talk: Talk, step: Step, sentence: str, words: str = "") -> Reply:
    talk.memory.focus, talk.memory.asked = step.number, "split_event"
    named = [*step.event_words, *("" for _ in step.events[len(step.event_words) :])]
    events = "\n".join(f"{k}. {one or talk.say('event', number=k)}" for k, one in enumerate(named, start=1))
    text = talk.say(sentence, step=step.number, count=len(step.events), events=events, words=words)
    return talk.reply(text, choices=[str(k) for k in range(1, min(len(step.events), 6))])


def _found(words: str, step: Step) -> list[tuple[int, int]]:
    """Return where the words are among what happened: runs of neighbours, as first and last place from 1."""
    wanted = _content(words)
    runs: list[tuple[int, int]] = []
    for place, said in enumerate(step.event_words, start=1):
        if not wanted or not wanted <= _content(said):
            continue
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs


def _content(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text))) - _SMALL_WORDS


def _lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
