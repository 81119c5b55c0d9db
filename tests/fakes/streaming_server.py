"""A streaming server as its specification describes it, and no more: what Léa talks to when she lives elsewhere.

It holds one session of steps in memory. `fail_with` has it misbehave as any of our fakes does; `slow` answers late.
"""

from __future__ import annotations

import json
import time
from typing import Any

from tests.fakes.http_server import Fault, HttpServer, Received

TOKEN = "sk_streaming"


class FakeStreamingServer(HttpServer):
    """One machine, one session; what is shown is what `shows` was told."""

    def __init__(self) -> None:
        super().__init__()
        self.machines = [{"machine_id": "DESKTOP-1", "name": "Poste de Dom"}]
        self.sessions = [{"session_id": "sess_1", "machine_id": "DESKTOP-1", "finalized": False}]
        self.steps: list[dict[str, Any]] = []
        self.recording = False
        self.cancelled = False
        self.persisted: list[dict[str, Any]] = []
        self.broken: set[str] = set()
        self.slow = 0.0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def shows(self, *intents: str) -> None:
        """Have these steps understood, of two events each."""
        self.steps = [
            {
                "step": number,
                "intent": intent,
                "confidence": 0.8,
                "state": "proposed",
                "events": [2 * number, 2 * number + 1],
                "event_words": [f"Cliquer sur {intent}", f"Saisir « {number} »"],
            }
            for number, intent in enumerate(intents, start=1)
        ]

    def usual(self, asked: Received) -> Fault:
        time.sleep(self.slow)
        if asked.headers.get("Authorization") != f"Bearer {TOKEN}":
            return _json(401, {"code": "key_unknown", "detail": "no"})
        path, body = asked.path.partition("?")[0], json.loads(asked.body or b"{}")
        if path in self.broken:
            return _json(503, {"code": "storage_unavailable"})
        lists = {"machines": self.machines, "sessions": self.sessions}
        listed = path.removeprefix("/api/v1/traces/stream/")
        if listed in lists:
            return _json(200, {listed: lists[listed]})
        if path == "/api/v1/lea/competences/candidate/persist":
            self.persisted.append(body)
            return _json(201, {"status": "persisted", "competence_id": "c1", "path": "c1.yaml"})
        if body.get("session_id", "sess_1") != "sess_1":
            return _json(404, {"code": "session_not_found", "detail": "no"})
        answer = getattr(self, f"_{path.rpartition('/')[2]}", None)
        return answer(body) if answer else _json(404, {"code": "not_found"})

    def _start(self, _body: dict[str, Any]) -> Fault:
        already, self.recording = self.recording, True
        return _json(200, {"status": "shadow_started", "session_id": "sess_1", "message": "", "already": already})

    def _stop(self, _body: dict[str, Any]) -> Fault:
        if not self.recording:
            return _json(409, {"code": "not_observing", "detail": "no"})
        self.recording = False
        told = {"status": "shadow_stopped", "session_id": "sess_1"}
        return _json(200, {**told, "steps_count": len(self.steps), "understanding": self.steps})

    def _understanding(self, _body: dict[str, Any]) -> Fault:
        return _json(200, {"steps": self.steps, "current_step": None, "notifications": []})

    def _feedback(self, body: dict[str, Any]) -> Fault:
        action, number = body["action"], body.get("step_index") or 0
        reason = "" if action in ("cancel", "validate") or 1 <= number <= len(self.steps) else "no such step"
        if not reason:
            self._apply(action, number, body)
        result = {"understanding": self.steps, **({"reason": reason} if reason else {})}
        return _json(200, {"status": "feedback_rejected" if reason else "feedback_applied", "result": result})

    def _apply(self, action: str, number: int, body: dict[str, Any]) -> None:
        steps, place = self.steps, number - 1
        match action:
            case "validate":
                for step in steps if not number else [steps[place]]:
                    step["state"] = "validated"
            case "correct":
                steps[place] |= {"intent": body["new_intent"], "state": "corrected"}
            case "undo":
                del steps[place]
            case "cancel":
                self.cancelled = True
            case "merge_next":
                one, other = steps[place : place + 2]
                joined = {key: [*one[key], *other[key]] for key in ("events", "event_words")}
                steps[place : place + 2] = [
                    {**one, **joined, "intent": f"{one['intent']} puis {other['intent']}", "state": "proposed"}
                ]
            case "split":
                one = steps[place]
                at = one["events"].index(body["at_event_index"])
                steps[place : place + 1] = [
                    {**one, "events": events, "event_words": words, "intent": words[0], "state": "proposed"}
                    for events, words in (
                        (one["events"][:at], one["event_words"][:at]),
                        (one["events"][at:], one["event_words"][at:]),
                    )
                ]
        for index, step in enumerate(steps, start=1):
            step["step"] = index

    def _build(self, body: dict[str, Any]) -> Fault:
        if self.cancelled:
            return _json(200, {"status": "cancelled"})
        if not any(step["state"] != "proposed" for step in self.steps):
            return _json(400, {"code": "nothing_validated", "detail": "no"})
        workflow = {"name": body["name"], "steps": [step["intent"] for step in self.steps]}
        return _json(200, {"status": "workflow_built", "workflow_ir": workflow})


def _json(status: int, body: dict[str, Any]) -> Fault:
    return Fault(status, {"Content-Type": "application/json"}, json.dumps(body).encode())
