"""An answer in time: the model's, or the local provider's when the model takes too long or fails."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.deadline import HEDGE_AT
from engine.errors import EngineError
from engine.types import AnswerDraft, StepDraft

OnStep = Callable[[int, StepDraft], None]


@dataclass(frozen=True, slots=True)
class _Step:
    index: int
    step: StepDraft


def in_time(ask: Callable[[OnStep], AnswerDraft], *, timeout_s: float, on_step: OnStep | None = None) -> AnswerDraft:
    """Give what `ask` answers, within `timeout_s` seconds whatever the network does.

    `ask` runs in a thread of its own and is given up, not stopped, when its time is over: after 80 % of it while it has
    told of no step yet, and after all of it when it has. `on_step` is called in the caller's thread, and no more
    once the caller has its answer. Raises what `ask` raises, or `EngineError` (`provider_timeout`).
    """
    told: queue.SimpleQueue[_Step | AnswerDraft | BaseException] = queue.SimpleQueue()

    def run() -> None:
        try:
            told.put(ask(lambda index, step: told.put(_Step(index, step))))
        except BaseException as error:
            told.put(error)

    began = time.monotonic()
    threading.Thread(target=run, name="model", daemon=True).start()
    until = began + timeout_s * HEDGE_AT
    while True:
        try:
            said = told.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise EngineError("provider_timeout", "the time for this answer is over") from None
        if isinstance(said, _Step):
            until = began + timeout_s
            if on_step is not None:
                on_step(said.index, said.step)
        elif isinstance(said, AnswerDraft):
            return said
        else:
            raise said
