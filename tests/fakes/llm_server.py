"""A small large-language-model server for tests, over real HTTP: chat completions, Responses and Ollama's own protocol.

It answers from the prompt alone, whole or streamed, as servers of several kinds do (`kind`), and it misbehaves on
demand. `python -m tests.fakes.llm_server --port 8099` runs it by hand.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, get_args

from tests.fakes.llm_dialects import Refused, ServerKind, refusal
from tests.fakes.llm_protocols import MODEL, Said, prompt_of, stream, whole
from tests.fakes.llm_words import Prompt, reply

__all__ = ["MODEL", "Behaviour", "FakeLlmServer", "Prompt"]

Behaviour = Literal[
    "ok",
    "rate_limited",
    "rate_limited_until",
    "server_error",
    "denied",
    "slow",
    "stalls",
    "truncated",
    "refusal",
    "invented_ids",
    "empty",
    "markup",
    "wrong_schema",
    "not_json",
    "in_a_fence",
    "cut",
    "fails_midway",
    "ignores_stream",
    "leak",
    "german",
]
_QUESTION = re.compile(r"<question>(.*?)</question>", re.DOTALL)


@dataclass(frozen=True)
class Served:
    """The seconds that a streamed answer took, from the request: to its first piece, its first step, and its end."""

    first_s: float
    step_s: float
    whole_s: float


Script = Callable[[Prompt], dict[str, Any]]


class FakeLlmServer:
    """Serves on 127.0.0.1 until closed. `requests` holds the JSON bodies received, oldest first, `paths` where to.

    `connections` counts those that were opened, `served` says by question how long streams took.

    `script`, when set, says what the model answers. `first_s` is the time to the first piece of a stream, `piece_s`
    the time between two.
    """

    def __init__(
        self,
        port: int = 0,
        *,
        slow_s: float = 30.0,
        retry_after_s: float = 1.0,
        kind: ServerKind = "plain",
        first_s: float = 0.0,
        piece_s: float = 0.0,
    ) -> None:
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.connections = 0
        self.served: dict[str, Served] = {}
        self.kind: ServerKind = kind
        self.script: Script | None = None
        self.slow_s = slow_s
        self.retry_after_s = retry_after_s
        self.first_s = first_s
        self.piece_s = piece_s
        self._behaviours: deque[Behaviour] = deque()
        self._standing: Behaviour = "ok"
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), _handler_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def root(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def base_url(self) -> str:
        """What to give a client as `base_url`."""
        return f"{self.root}/v1"

    def behave(self, behaviour: Behaviour, times: int | None = None) -> None:
        """Answer so the next `times` requests, or from now on. A new call replaces what was asked before."""
        if behaviour not in get_args(Behaviour):
            raise ValueError(f"unknown behaviour: {behaviour}")
        with self._lock:
            self._behaviours.clear()
            self._standing = "ok"
            if times is None:
                self._standing = behaviour
            else:
                self._behaviours.extend([behaviour] * times)

    def close(self) -> None:
        """Stop serving; requests that wait are let go."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def __enter__(self) -> FakeLlmServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def received(self, path: str, request: dict[str, Any]) -> Behaviour:
        """Record a request and tell how to answer it."""
        with self._lock:
            self.requests.append(request)
            self.paths.append(path)
            return self._behaviours.popleft() if self._behaviours else self._standing

    def wait(self, seconds: float) -> None:
        """Wait, unless the server closes."""
        if seconds:
            self._closing.wait(seconds)

    def says(self, path: str, request: dict[str, Any], behaviour: Behaviour) -> Said:
        """What the model says to a request."""
        prompt = prompt_of(path, request)
        answer = self.script(prompt) if self.script is not None else reply(prompt, behaviour)
        tokens = (len(prompt.system) + len(prompt.user)) // 4
        text, finish = json.dumps(answer, ensure_ascii=False), "stop"
        if behaviour == "truncated":
            text, finish = text[: len(text) // 2], "length"
        elif behaviour == "refusal":
            text, finish = "I can't help with that.", "refusal"
        elif behaviour == "empty":
            text = ""
        elif behaviour == "not_json":
            text = "Bien sûr ! Cliquez sur le bouton vert."
        elif behaviour == "in_a_fence":
            text = f"<think>Let me see.</think>Voici :\n```json\n{text}\n```\nBonne journée !"
        return Said(text, finish, tokens)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that go away: some tests do."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def _handler_for(server: FakeLlmServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 0
        disable_nagle_algorithm = True

        def setup(self) -> None:
            server.connections += 1
            super().setup()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            path = self.path.rstrip("/")
            if not self.headers.get("Authorization", "").startswith("Bearer "):
                self._error(401, "missing key")
                return
            request = json.loads(body)
            refused = refusal(server.kind, path, request)
            behaviour = server.received(path, request)
            if refused is None and not (request.get("model") and (request.get("messages") or request.get("input"))):
                refused = Refused(400, {"error": {"message": "model and messages are required"}})
            try:
                if refused is not None:
                    self._send(refused.status, refused.payload, {"Content-Type": refused.content_type})
                else:
                    self._answer(path, request, behaviour)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Stay silent: tests read `requests` instead."""

        def _answer(self, path: str, request: dict[str, Any], behaviour: Behaviour) -> None:
            if behaviour == "rate_limited":
                self._error(429, "slow down", {"Retry-After": f"{server.retry_after_s:g}"})
            elif behaviour == "rate_limited_until":
                moment = datetime.now(UTC) + timedelta(seconds=server.retry_after_s)
                self._error(429, "slow down", {"Retry-After": format_datetime(moment, usegmt=True)})
            elif behaviour == "server_error":
                self._error(500, "out of order")
            elif behaviour == "denied":
                self._error(401, "Incorrect API key provided")
            else:
                if behaviour == "slow":
                    server.wait(server.slow_s)
                said = server.says(path, request, behaviour)
                if request.get("stream") and behaviour != "ignores_stream":
                    self._stream(path, request, said, behaviour)
                elif behaviour == "cut":
                    payload = json.dumps(whole(path, said)).encode()
                    self._send(200, payload[: len(payload) // 2], {}, length=len(payload))
                    self._hang_up()
                else:
                    server.wait(server.first_s + server.piece_s * len(said.pieces))
                    self._json(200, whole(path, said))

        def _stream(self, path: str, request: dict[str, Any], said: Said, behaviour: Behaviour) -> None:
            self.send_response(200)
            ndjson = path == "/api/chat"
            self.send_header("Content-Type", "application/x-ndjson" if ndjson else "text/event-stream; charset=utf-8")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            began = time.monotonic()
            server.wait(server.first_s)
            first_s = step_s = time.monotonic() - began
            events = list(stream(path, request, said))
            for number, event in enumerate(events):
                if number == (3 * len(events)) // 4:
                    if behaviour == "cut":
                        self._hang_up()
                        return
                    if behaviour == "stalls":
                        server.wait(server.slow_s)
                    if behaviour == "fails_midway":
                        self._chunk('data: {"error": {"message": "out of memory", "type": "server_error"}}\n\n')
                        break
                self._chunk(event)
                if number <= said.first_step + 1:
                    # One event comes before the pieces.
                    step_s = time.monotonic() - began
                server.wait(server.piece_s)
            self.wfile.write(b"0\r\n\r\n")
            asked = _QUESTION.search(prompt_of(path, request).user)
            server.served[asked[1] if asked else ""] = Served(first_s, step_s, time.monotonic() - began)

        def _chunk(self, text: str) -> None:
            data = text.encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

        def _hang_up(self) -> None:
            self.close_connection = True
            self.connection.shutdown(2)

        def _error(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
            self._json(status, {"error": {"message": message, "type": "fake", "code": None}}, headers)

        def _json(self, status: int, data: object, headers: Mapping[str, str] | None = None) -> None:
            self._send(status, json.dumps(data).encode(), {"Content-Type": "application/json", **(headers or {})})

        def _send(self, status: int, payload: bytes, headers: Mapping[str, str], *, length: int | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload) if length is None else length))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

    return Handler


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A fake model server with Structured Outputs.")
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--behave", choices=get_args(Behaviour), default="ok")
    parser.add_argument("--kind", choices=get_args(ServerKind), default="plain")
    options = parser.parse_args()
    with FakeLlmServer(options.port, kind=options.kind) as server:
        server.behave(options.behave)
        print(f"listening on {server.base_url}", flush=True)  # noqa: T201 - the address is this command's output
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
