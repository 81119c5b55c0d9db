"""A server that speaks enough of Slack's web API to receive messages, and misbehaves on demand."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs


class FakeSlack:
    """``chat.postMessage`` over real HTTP. ``fail_with`` makes the next calls answer something else."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self._faults: list[tuple[int, dict[str, str], dict[str, Any] | None]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/api/"

    def fail_with(
        self, status: int, *, headers: dict[str, str] | None = None, body: dict[str, Any] | None = None
    ) -> None:
        """Answer the next call with this instead. Status 0 closes the connection without a word."""
        self._faults.append((status, headers or {}, body))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        slack = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                if slack._faults:
                    status, headers, body = slack._faults.pop(0)
                    if status == 0:
                        self.connection.close()
                        return
                    self._answer(status, body or {"ok": False, "error": "internal_error"}, headers)
                    return
                if self.headers.get("Content-Type", "").startswith("application/json"):
                    message = json.loads(raw)
                else:
                    message = {key: values[0] for key, values in parse_qs(raw).items()}
                    message["blocks"] = json.loads(message.get("blocks", "[]"))
                message["_path"] = self.path
                message["_token"] = self.headers.get("Authorization", "").removeprefix("Bearer ")
                slack.messages.append(message)
                stamp = f"1700000000.{len(slack.messages):06d}"
                self._answer(200, {"ok": True, "channel": message["channel"], "ts": stamp}, {})

            def _answer(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_args: Any) -> None:
                """Keep the test's output readable."""

        return Handler
