"""An answer as server-sent events: each step as it is made, then the whole.

A stream takes one thread of a web process for as long as it lasts. So there are few of them in a process, each for a
bounded time; who finds no room reads the answer when it is there, as everybody may.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from http import HTTPStatus
from typing import Any

import orjson
from django.conf import settings

from organizations.connections import lend_connection
from organizations.errors import ServiceError
from organizations.scoping import tenant_scope
from tours.answering.presenting import question_answer_payload
from tours.answering.waiting import Follower, ToldStep
from tours.models import Question
from tours.selectors import leading, question_of

# The longest that a stream lasts; who still wants to know comes back, after RETRY_MS.
LASTS_S = 30.0
RETRY_MS = 1000
# The database is looked at this often without being told to, and a sign of life given.
LOOKS_EVERY_S = 3.0

_room = threading.Lock()
_open_streams = 0


def streams_at_most() -> int:
    """Return how many streams a process may hold: half of its threads answer other requests."""
    return settings.WEB_THREADS // 2


def has_room() -> bool:
    """Return whether a stream would find room now."""
    return _open_streams < streams_at_most()


def answer_stream(question: Question) -> AnswerStream | None:
    """Open the stream of a question's answer, or return None when there is no room for another."""
    leader = None if question.leads else leading(question).values_list("pk", flat=True).first()
    organization_id, question_id, end_user = question.organization_id, question.pk, question.end_user

    def read() -> dict[str, Any] | None:
        with tenant_scope(organization_id):
            return question_answer_payload(question_of(question_id, end_user))

    return AnswerStream.opened(Follower(question_id, leader), read)


class AnswerStream:
    """Gives the events of one answer, encoded. Whoever opened it closes it."""

    def __init__(self, follower: Follower, read: Callable[[], Mapping[str, Any] | None]) -> None:
        self._events = self._encoded(follower, read)
        self._is_open = True

    @classmethod
    def opened(cls, follower: Follower, read: Callable[[], Mapping[str, Any] | None]) -> AnswerStream | None:
        """Open a stream, or return None when there is no room. ``read`` gives the answer, or None while there is none.

        ``read`` is called in the stream's own time, with no tenant's scope around it. When it raises ``ServiceError``
        there will be no answer: the stream then ends with a ``problem``.
        """
        global _open_streams  # noqa: PLW0603
        with _room:
            if _open_streams >= streams_at_most():
                return None
            _open_streams += 1
        return cls(follower, read)

    def __iter__(self) -> Iterator[bytes]:
        return self._events

    def close(self) -> None:
        """Free its place. Closing twice changes nothing."""
        global _open_streams  # noqa: PLW0603
        self._events.close()
        with _room:
            if self._is_open:
                self._is_open = False
                _open_streams -= 1

    @staticmethod
    def _encoded(follower: Follower, read: Callable[[], Mapping[str, Any] | None]) -> Generator[bytes, None, None]:
        yield f"retry: {RETRY_MS}\n\n".encode()
        ends = time.monotonic() + LASTS_S
        while True:
            try:
                answer = read()
            except ServiceError as gone:
                yield _event("problem", orjson.dumps(_problem(gone)))
                return
            lend_connection()
            if answer is not None:
                yield _event("answer", orjson.dumps(answer))
                return
            left = ends - time.monotonic()
            if left <= 0:
                return
            for told in follower.follow(min(LOOKS_EVERY_S, left)):
                if isinstance(told, ToldStep):
                    yield _event("step", told.said.encode())
            yield b": still here\n\n"


def _problem(error: ServiceError) -> dict[str, Any]:
    """Return a refusal in the shape that all of the API's errors have."""
    return {
        "type": f"https://circuy.dev/problems/{error.code}",
        "title": HTTPStatus(error.status).phrase,
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
    }


def _event(name: str, data: bytes) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
