"""A server that speaks enough of Slack's web API to be told things, and misbehaves on demand."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

TEAM = "T0OREE"


class FakeSlack:
    """Slack's methods over real HTTP.

    ``messages`` are those posted, each as it stands now in ``shown``; ``calls`` is everything that was asked, by
    method. ``fail_with`` makes the next calls answer something else. Any bot token is of the team ``TEAM``, except
    those in ``refused``.
    """

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.shown: dict[str, dict[str, Any]] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.refused: set[str] = set()
        self._stamps: dict[str, str] = {}
        self._faults: list[tuple[int, dict[str, str], dict[str, Any] | None, bool]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/api/"

    def fail_with(
        self,
        status: int,
        *,
        headers: dict[str, str] | None = None,
        body: dict[str, Any] | None = None,
        taken: bool = False,
    ) -> None:
        """Answer the next call with this instead. Status 0 closes the connection without a word.

        ``taken``: Slack did what was asked, and only its answer is lost.
        """
        self._faults.append((status, headers or {}, body, taken))

    def calls_of(self, method: str) -> list[dict[str, Any]]:
        """Return what was asked of one method, in order."""
        return [asked for name, asked in self.calls if name == method]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer_to(self, method: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Return what Slack answers, and keep what was asked."""
        self.calls.append((method, asked))
        if asked["_token"] in self.refused:
            return {"ok": False, "error": "invalid_auth"}
        usual = {
            "auth.test": lambda: {"ok": True, "team_id": TEAM, "team": "Maison Orée", "user_id": "UBOT"},
            "oauth.v2.access": lambda: self._exchange(asked),
            "chat.update": lambda: self._update(asked),
            "chat.postEphemeral": lambda: {"ok": True, "message_ts": "1700000001.000001"},
            "chat.postMessage": lambda: self._post(asked),
        }
        return usual.get(method, lambda: {"ok": True})()

    def _exchange(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked.get("code") != "good-code":
            return {"ok": False, "error": "invalid_code"}
        return {"ok": True, "access_token": "xoxb-by-oauth", "team": {"id": TEAM, "name": "Maison Orée"}}

    def _update(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked["ts"] not in self.shown:
            return {"ok": False, "error": "message_not_found"}
        self.shown[asked["ts"]] = asked
        return {"ok": True, "channel": asked["channel"], "ts": asked["ts"]}

    def _post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Post a message once for each ``client_msg_id``."""
        stamp = self._stamps.get(asked.get("client_msg_id", ""))
        if stamp is None:
            self.messages.append(asked)
            stamp = f"1700000000.{len(self.messages):06d}"
            self._stamps[asked.get("client_msg_id", stamp)] = stamp
            self.shown[stamp] = asked
        return {"ok": True, "channel": asked["channel"], "ts": stamp}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        slack = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                fault = slack._faults.pop(0) if slack._faults else None
                method = self.path.removeprefix("/api/")
                if fault is None or fault[3]:
                    usual = slack.answer_to(method, self._asked(raw))
                if fault is None:
                    self._answer(200, usual, {})
                    return
                status, headers, body, _taken = fault
                if status == 0:
                    self.connection.close()
                    return
                self._answer(status, body or {"ok": False, "error": "internal_error"}, headers)

            def _asked(self, raw: str) -> dict[str, Any]:
                asked: dict[str, Any]
                if self.headers.get("Content-Type", "").startswith("application/json"):
                    asked = json.loads(raw or "{}")
                else:
                    asked = {key: values[0] for key, values in parse_qs(raw).items()}
                    for key in ("blocks", "view"):
                        if key in asked:
                            asked[key] = json.loads(asked[key])
                asked["_path"] = self.path
                asked["_token"] = self.headers.get("Authorization", "").removeprefix("Bearer ")
                return asked

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
