"""From the steps that stand to the workflow: pages, locators, effects, and what changes from time to time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from engine.masking import mask
from organizations.errors import ServiceError
from organizations.masks import mask_rules
from shadow.models import ObservationSession, UnderstoodStep
from shadow.parameters import name_clean, parameter_of
from shadow.routes import route_of
from shadow.workflow_ir import MOST_STEPS, Action, Effect, Locator, Page, Parameter, Step, Target, WorkflowIR
from skills.config import engine_locale
from tours.steps import plain

LONGEST_NAME, LONGEST_DOMAIN = 120, 60
_LOCATORS = (("css", "selector"), ("fallback", "fallback_selector"), ("fingerprint", "fingerprint"))
_TARGET_TEXTS = ("role", "name", "tag", "type", "row", "heading", "group", "form", "landmark")


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of a value found in a step: whether it changes, and what it is called."""

    confirmed: bool
    name: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to be built."""

    name: str
    domain: str
    parameters: Mapping[int, Said]


def wish_clean(name: Any, domain: Any, parameters: Sequence[Mapping[str, Any]] | None) -> Wish:
    """Return what is to be built, or raise ``ServiceError`` (``invalid_input``, 422) naming the fields."""
    wrong: dict[str, str] = {}
    title, about = plain(name), plain(domain)
    if not 0 < len(title) <= LONGEST_NAME:
        wrong["name"] = _("between 1 and %(max)d characters are expected") % {"max": LONGEST_NAME}
    if not 0 < len(about) <= LONGEST_DOMAIN:
        wrong["domain"] = _("between 1 and %(max)d characters are expected") % {"max": LONGEST_DOMAIN}
    said: dict[int, Said] = {}
    for index, one in enumerate(parameters or ()):
        step, named = one.get("step"), one.get("name", "")
        confirmed = one.get("confirmed", True)
        if isinstance(step, bool) or not isinstance(step, int) or not isinstance(confirmed, bool):
            wrong[f"parameters[{index}]"] = _("the number of a step, and whether its value changes, are expected")
        elif not isinstance(named, str) or len(named) > LONGEST_NAME or (named and not name_clean(named)):
            wrong[f"parameters[{index}].name"] = _("a name of letters and digits is expected")
        else:
            said[step] = Said(confirmed, name_clean(named))
    if wrong:
        raise ServiceError("invalid_input", _("The body is not as expected."), status=422, fields=wrong)
    return Wish(title, about, said)


def build(session: ObservationSession, rows: Sequence[UnderstoodStep], wish: Wish) -> WorkflowIR:
    """Return the workflow of a session's steps, the same for the same steps and wishes.

    Raises ``ServiceError`` (``too_many_steps``, 400) when nobody could follow that many.
    """
    if len(rows) > MOST_STEPS:
        raise ServiceError(
            "too_many_steps",
            _("A task has at most %(max)d steps, this one has %(count)d: remove or merge some.")
            % {"max": MOST_STEPS, "count": len(rows)},
            status=400,
        )
    made = _Making(session.locale, wish)
    steps = tuple(made.step(number, row) for number, row in enumerate(rows, start=1))
    masks = mask_rules(session.organization)
    return WorkflowIR(
        name=mask(wish.name, masks)[:LONGEST_NAME],
        domain=mask(wish.domain, masks)[:LONGEST_DOMAIN],
        locale=engine_locale(session.locale),
        session_id=session.session_id,
        shown_at=session.started_at.isoformat(timespec="seconds") if session.started_at else "",
        parameters=tuple(made.parameters.values()),
        pages=tuple(made.pages.values()),
        steps=steps,
    )


@dataclass(slots=True)
class _Making:
    """The pages and parameters that the steps so far have named."""

    locale: str
    wish: Wish
    pages: dict[str, Page] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)

    def step(self, number: int, row: UnderstoodStep) -> Step:
        parts = row.data.get("parts") or ()
        page = self._page(str((parts[0] if parts else row.data).get("url", "")), str(row.data.get("title", "")))
        return Step(
            number=number,
            intent=row.intent,
            page=page.id,
            before=tuple(Action(**self._action(number, part)) for part in parts[:-1]),
            confidence=float(row.confidence),
            state=row.state,  # type: ignore[arg-type] # a removed step does not stand
            events=tuple(row.events),
            **self._action(number, row.data),
        )

    def _action(self, number: int, data: Mapping[str, Any]) -> dict[str, Any]:
        secret = bool(data.get("secret"))
        kept = {key: data[key] for key in ("option", "checked", "cause", "clicks") if data.get(key) is not None}
        values = {} if secret else {**kept, "value": data.get("value"), "parameter": self._parameter(number, data)}
        return {
            **values,
            "kind": data["kind"],
            "target": _target(data),
            "key": data.get("key") or None,
            "files": tuple(data.get("files") or ()),
            "secret": secret,
            "effect": self._effect(data),
        }

    def _page(self, url: str, title: str) -> Page:
        route = route_of(url)
        if route not in self.pages:
            self.pages[route] = Page(id=f"page_{len(self.pages) + 1}", route=route, title=title)
        return self.pages[route]

    def _effect(self, data: Mapping[str, Any]) -> Effect | None:
        url = data.get("effect") or (data.get("url") if data["kind"] == "navigate" else "")
        return Effect(kind="navigation", route=route_of(str(url))) if url else None

    def _parameter(self, number: int, data: Mapping[str, Any]) -> str | None:
        """Return the name of the parameter that an action fills in, and list it; what was said of it counts."""
        found = parameter_of(data, self.locale)
        said = self.wish.parameters.get(number)
        if found is None or (said is not None and not said.confirmed):
            return None
        name = self._free((said.name if said else "") or found.name)
        self.parameters[name] = Parameter(
            name=name, label=found.label, kind=found.kind, example=found.example, confirmed=said is not None
        )
        return name

    def _free(self, name: str) -> str:
        place = 2
        free = name
        while free in self.parameters:
            free, place = f"{name}_{place}", place + 1
        return free


def _target(data: Mapping[str, Any]) -> Target | None:
    target = data.get("target")
    if not target:
        return None
    texts = {key: target[key] for key in _TARGET_TEXTS if target.get(key)}
    # What an element without a name shows is what people call it.
    texts.setdefault("name", target.get("text", ""))
    locators = tuple(Locator(kind=kind, value=target[key]) for kind, key in _LOCATORS if target.get(key))  # type: ignore[arg-type]
    return Target(**texts, frame=data.get("frame", ""), locators=locators)
