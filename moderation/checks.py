"""What is checked before an approval: each room above adds its own checks to the kinds of things it knows.

A check that finds fault does not decide: it refuses an approval until a person who saw what it found says to approve
despite it. Every door to an approval goes through ``review_decide``, which asks the checks; the review page shows what
they found before anybody decides.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Protocol

from moderation.models import Reviewable
from organizations.errors import ServiceError


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that an approval would make worse: what, and what becomes of it."""

    what: str
    detail: str

    def __str__(self) -> str:
        return f"{self.what} — {self.detail}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. Without faults it only informs.

    ``code`` is the stable code of the refusal, ``refusal`` its sentence, ``note`` what the journal keeps when somebody
    approves despite it. ``token`` names exactly these faults: who saw others has not seen these.
    """

    code: str
    heading: str
    summary: str
    token: str = ""
    refusal: str = ""
    despite_label: str = ""
    note: str = ""
    url: str = ""
    faults: list[Fault] = field(default_factory=list)


class Check(Protocol):
    """Looks at what would be approved; None when there is nothing to say.

    ``deciding`` is true inside the transaction of an approval: what the check compares with must not change until it
    ends, so it is locked.
    """

    def __call__(self, subject: Any, *, deciding: bool) -> Finding | None: ...


_checks: dict[type[Reviewable], list[Check]] = {}


def register_check(model: type[Reviewable], check: Check) -> None:
    """Add a check at start-up."""
    _checks.setdefault(model, []).append(check)


def findings(subject: Reviewable) -> list[Finding]:
    """Return what the checks of a subject find now, to be shown."""
    found = [check(subject, deciding=False) for check in _checks.get(type(subject), ())]
    return [finding for finding in found if finding is not None]


def require_checked(subject: Reviewable, despite: Collection[str]) -> list[str]:
    """Refuse an approval that a check finds fault with, unless ``despite`` holds the token of what it finds.

    Returns what the journal has to keep of the faults that were accepted. Raises ``ServiceError`` with the check's
    code (409), its faults as ``fields``.
    """
    notes = []
    for check in _checks.get(type(subject), ()):
        finding = check(subject, deciding=True)
        if finding is None or not finding.faults:
            continue
        if finding.token not in despite:
            listed = {
                f"{finding.code}[{index}]": f"{fault.what} — {fault.detail}"
                for index, fault in enumerate(finding.faults)
            }
            raise ServiceError(finding.code, finding.refusal, status=409, fields=listed)
        notes.append(finding.note)
    return notes
