"""Who made what is under review: they approve none of it where the organization asks for somebody else."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import F, Max, OuterRef, Q, Subquery

from moderation.models import Decision, Reviewable
from moderation.registry import kind_of
from moderation.states import Verb
from organizations.models import Organization, User
from organizations.scoping import tenant_scope

WRITING = (Verb.EDIT, Verb.SUBMIT, Verb.RESTORE)


def makers_of(subjects: Sequence[Reviewable]) -> dict[uuid.UUID, set[int]]:
    """Return by subject who submitted it, or wrote some of what is under review; one query however many they are.

    What somebody wrote stays theirs when others edit it after them, until it has been approved.
    """
    makers: dict[uuid.UUID, set[int]] = {
        subject.pk: {pk for pk in (subject.submitted_by_id, subject.edited_by_id) if pk is not None}
        for subject in subjects
    }
    if not subjects:
        return makers
    with tenant_scope(*{subject.organization_id for subject in subjects}):
        same = Decision.objects.filter(kind=OuterRef("kind"), subject_id=OuterRef("subject_id"), verb=Verb.APPROVE)
        approved = same.order_by().values("subject_id").annotate(last=Max("created_at")).values("last")
        wrote = (
            Decision.objects.filter(
                kind__in={kind_of(subject).name for subject in subjects},
                subject_id__in=[subject.pk for subject in subjects],
                verb__in=WRITING,
                actor__isnull=False,
            )
            .annotate(approved=Subquery(approved))
            .filter(Q(approved=None) | Q(created_at__gt=F("approved")))
            .order_by()
            .values_list("subject_id", "actor")
            .distinct()
        )
        for subject_id, actor_id in wrote:
            makers[subject_id].add(actor_id)
    return makers


def is_own_work(subject: Reviewable, organization: Organization, person: User) -> bool:
    """Whether somebody else than this person has to approve it."""
    return not organization.allow_self_approval and person.pk in makers_of([subject])[subject.pk]
