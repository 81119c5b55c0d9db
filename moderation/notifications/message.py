"""What is said about a subject, before any channel gives it a form."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings

from moderation.models import Decision, Reviewable
from moderation.notifications.text import one_line
from moderation.registry import Kind, kind_of, kinds
from moderation.states import Status, Verb
from organizations.models import Organization


@dataclass(frozen=True, slots=True)
class Message:
    """A subject in plain text. ``url`` is where it is decided in the administration."""

    kind: str
    kind_label: str
    subject_id: str
    version: int
    digest: str
    status: str
    title: str
    page: str
    url: str
    question: str = ""
    lines: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return it as a row of the outbox keeps it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round of review ended, or stands half-way: who did what, when, and why."""

    verb: Verb
    who: str
    when: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A subject as it is now. ``open``: a decision is still waited for."""

    subject: Reviewable
    message: Message
    open: bool
    outcome: Outcome | None


def message_of(subject: Reviewable) -> Message:
    """Return what there is to say of a subject now, in the language that is active."""
    kind = kind_of(subject)
    card = kind.describe(subject)
    return Message(
        kind=kind.name,
        kind_label=str(kind.label),
        subject_id=str(subject.pk),
        version=subject.version,
        digest=subject.digest,
        status=subject.status,
        title=one_line(card.title),
        page=one_line(card.page),
        url=absolute(kind.review_url(subject)),
        question=one_line(card.question),
        lines=[one_line(line) for line in card.lines],
    )


def absolute(path: str) -> str:
    """Return the address that people outside the server use."""
    return settings.PUBLIC_URL.rstrip("/") + path


def subject_find(kind_name: str, subject_id: uuid.UUID, organization: Organization) -> Reviewable | None:
    """Return an organization's subject; None for what is gone, and for what is somebody else's."""
    kind: Kind | None = next((kind for kind in kinds() if kind.name == kind_name), None)
    if kind is None:
        return None
    manager: Any = kind.model._default_manager
    found: Reviewable | None = (
        manager.filter(pk=subject_id, organization=organization).select_related("organization").first()
    )
    return found


def standing_of(kind_name: str, subject_id: uuid.UUID | None, organization: Organization) -> Standing | None:
    """Return how a subject stands now, or None when it is gone, or when a message is about none."""
    subject = None if subject_id is None else subject_find(kind_name, subject_id, organization)
    if subject is None:
        return None
    decision = (
        Decision.objects.filter(subject_id=subject.pk, from_status=Status.PENDING_REVIEW)
        .exclude(verb=Verb.EDIT)
        .select_related("actor")
        .order_by("-created_at", "-id")
        .first()
    )
    outcome = None
    waits = subject.status == Status.PENDING_REVIEW
    # A decision of an earlier round says nothing of this one, nor a first approval of what was edited since.
    counts = subject.submitted_at is None or (decision is not None and decision.created_at >= subject.submitted_at)
    if decision is not None and counts and not (waits and subject.agreed_by_id is None):
        who = str(decision.actor) if decision.actor else str(decision.get_channel_display())
        outcome = Outcome(Verb(decision.verb), who, decision.created_at, decision.reason)
    return Standing(subject, message_of(subject), waits, outcome)
