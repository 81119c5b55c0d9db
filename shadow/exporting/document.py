"""What every export is made of: a title and steps, whether they come from a workflow or from a tour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Action:
    """Something done to an element, or a page opened. Of what is `secret` there is no value."""

    kind: str
    name: str = ""
    role: str = ""
    selectors: tuple[str, ...] = ()
    frame: str = ""
    value: str = ""
    option: str = ""
    checked: bool | None = None
    key: str = ""
    clicks: int = 1
    files: tuple[str, ...] = ()
    secret: bool = False
    cause: str = ""
    leads_to: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What it is for, what is said of it, on which page; a picture of it (PNG or JPEG) where there is one."""

    title: str
    text: str = ""
    route: str = ""
    page: str = ""
    actions: tuple[Action, ...] = ()
    picture: bytes | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A task. `made_on` is a date as its readers write it; `changing` what they will put in the place of an example."""

    title: str
    locale: str
    steps: tuple[Step, ...]
    made_on: str = ""
    changing: tuple[str, ...] = ()


def of_workflow(
    workflow: Mapping[str, Any], *, pictures: Mapping[int, bytes] | None = None, made_on: str = ""
) -> Document:
    """Return what is written of a workflow IR (its JSON). `pictures` are by the number of their step."""
    shown = pictures or {}
    pages = {page["id"]: page for page in workflow["pages"]}
    steps = []
    for step in workflow["steps"]:
        page = pages[step["page"]]
        actions = tuple(_action(action) for action in (*step.get("before", ()), step))
        steps.append(
            Step(
                title=step["intent"],
                route=page["route"],
                page=page.get("title", ""),
                actions=actions,
                picture=shown.get(step["number"]),
            )
        )
    changing = tuple(one.get("label") or one["name"] for one in workflow.get("parameters", ()))
    return Document(workflow["name"], workflow["locale"], tuple(steps), made_on, changing)


def of_tour(
    title: str,
    locale: str,
    steps: Sequence[Mapping[str, Any]],
    *,
    route: str = "",
    pictures: Mapping[int, bytes] | None = None,
    made_on: str = "",
) -> Document:
    """Return what is written of a tour's steps as a version stores them; `route` is the page of those without one."""
    shown = pictures or {}
    written = []
    for number, step in enumerate(steps, start=1):
        action = Action(
            _TOUR_KINDS.get(step.get("action_type", ""), "click"),
            name=step.get("picked", ""),
            selectors=tuple(one for one in (step["selector"], step.get("fallback_selector", "")) if one),
        )
        written.append(
            Step(
                title=step["title"],
                text=step["text"],
                route=step.get("route") or route,
                page=step.get("page", ""),
                actions=(action,),
                picture=shown.get(number),
            )
        )
    return Document(title, locale, tuple(written), made_on)


_TOUR_KINDS = {"input": "fill", "select": "select", "check": "check", "submit": "submit", "navigate": "click"}


def _action(said: Mapping[str, Any]) -> Action:
    target = said.get("target") or {}
    found = {one["kind"]: one["value"] for one in target.get("locators", ())}
    is_secret = said.get("secret") is True
    return Action(
        kind=said["kind"],
        name=target.get("name", ""),
        role=target.get("role", ""),
        selectors=tuple(found[kind] for kind in ("css", "fallback") if found.get(kind)),
        frame=target.get("frame", ""),
        value="" if is_secret else said.get("value") or "",
        option="" if is_secret else said.get("option") or "",
        checked=said.get("checked"),
        key=said.get("key") or "",
        clicks=said.get("clicks", 1),
        files=tuple(said.get("files", ())),
        secret=is_secret,
        cause=said.get("cause", ""),
        leads_to=(said.get("effect") or {}).get("route", ""),
    )
