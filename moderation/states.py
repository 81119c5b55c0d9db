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
    AGREE = "agree", _("First approval")
    APPROVE = "approve", _("Approve")
    REJECT = "reject", _("Reject")
    REQUEST_CHANGES = "request_changes", _("Request changes")
    EXPIRE = "expire", _("Mark as out of date")
    LAPSE = "lapse", _("Take out of the inbox")
    RESTORE = "restore", _("Bring back")
    ARCHIVE = "archive", _("Archive")


@dataclass(frozen=True, slots=True)
class Transition:
    """One row of the table. ``role`` is the least a person needs; None means that only the system does it."""

    sources: frozenset[Status]
    target: Status
    role: Role | None
    needs_reason: bool = False


EDITABLE = frozenset({Status.DRAFT, Status.PENDING_REVIEW, Status.CHANGES_REQUESTED, Status.PUBLISHED, Status.STALE})

# Of a revision of something that is live, a rejection and a lapse end the revision alone: what is live stays published.
TRANSITIONS: dict[Verb, Transition] = {
    Verb.SUBMIT: Transition(frozenset({Status.DRAFT, Status.CHANGES_REQUESTED}), Status.PENDING_REVIEW, Role.AUTHOR),
    Verb.EDIT: Transition(EDITABLE, Status.PENDING_REVIEW, Role.AUTHOR),
    # The first of two yeses, in an organization that wants two.
    Verb.AGREE: Transition(frozenset({Status.PENDING_REVIEW}), Status.PENDING_REVIEW, Role.REVIEWER),
    Verb.APPROVE: Transition(frozenset({Status.PENDING_REVIEW}), Status.PUBLISHED, Role.REVIEWER),
    Verb.REJECT: Transition(frozenset({Status.PENDING_REVIEW}), Status.REJECTED, Role.REVIEWER, needs_reason=True),
    Verb.REQUEST_CHANGES: Transition(
        frozenset({Status.PENDING_REVIEW}), Status.CHANGES_REQUESTED, Role.REVIEWER, needs_reason=True
    ),
    # What it rests on changed.
    Verb.EXPIRE: Transition(
        frozenset({Status.PUBLISHED, Status.PENDING_REVIEW, Status.CHANGES_REQUESTED}), Status.STALE, None
    ),
    # Nobody decided in the time that the organization gives.
    Verb.LAPSE: Transition(frozenset({Status.PENDING_REVIEW}), Status.STALE, None),
    Verb.RESTORE: Transition(frozenset({Status.STALE, Status.ARCHIVED}), Status.PENDING_REVIEW, Role.AUTHOR),
    Verb.ARCHIVE: Transition(
        frozenset({Status.DRAFT, Status.PUBLISHED, Status.STALE, Status.CHANGES_REQUESTED}),
        Status.ARCHIVED,
        Role.REVIEWER,
    ),
}

# What a person decides on a version that they saw; the rest follows from writing, or from the page.
DECISIONS = frozenset({Verb.APPROVE, Verb.REJECT, Verb.REQUEST_CHANGES, Verb.RESTORE, Verb.ARCHIVE})
