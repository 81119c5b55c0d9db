"""A server that plays Circuy's part for pages of another origin: the SDK's files, the API, and what was sent to it."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.parse import parse_qs, urlsplit

TYPES = {".js": "text/javascript; charset=utf-8", ".txt": "text/plain; charset=utf-8"}
NEXT = [{"text": "Suivant", "action": "next"}]
LOOK: dict[str, Any] = {
    "accent": "#4f46e5",
    "side": "right",
    "offset_x": 20,
    "offset_y": 20,
    "label": "",
    "hidden_on": [],
    "events_percent": 100,
}
TOUR: dict[str, Any] = {
    "tour_id": "0190c0de-0000-7000-8000-000000000001",
    "status": "ephemeral",
    "source": "local",
    "title": "Ajouter une remise",
    "steps": [
        {
            "attachTo": {"element": "#remise", "on": "bottom"},
            "fallback_selector": "input[name='remise']",
            "title": "Saisir la remise",
            "text": "Entrez ici le pourcentage.",
            "buttons": [{"text": "Terminé", "action": "next"}],
        }
    ],
    "suggestions": [],
}
NOTHING: dict[str, Any] = {
    "tour_id": None,
    "status": "ephemeral",
    "source": "local",
    "title": "",
    "steps": [],
    "message": "Désolé, je n'ai pas trouvé l'élément correspondant sur cette page.",
    "suggestions": [],
}


@dataclass(frozen=True)
class Call:
    """One request to the API."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: Any


@dataclass
class Reply:
    """What a path answers, after a while."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0
    events: SimpleQueue[str | None] | None = None
    """Server-sent events, as the test puts them in; None ends them."""


class CircuyServer:
    """Answers until it is closed; `replies` says what, by path. `calls` keeps what was asked, without preflights."""

    def __init__(self, files: Path) -> None:
        self.files = files
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.forget()

    def forget(self) -> None:
        """Start anew: the usual answers, nothing asked yet."""
        self.calls: list[Call] = []
        self.replies: dict[str, Reply] = {
            "/v1/widget": Reply(LOOK),
            "/v1/tours": Reply({"tours": [], "suggestions": []}),
            "/v1/ai/ask": Reply({"question_id": "q1", "visitor": "visitor-token", **TOUR}),
            f"/v1/tours/{TOUR['tour_id']}": Reply(TOUR),
            "/v1/events": Reply({"accepted": 1, "duplicates": 0}, 202),
            "/v1/recorder/sessions": Reply(
                {
                    "token": "rt_1",
                    "expires_in": 1800,
                    "organization": "Maison Orée",
                    "member": "Claire Petit",
                    "locale": "fr",
                    "masks": ["CLI-####"],
                },
                201,
            ),
        }

    def asked(self, path: str) -> list[Call]:
        """The calls to `path`."""
        return [call for call in self.calls if call.path == path]

    def events(self) -> list[dict[str, Any]]:
        """Every tour event that was reported."""
        return [event for call in self.asked("/v1/events") for event in call.body["events"]]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(server: CircuyServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path.startswith(("/v1/", "/api/")):
                self._api()
                return
            file = server.files / path.removeprefix("/static/")
            body = file.read_bytes() if file.is_file() else b""
            self._send(200 if file.is_file() else 404, body, {"Content-Type": TYPES.get(file.suffix, "text/plain")})

        def do_POST(self) -> None:
            self._api()

        def do_OPTIONS(self) -> None:
            self._send(204, b"", {"Access-Control-Allow-Headers": "authorization, content-type, x-circuy-visitor"})

        def _api(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            server.calls.append(Call(self.command, parts.path, parse_qs(parts.query), dict(self.headers.items()), body))
            reply = server.replies.get(parts.path, Reply({"code": "not_found", "detail": "Introuvable."}, 404))
            time.sleep(reply.after_s)
            if reply.events is not None:
                self._stream(reply.events)
                return
            headers = {"Content-Type": "application/json", **reply.headers}
            self._send(reply.status, json.dumps(reply.body).encode(), headers)

        def _stream(self, events: SimpleQueue[str | None]) -> None:
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            while (event := events.get(timeout=60)) is not None:
                self.wfile.write(event.encode())
                self.wfile.flush()

        def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Location, Retry-After"}
            for name, value in {**allowed, **headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: tests look at the calls."""

    return Handler
