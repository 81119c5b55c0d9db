"""Events that say what another said already."""

from __future__ import annotations

from dataclasses import dataclass, field

from shadow.observer.events import Event

SAME_WITHIN_S = 0.25
# A fill and a choice say a state: the last one counts, so that none of them is one too many.
_STATES = frozenset({"fill", "select"})


@dataclass
class Duplicates:
    """Knows what was recorded twice: by two recorders in one frame, or by listeners on two levels."""

    _seen: dict[tuple[object, ...], float] = field(default_factory=dict)

    def knows(self, event: Event) -> bool:
        """Whether the same was done to the same element less than 250 ms ago.

        The second click of a double click is no duplicate: the browser numbers it.
        """
        if event.kind in _STATES or (event.target is None and event.kind != "navigate"):
            return False
        target = event.target
        element = "" if target is None else target.selector or target.fingerprint or (target.role, target.name)
        said = (event.kind, event.url, event.frame, element, event.key, event.checked, event.option, event.detail)
        before = self._seen.get(said)
        self._seen[said] = event.at
        return before is not None and 0 <= event.at - before < SAME_WITHIN_S
