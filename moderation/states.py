"""The review workflow as one table: which decision leads from which status to which."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy as _

from organizations.models import Role


class Status(models.TextChoices):
    """Where a reviewable thing stands."""

    DRAFT = "draft", _("Draft")
    PENDING_REVIEW = "pending_review", _("Waiting for review")
    CHANGES_REQUESTED = "changes_requested", _("Changes requested")
    PUBLISHED = "published", _("Published")
    REJECTED = "rejected", _("Rejected")
    STALE = "stale", _("Out of date")
    ARCHIVED = "archived", _("Archived")


class Verb(models.TextChoices):
    """What somebody does to a reviewable thing."""

    SUBMIT = "submit", _("Submit")
    EDIT = "edit", _("Edit")
    APPROVE = "approve", _("Approve")
    REJECT = "reject", _("Reject")
    REQUEST_CHANGES = "request_changes", _("Request changes")
    EXPIRE = "expire", _("Mark as out of date")
    ARCHIVE = "archive", _("Archive")


@dataclass(frozen=True, slots=True)
class Transition:
    """One row of the table. ``role`` is the least a person needs; None means that only the system does it."""

    sources: frozenset[Status]
    target: Status
    role: Role | None
    needs_reason: bool = False


EDITABLE = frozenset({Status.DRAFT, Status.PENDING_REVIEW, Status.CHANGES_REQUESTED, Status.PUBLISHED, Status.STALE})

TRANSITIONS: dict[Verb, Transition] = {
    Verb.SUBMIT: Transition(frozenset({Status.DRAFT, Status.CHANGES_REQUESTED}), Status.PENDING_REVIEW, Role.AUTHOR),
    Verb.EDIT: Transition(EDITABLE, Status.PENDING_REVIEW, Role.AUTHOR),
    Verb.APPROVE: Transition(frozenset({Status.PENDING_REVIEW}), Status.PUBLISHED, Role.REVIEWER),
    Verb.REJECT: Transition(frozenset({Status.PENDING_REVIEW}), Status.REJECTED, Role.REVIEWER, needs_reason=True),
    Verb.REQUEST_CHANGES: Transition(
        frozenset({Status.PENDING_REVIEW}), Status.CHANGES_REQUESTED, Role.REVIEWER, needs_reason=True
    ),
    Verb.EXPIRE: Transition(
        frozenset({Status.PUBLISHED, Status.PENDING_REVIEW, Status.CHANGES_REQUESTED}), Status.STALE, None
    ),
    Verb.ARCHIVE: Transition(
        frozenset({Status.DRAFT, Status.PUBLISHED, Status.STALE, Status.CHANGES_REQUESTED}),
        Status.ARCHIVED,
        Role.REVIEWER,
    ),
}
