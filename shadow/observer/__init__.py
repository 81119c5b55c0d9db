"""Understands a demonstration: events in, steps with an intent and a confidence out. Plain Python, no I/O."""

from shadow.observer.events import Event, Target
from shadow.observer.segmenter import Notice, Reason, Segmenter, UnderstoodStep, merge, segment, split

__all__ = [
    "Event",
    "Notice",
    "Reason",
    "Segmenter",
    "Target",
    "UnderstoodStep",
    "merge",
    "segment",
    "split",
]
