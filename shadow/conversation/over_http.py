"""The gateway of a Léa who lives elsewhere: HTTP to the streaming server, each call with the time it may take."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2

from shadow.conversation.gateway import (
    Call,
    FeedbackAction,
    FeedbackResult,
    GatewayError,
    MachineSeen,
    Persisted,
    SessionSeen,
    Step,
    steps_read,
)
from shadow.conversation.kinds import kind_of

# Seconds, of the whole call.
TIMEOUTS: Mapping[Call, float] = {
    "resolve": 3.0,
    "start": 5.0,
    "stop": 5.0,
    "understanding": 5.0,
    "feedback": 5.0,
    "build": 10.0,
    "persist": 10.0,
}
MOST_BYTES = 4 * 1024 * 1024


class HttpGateway:
    """Speaks with a token to a server at ``url``. Close it, or use it in a ``with`` block.

    ``timeouts`` shortens what each call may take, in seconds. Redirects are not followed: a token goes where it was
    meant to.
    """

    def __init__(self, url: str, token: str, *, locale: str = "fr", timeouts: Mapping[Call, float] = TIMEOUTS) -> None:
        self._timeouts = {**TIMEOUTS, **timeouts}
        self._client = httpx2.Client(
            base_url=url.rstrip("/"),
            # As bytes: what is no token at all is refused by the server like any other.
            headers={
                b"Authorization": f"Bearer {token.strip()}".encode(),
                b"Accept": b"application/json",
                b"Accept-Language": locale.encode(),
            },
            follow_redirects=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    def machines(self) -> list[MachineSeen]:
        found = _rows(self._call("resolve", "GET", "/api/v1/traces/stream/machines"), "machines")
        return [MachineSeen(_text(one, "machine_id"), str(one.get("name") or one["machine_id"])) for one in found]

    def sessions(self, machine_id: str) -> list[SessionSeen]:
        answer = self._call("resolve", "GET", "/api/v1/traces/stream/sessions", params={"machine_id": machine_id})
        return [
            SessionSeen(
                _text(one, "session_id"),
                str(one.get("machine_id") or machine_id),
                bool(one.get("finalized")),
                bool(one.get("recording")),
            )
            for one in _rows(answer, "sessions")
        ]

    def start(self, session_id: str) -> bool:
        return bool(self._shadow("start", {"session_id": session_id}).get("already"))

    def stop(self, session_id: str) -> tuple[Step, ...]:
        return steps_read(self._shadow("stop", {"session_id": session_id}).get("understanding"), "stop")

    def understanding(self, session_id: str) -> tuple[Step, ...]:
        found = self._call("understanding", "GET", f"/api/v1/shadow/{quote(session_id, safe='')}/understanding")
        current = found.get("current_step")
        return steps_read([*(found.get("steps") or ()), *([current] if current else [])], "understanding")

    def feedback(
        self,
        session_id: str,
        action: FeedbackAction,
        *,
        step_index: int | None = None,
        new_intent: str | None = None,
        at_event_index: int | None = None,
    ) -> FeedbackResult:
        said = {"step_index": step_index, "new_intent": new_intent, "at_event_index": at_event_index}
        body = {key: value for key, value in said.items() if value is not None}
        answer = self._shadow("feedback", {"session_id": session_id, "action": action, **body})
        result = answer.get("result")
        if not isinstance(result, dict) or answer.get("status") not in ("feedback_applied", "feedback_rejected"):
            raise GatewayError("broken", "feedback")
        steps = steps_read(result.get("understanding"), "feedback")
        return FeedbackResult(answer["status"] == "feedback_applied", str(result.get("reason") or ""), steps)

    def build(self, session_id: str, name: str, parameters: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        body: dict[str, Any] = {"session_id": session_id, "name": name, "domain": "generic"}
        body |= {"require_all_validated": False, **({"parameters": list(parameters)} if parameters else {})}
        answer = self._shadow("build", body)
        if answer.get("status") == "cancelled":
            return None
        workflow = answer.get("workflow_ir")
        if not isinstance(workflow, dict):
            raise GatewayError("broken", "build")
        return workflow

    def persist(self, workflow_ir: Mapping[str, Any], machine_id: str) -> Persisted:
        body = {"workflow_ir": dict(workflow_ir), "machine_id": machine_id}
        kept = self._call("persist", "POST", "/api/v1/lea/competences/candidate/persist", body=body)
        if "competence_id" not in kept:
            raise GatewayError("broken", "persist")
        return Persisted(str(kept["competence_id"]), str(kept.get("tour_id") or ""), str(kept.get("review_url") or ""))

    def _shadow(self, call: Call, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._call(call, "POST", f"/api/v1/shadow/{call}", body=body)

    def _call(
        self,
        call: Call,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        within = self._timeouts[call]
        try:
            with self._client.stream(method, path, params=params, json=body, timeout=within) as answer:
                content = _read(answer, call, ends=time.monotonic() + within)
        except httpx2.TimeoutException as error:
            raise GatewayError("timeout", call) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise GatewayError("unreachable", call) from error
        data = _json(content)
        if not answer.is_success:
            known = data if isinstance(data, dict) else {}
            detail = str(known.get("detail") or "") if answer.status_code < 500 else ""
            raise GatewayError(kind_of(answer.status_code, str(known.get("code") or ""), call), call, detail)
        if not isinstance(data, dict):
            raise GatewayError("broken", call)
        return data


def _read(answer: httpx2.Response, call: Call, *, ends: float) -> bytes:
    """Read a body within its time, which the library counts for each piece only, and within bounds."""
    content = b""
    for piece in answer.iter_bytes():
        content += piece
        if len(content) > MOST_BYTES:
            raise GatewayError("broken", call)
        if time.monotonic() > ends:
            raise GatewayError("timeout", call)
    return content


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _rows(answer: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = answer.get(name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise GatewayError("broken", "resolve")
    return rows


def _text(row: Mapping[str, Any], key: str) -> str:
    if not isinstance(row.get(key), str):
        raise GatewayError("broken", "resolve")
    return str(row[key])
