"""A server that keeps what it is sent and misbehaves on demand: what every fake of ours over HTTP is made of."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Received:
    """One request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Fault:
    """An answer other than the usual one. Status 0 closes the connection without a word."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    # Whether the request is taken in all the same, as when only the answer is lost.
    taken: bool = False


class HttpServer:
    """Answers 200 with an empty body unless a subclass or ``fail_with`` says otherwise."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self._faults: list[Fault] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/hook?token=abc"

    def fail_with(
        self, status: int, *, headers: dict[str, str] | None = None, body: bytes = b"", taken: bool = False
    ) -> None:
        """Answer the next request with this instead."""
        self._faults.append(Fault(status, headers or {}, body, taken))

    def usual(self, _asked: Received) -> Fault:
        """Return what is answered when nothing goes wrong."""
        return Fault(200)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                fault = fake._faults.pop(0) if fake._faults else None
                asked = Received("POST", self.path, dict(self.headers.items()), body)
                if fault is None or fault.taken:
                    fake.received.append(asked)
                if fault is not None and fault.status == 0:
                    self.connection.close()
                    return
                answer = fault or fake.usual(asked)
                self.send_response(answer.status)
                self.send_header("Content-Length", str(len(answer.body)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *_args: object) -> None:
                """Keep the test's output readable."""

        return Handler
