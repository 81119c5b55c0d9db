"""What can go wrong with a provider, as stable codes."""

from __future__ import annotations

from typing import Literal

ErrorCode = Literal[
    "provider_unavailable",
    "provider_refused",
    "provider_truncated",
    "provider_invalid",
    "provider_denied",
    "provider_rate_limited",
    "provider_timeout",
    "provider_paused",
]


class EngineError(Exception):
    """A provider could not do its work. `retry_after_s` is the wait it asked for, in seconds, when it named one."""

    def __init__(self, code: ErrorCode, detail: str = "", *, retry_after_s: float | None = None) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code: ErrorCode = code
        self.detail = detail
        self.retry_after_s = retry_after_s
