"""One question over HTTP, as the SDK asks it, and the moments that count."""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True)
class Answered:
    """What came of a question: seconds to the first step that a guide can show, and to the whole answer."""

    question: str
    first_s: float
    whole_s: float
    source: str
    steps: int
    tour_id: str
    visitor: str
    was_streamed: bool


class Asker:
    """Somebody with a connection of their own."""

    def __init__(self, url: str, key: str, route: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self._headers = {"Authorization": f"Bearer {key}"}
        self._route = route

    def ask(self, question: str, visitor: str = "") -> Answered:
        """Ask, and wait for the whole answer. Raises ``OSError`` when there is none."""
        began = time.perf_counter()
        body = {"question": question, "route": self._route, "locale": "fr", **({"visitor": visitor} if visitor else {})}
        headers = {"Content-Type": "application/json", "Accept": f"application/json, {EVENT_STREAM}"}
        reply = self._send("POST", "/v1/ai/ask", headers, json.dumps(body))
        data: dict[str, Any] = json.loads(reply.read())
        visitor = data.get("visitor", visitor)
        first, was_streamed = 0.0, False
        while reply.status == 202:
            headers = {"X-Circuy-Visitor": visitor, "Accept": "application/json" if was_streamed else EVENT_STREAM}
            reply = self._send("GET", f"/v1/ai/questions/{data['question_id']}", headers)
            if reply.headers.get_content_type() == EVENT_STREAM:
                was_streamed = True
                first, answer = self._follow(reply, began)
                data = answer or data
                if answer is not None:
                    break
            else:
                data = {**data, **json.loads(reply.read())}
                if reply.status == 202:
                    time.sleep(0.4)
        if "steps" not in data:
            raise OSError(f"no answer to {question!r}: {reply.status} {data}")
        whole = time.perf_counter() - began
        return Answered(
            question,
            first or whole,
            whole,
            data["source"],
            len(data["steps"]),
            str(data["tour_id"]),
            visitor,
            was_streamed,
        )

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    @staticmethod
    def _follow(reply: http.client.HTTPResponse, began: float) -> tuple[float, dict[str, Any] | None]:
        first, name = 0.0, ""
        answer: dict[str, Any] | None = None
        for line in reply:
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data" and name == "step":
                first = first or time.perf_counter() - began
            elif field == "data" and name == "answer":
                answer = json.loads(value)
        return first, answer

    def _send(
        self, method: str, path: str, headers: dict[str, str], body: str | None = None
    ) -> http.client.HTTPResponse:
        self._connection.request(method, path, body, {**self._headers, **headers})
        return self._connection.getresponse()
