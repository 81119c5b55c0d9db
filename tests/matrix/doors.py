"""Every address of the server, found by walking the urlconf, and every form, found by reading the pages behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.apps import apps
from django.contrib import admin
from django.db.models import Model
from django.urls import URLPattern, URLResolver, get_resolver

from organizations.models import Organization
from organizations.scoping import TenantOwned

# A customer's own pages, and what ends the session of whoever tries it.
ELSEWHERE = ("maison-oree/", "admin/logout/", "i18n/")
_PLACE = re.compile(r"<(?:(?P<kind>[\w]+):)?(?P<name>\w+)>")
_CHOICE = re.compile(r"\^?\(\?P<\w+>(?P<choices>[\w|]+)\)")


@dataclass(frozen=True, slots=True)
class Door:
    """One address. ``takes`` holds what stands for something in it, by name, with the kind of value."""

    name: str
    route: str
    takes: Mapping[str, str] = field(hash=False)

    @property
    def is_api(self) -> bool:
        return self.route.startswith(("v1/", "api/v1/"))

    @property
    def wants_a_row(self) -> bool:
        return any(kind in ("uuid", "path") for kind in self.takes.values())

    def url(self, row: object) -> str:
        """Return the address of one row; a token that stands in it is a wrong one."""
        others = {"uuid": str(row), "path": str(row), "int": "0"}
        return "/" + _PLACE.sub(lambda place: others.get(place["kind"], "forged"), self.route)

    def __str__(self) -> str:
        return self.route or "/"


def doors() -> list[Door]:
    """Return every address that the server answers at."""
    return [door for door in _walk(get_resolver().url_patterns) if not door.route.startswith(ELSEWHERE)]


def _walk(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[Door]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
            continue
        choice = _CHOICE.search(route)
        if choice is not None:
            for chosen in choice["choices"].split("|"):
                yield Door(str(pattern.name), _CHOICE.sub(chosen, route).rstrip("$"), {})
        elif "(?P" not in route:
            takes = {place["name"]: place["kind"] or "str" for place in _PLACE.finditer(route)}
            yield Door(str(pattern.name), route, takes)


def owned_models() -> list[type[Model]]:
    """Return every model whose rows belong to an organization, and the organization itself."""
    return [Organization, *(model for model in apps.get_models() if issubclass(model, TenantOwned))]


def registered_models() -> set[type[Model]]:
    return set(admin.site._registry)


@dataclass(frozen=True, slots=True)
class Form:
    """What pressing one button of a page sends: to where, and with which fields."""

    action: str
    fields: tuple[tuple[str, str], ...]

    def data(self) -> dict[str, list[str]]:
        sent: dict[str, list[str]] = {}
        for name, value in self.fields:
            sent.setdefault(name, []).append(value)
        return sent

    def __str__(self) -> str:
        pressed = dict(self.fields).get("do", "")
        return f"{self.action} {pressed}".strip()


def forms_of(body: str, url: str) -> list[Form]:
    """Return what each button of each form of a page sends with its fields as they are; only what posts."""
    reader = _Forms()
    reader.feed(body)
    found = []
    for form in reader.forms:
        if form.method != "post":
            continue
        action = urlsplit(urljoin(url, form.action or url))
        inside = tuple((name, value) for name, value in form.fields if name != "csrfmiddlewaretoken")
        for button in form.buttons or [None]:
            address = action.path + (f"?{action.query}" if action.query else "")
            found.append(Form(address, inside + ((button,) if button else ())))
    return found


def _typed(kind: str) -> str:
    """Return what somebody types where nothing stands yet; a hidden field stays empty."""
    return {"hidden": "", "email": "essai@ormes.example", "number": "1", "url": "https://ormes.example/"}.get(
        kind, "essai"
    )


@dataclass(slots=True)
class _Open:
    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str] | None] = field(default_factory=list)


class _Forms(HTMLParser):
    """Reads the forms of a page, and what belongs to them by ``form=``."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[_Open] = []
        self._by_id: dict[str, _Open] = {}
        self._inside: _Open | None = None
        self._select: tuple[_Open, str, list[tuple[str, bool]]] | None = None
        self._text: tuple[_Open, str, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = _Open(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self._inside)
            self._by_id[given.get("id", "")] = self._inside
            return
        form = self._by_id.get(given["form"]) if "form" in given else self._inside
        if form is None:
            return
        name, kind = given.get("name", ""), given.get("type", "text").lower()
        if tag == "button" and given.get("type", "submit") == "submit":
            form.buttons.append((name, given.get("value", "")) if name else None)
        elif tag == "input" and name:
            if kind not in ("checkbox", "radio") or "checked" in given:
                form.fields.append((name, given.get("value", "on" if kind == "checkbox" else "") or _typed(kind)))
        elif tag == "select" and name:
            self._select = (form, name, [])
        elif tag == "option" and self._select is not None:
            self._select[2].append((given.get("value", ""), "selected" in given))
        elif tag == "textarea" and name:
            self._text = (form, name, [])

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text[2].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = None
        elif tag == "select" and self._select is not None:
            form, name, options = self._select
            chosen = [value for value, is_selected in options if is_selected] or [value for value, _s in options[:1]]
            form.fields.extend((name, value) for value in chosen)
            self._select = None
        elif tag == "textarea" and self._text is not None:
            form, name, said = self._text
            form.fields.append((name, "".join(said) or _typed("text")))
            self._text = None
