"""Every change of status: submitting, editing, deciding. One conditional update each, audited, announced."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from moderation.checks import require_checked
from moderation.models import Decision, Reviewable
from moderation.notifications.outbox import announce
from moderation.registry import kind_of
from moderation.signals import decided, deciding
from moderation.states import TRANSITIONS, Status, Verb
from organizations.errors import ServiceError, not_found
from organizations.models import Organization, User
from organizations.permissions import require_role
from organizations.scoping import tenant_scope

Subject = TypeVar("Subject", bound=Reviewable)
VERDICTS = frozenset({Verb.APPROVE, Verb.REJECT, Verb.REQUEST_CHANGES})


@transaction.atomic
def review_submit(*, subject: Reviewable, actor: User | None) -> Decision:
    """Put a draft in the inbox and tell the reviewers.

    ``actor`` is None when Circuy made it. Raises ``ServiceError`` ``already_decided`` (409) when it is
    no longer a draft, ``forbidden``/``not_found`` when the actor may not.
    """
    if actor is not None:
        require_role(actor, subject.organization, _role(Verb.SUBMIT))
    decision = _move(
        subject=subject,
        verb=Verb.SUBMIT,
        seen_digest=subject.digest,
        actor=actor,
        changes={"submitted_at": timezone.now(), "submitted_by": actor},
    )
    announce(subject=subject, decision=decision)
    return decision


@transaction.atomic
def review_record_edit(
    *, subject: Reviewable, actor: User, seen_digest: str, digest: str, changes: dict[str, Any]
) -> Decision | None:
    """Replace the content under review by a new version, if it is still the one the editor saw.

    ``changes`` are the subject's own columns that hold the content. Returns None, and changes nothing,
    when the new digest is the old one. Raises ``ServiceError``: ``changed_since`` or ``already_decided``
    (409), ``forbidden``/``not_found``.
    """
    require_role(actor, subject.organization, _role(Verb.EDIT))
    if digest == seen_digest == subject.digest:
        return None
    enters_the_inbox = subject.status != Status.PENDING_REVIEW
    if enters_the_inbox:
        changes = {**changes, "submitted_at": timezone.now(), "submitted_by": actor}
    decision = _move(
        subject=subject,
        verb=Verb.EDIT,
        seen_digest=seen_digest,
        actor=actor,
        changes={**changes, "digest": digest, "version": subject.version + 1},
    )
    if enters_the_inbox:
        announce(subject=subject, decision=decision)
    return decision


@transaction.atomic
def review_decide(
    *,
    model: type[Subject],
    subject_id: uuid.UUID,
    organization: Organization,
    actor: User,
    verb: Verb,
    seen_digest: str,
    reason: str = "",
    channel: Decision.Channel = Decision.Channel.ADMIN,
    despite: Collection[str] = (),
) -> Decision:
    """Decide on exactly the version whose digest the reviewer saw.

    ``despite`` holds the tokens of what checks found and the reviewer saw: an approval goes through in spite of it,
    and the journal says so.

    Of several simultaneous decisions one wins; the others raise ``ServiceError`` ``already_decided``
    (409). ``changed_since`` (409): the content was edited meanwhile. ``reason_required`` (422): a refusal
    needs one. ``self_approval`` (403): the submitter decides on their own work and the organization does
    not allow it. ``forbidden`` (403), ``not_found`` (404): the actor's role, or another tenant's row. What the
    checks of its kind refuse with (``moderation.checks``).
    """
    subject = _manager(model).filter(pk=subject_id, organization=organization).first()
    if subject is None:
        raise not_found(_("There is nothing to review here."))
    require_role(actor, organization, _role(verb))
    if TRANSITIONS[verb].needs_reason and not reason.strip():
        raise ServiceError("reason_required", _("Say why: the reason helps whoever made it."), status=422)
    if verb == Verb.APPROVE and subject.submitted_by_id == actor.pk and not organization.allow_self_approval:
        raise ServiceError(
            "self_approval", _("You recorded this yourself: somebody else has to approve it."), status=403
        )
    changes: dict[str, Any] = {}
    if verb in VERDICTS:
        changes = {"reviewed_at": timezone.now(), "reviewed_by": actor}
    if verb == Verb.APPROVE and _can_win(subject, verb, seen_digest):
        with tenant_scope(organization.pk):
            reason = "\n".join([*filter(None, [reason.strip()]), *require_checked(subject, despite)])
    return _move(
        subject=subject,
        verb=verb,
        seen_digest=seen_digest,
        actor=actor,
        changes=changes,
        reason=reason.strip(),
        channel=channel,
    )


@transaction.atomic
def review_expire(*, subject: Reviewable, reason: str) -> Decision | None:
    """Mark something as out of date because what it rests on changed. Returns None if it is not in use."""
    if subject.status not in TRANSITIONS[Verb.EXPIRE].sources:
        return None
    return _move(subject=subject, verb=Verb.EXPIRE, seen_digest=subject.digest, actor=None, changes={}, reason=reason)


@transaction.atomic
def review_archive_replaced(*, subject: Reviewable, reason: str) -> Decision:
    """Take something out of use because an approved successor stands in its place."""
    return _move(subject=subject, verb=Verb.ARCHIVE, seen_digest=subject.digest, actor=None, changes={}, reason=reason)


def _move(
    *,
    subject: Reviewable,
    verb: Verb,
    seen_digest: str,
    actor: User | None,
    changes: dict[str, Any],
    reason: str = "",
    channel: Decision.Channel | None = None,
) -> Decision:
    """Change the status if nobody did so first; the row count of the one UPDATE tells who won.

    Whatever organizations the caller's scope spans, what follows from the change stays within the subject's own.
    """
    with tenant_scope(subject.organization_id):
        transition = TRANSITIONS[verb]
        before = Status(subject.status)
        model = type(subject)
        won = 0
        if before in transition.sources:
            for _receiver, columns in deciding.send(sender=model, subject=subject, verb=verb):
                if isinstance(columns, dict):
                    changes = {**changes, **columns}
            won = (
                _manager(model)
                .filter(pk=subject.pk, status=before, digest=seen_digest)
                .update(status=transition.target, **changes)
            )
        if not won:
            raise _why_not(model, subject.pk, seen_digest)
        subject.refresh_from_db()
        decision = Decision.objects.create(
            organization_id=subject.organization_id,
            kind=kind_of(subject).name,
            subject_id=subject.pk,
            subject_title=str(subject)[:255],
            verb=verb,
            version=subject.version,
            digest=subject.digest,
            from_status=before,
            to_status=transition.target,
            reason=reason,
            channel=channel or (Decision.Channel.ADMIN if actor else Decision.Channel.SYSTEM),
            actor=actor,
        )
        decided.send(sender=model, subject=subject, decision=decision)
        return decision


def _can_win(subject: Reviewable, verb: Verb, seen_digest: str) -> bool:
    """Whether a decision has a chance: of a lost one only what it lost to is said."""
    return Status(subject.status) in TRANSITIONS[verb].sources and subject.digest == seen_digest


def _why_not(model: type[Reviewable], subject_id: uuid.UUID, seen_digest: str) -> ServiceError:
    """Explain a lost conditional update from what the row says now."""
    now = _manager(model).filter(pk=subject_id).select_related("reviewed_by").first()
    if now is None:
        return not_found(_("There is nothing to review here."))
    if now.digest != seen_digest and now.status in (Status.PENDING_REVIEW, Status.DRAFT, Status.CHANGES_REQUESTED):
        return ServiceError(
            "changed_since",
            _("It changed since you opened it: look at the new version, then decide."),
            status=409,
        )
    who = _(" by %(who)s") % {"who": now.reviewed_by} if now.reviewed_by else ""
    return ServiceError(
        "already_decided",
        _("It was already decided%(who)s: it is now “%(status)s”.") % {"who": who, "status": now.get_status_display()},
        status=409,
    )


def _role(verb: Verb) -> Any:
    return TRANSITIONS[verb].role


def _manager(model: type[Subject]) -> Any:
    return model._default_manager
