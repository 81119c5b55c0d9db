"""From steps that are right to a task that is kept: its name, what changes in it, building, saving."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from shadow.conversation.acts import Build, Name, Varies
from shadow.conversation.gateway import GatewayError, Step
from shadow.conversation.said import fold
from shadow.conversation.sentences import say_fault
from shadow.conversation.talk import Reply, Talk

LONGEST_SUGGESTION = 80
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset("le la les l un une des du de d mon ma mes ce cette the a an my this".split())  # noqa: SIM905


def proceed(talk: Talk, steps: tuple[Step, ...], *, before: str = "") -> Reply:
    """Ask for what is still missing once all steps are right; when nothing is, build and save."""
    if not talk.memory.name:
        talk.memory.state = "naming"
        talk.memory.suggested = steps[-1].intent[:LONGEST_SUGGESTION].strip()
        asked = talk.say("which_name", name=talk.memory.suggested)
        return talk.reply(_joined(before, asked), steps=steps, choices=("yes", "cancel"))
    if any(step.parameter for step in steps):
        talk.memory.state = "confirming"
        return _ask_what_changes(talk, steps, before)
    return build(talk, steps)


def name(talk: Talk, act: Name) -> Reply:
    talk.memory.name = act.name
    named = talk.say("named", name=act.name)
    if talk.memory.state == "observing":
        return talk.reply(f"{named} {talk.say('go_on')}")
    steps = talk.steps()
    if steps and all(step.state != "proposed" for step in steps):
        return proceed(talk, steps, before=named)
    return talk.reply(f"{named} {talk.say('is_it_right')}", steps=steps, choices=("yes", "cancel"))


def take_suggestion(talk: Talk) -> Reply:
    """« Oui » to the name that Léa suggested."""
    return name(talk, Name(talk.memory.suggested))


def ask_to_build(talk: Talk, _act: Build) -> Reply:
    if talk.memory.state == "naming":
        return take_suggestion(talk)
    steps = talk.steps()
    if talk.memory.state == "confirming":
        return build(talk, steps)
    waiting = [str(step.number) for step in steps if step.state == "proposed"]
    if steps and len(waiting) == len(steps):
        return talk.reply(
            f"{talk.say('fault_bad_request')} {talk.say('is_it_right')}", steps=steps, choices=("yes", "cancel")
        )
    if waiting:
        return talk.reply(talk.say("unvalidated", steps=", ".join(waiting)), steps=steps, choices=("yes", "cancel"))
    return proceed(talk, steps) if steps else talk.reply(talk.say("no_steps_left"), steps=steps)


def varies(talk: Talk, act: Varies) -> Reply:
    """Note which values change. An answer that leaves nothing open goes on to building."""
    steps = talk.steps()
    found = [step for step in steps if step.parameter]
    meant = [step for step in found if not act.words or _is_meant(act.words, step)]
    if not meant:
        names = ", ".join(f"« {name_of(step)} »" for step in found)
        return talk.reply(talk.say("unknown_parameter", words=act.words, names=names), steps=steps)
    # Where « seulement » is said, the others are the opposite.
    said = {str(step.number): act.changes for step in meant}
    others = {str(step.number): not act.changes for step in found if step not in meant} if act.only else {}
    talk.memory.varying = {**talk.memory.varying, **said, **others}
    if talk.memory.state != "confirming":
        return talk.reply(talk.say("noted"), steps=steps)
    if act.only or not act.words:
        return build(talk, steps)
    return talk.reply(_noted(talk, found), steps=steps, choices=("yes", "all", "nothing"))


def build(talk: Talk, steps: Sequence[Step]) -> Reply:
    """Build the workflow and save it. A session that was cancelled meanwhile is forgotten."""
    found = [step for step in steps if step.parameter]
    parameters: list[dict[str, Any]] = [
        {"step": step.number, "confirmed": changing, "name": step.parameter.name}
        for step, changing in _changing(talk, found)
        if step.parameter
    ]
    workflow = talk.gateway.build(talk.memory.session_id, talk.memory.name, parameters)
    if workflow is None:
        talk.memory.forget("cancelled")
        return talk.reply(talk.say("cancelled"), choices=("observe",))
    talk.memory.state = "built"
    try:
        kept = talk.gateway.persist(workflow, talk.memory.machine_id)
    except GatewayError as error:
        fault = say_fault(talk.memory.locale, error)
        return talk.reply(f"{fault}\n{talk.say('persist_again')}", choices=("yes",))
    title = talk.memory.name
    talk.memory.forget("persisted")
    url = kept.review_url
    tour = {"title": title, "tour_id": kept.tour_id or None, "review_url": url or None}
    text = talk.say("persisted_review", url=url) if url else talk.say("persisted")
    return talk.reply(text, tour=tour, choices=("again",))


def name_of(step: Step) -> str:
    """Return what a value is called, in words: « date_de_debut » is « date de debut »."""
    target = step.raw.get("target") or {}
    label = str(target.get("name") or "")
    return label or (step.parameter.name.replace("_", " ") if step.parameter else "")


def _ask_what_changes(talk: Talk, steps: tuple[Step, ...], before: str) -> Reply:
    found = [step for step in steps if step.parameter]
    if talk.memory.varying:
        return talk.reply(_joined(before, _noted(talk, found)), steps=steps, choices=("yes", "all", "nothing"))
    lines = "\n".join(_parameter_line(talk, step) for step in found)
    asked = talk.say("which_parameters", parameters=lines, first=name_of(found[0]))
    return talk.reply(_joined(before, asked), steps=steps, choices=("all", "nothing"))


def _parameter_line(talk: Talk, step: Step) -> str:
    if step.parameter and step.parameter.example:
        return talk.say("parameter_example", name=name_of(step), example=step.parameter.example)
    return talk.say("parameter", name=name_of(step))


def _noted(talk: Talk, found: Sequence[Step]) -> str:
    changing = [name_of(step) for step, changes in _changing(talk, found) if changes]
    staying = [name_of(step) for step, changes in _changing(talk, found) if not changes]
    if not changing:
        return talk.say("parameter_none_noted")
    if not staying:
        return talk.say("parameter_all_noted", changing=", ".join(changing))
    return talk.say("parameter_noted", changing=", ".join(changing), staying=", ".join(staying))


def _changing(talk: Talk, found: Sequence[Step]) -> list[tuple[Step, bool]]:
    """Say of each value whether it changes: as was said, else as the opposite of what was said of others."""
    said = talk.memory.varying
    default = not any(said.values())
    return [(step, said.get(str(step.number), default)) for step in found]


def _is_meant(words: str, step: Step) -> bool:
    wanted = frozenset(_WORD.findall(fold(words))) - _ARTICLES
    known = frozenset(
        _WORD.findall(fold(f"{name_of(step)} {step.parameter.name if step.parameter else ''}".replace("_", " ")))
    )
    return bool(wanted) and wanted <= known


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
