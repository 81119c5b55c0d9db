"""A small HTTP client for scripts that live a story: cookies, JSON, and forms sent back as a browser would."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode


@dataclass(frozen=True)
class Reply:
    """An HTTP answer."""

    status: int
    body: str
    headers: dict[str, str]

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """Somebody's browser or server: their headers and their cookies."""

    base: str
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str, **headers: str) -> Reply:
        return self._send(path, None, headers)

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Reply:
        return self._send(path, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})

    def submit(self, path: str, fields: dict[str, str]) -> Reply:
        """Open a page, fill `fields` of its largest form, and send the form with all that it holds."""
        reader = FormReader()
        reader.feed(self.get(path).body)
        largest: dict[str, str] = max(reader.forms, key=len, default={})
        held = {**largest, **fields}
        return self._send(path, urlencode(held).encode(), {"Referer": self.base + path})

    def _send(self, path: str, data: bytes | None, headers: dict[str, str]) -> Reply:
        request = urllib.request.Request(self.base + path, data, {**self.headers, **headers})  # noqa: S310 - our own server
        try:
            with self.opener.open(request, timeout=30) as answer:
                return Reply(answer.status, answer.read().decode(), dict(answer.headers))
        except urllib.error.HTTPError as error:
            return Reply(error.code, error.read().decode(), dict(error.headers))


class FormReader(HTMLParser):
    """Collects what each form of a page would send. Templates and disabled fields send nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self._in_template = 0
        self._field = ""
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value if value is not None else "" for name, value in attrs}
        if tag == "template":
            self._in_template += 1
        elif tag == "form":
            self.forms.append({})
        elif not self.forms or self._in_template or "disabled" in given:
            return
        elif tag == "input" and "name" in given:
            self._input(given)
        elif tag == "select":
            self._field = given.get("name", "")
        elif tag == "option" and self._field and ("selected" in given or self._field not in self.forms[-1]):
            self.forms[-1][self._field] = given.get("value", "")
        elif tag == "textarea":
            self._field, self._text = given.get("name", ""), []

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._in_template -= 1
        elif tag == "textarea" and self._text is not None:
            # A browser leaves out the line break that follows the opening tag.
            self.forms[-1][self._field] = "".join(self._text).removeprefix("\n")
            self._field, self._text = "", None
        elif tag == "select":
            self._field = ""

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _input(self, given: dict[str, str]) -> None:
        kind = given.get("type", "text")
        if kind in ("submit", "button", "reset", "file", "image"):
            return
        if kind in ("checkbox", "radio") and "checked" not in given:
            return
        self.forms[-1][given["name"]] = given.get("value", "on" if kind == "checkbox" else "")
