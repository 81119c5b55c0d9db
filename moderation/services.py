"""Every change of status: submitting, editing, deciding. One conditional update each, audited, announced."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from moderation.authorship import is_own_work
from moderation.checks import require_checked
from moderation.models import Decision, Reviewable
from moderation.notifications.announcing import announce
from moderation.registry import kind_of
from moderation.signals import decided, deciding
from moderation.states import DECISIONS, TRANSITIONS, Status, Verb
from organizations.errors import ServiceError, not_found
from organizations.models import Organization, User
from organizations.permissions import require_role, role_in
from organizations.scoping import tenant_scope

Subject = TypeVar("Subject", bound=Reviewable)
VERDICTS = frozenset({Verb.APPROVE, Verb.REJECT, Verb.REQUEST_CHANGES})
# Whoever agreed, or nobody.
ANYBODY = object()


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
        told=_Told(actor),
        changes=_entering(actor),
    )
    announce(subject=subject, decision=decision)
    return decision


@transaction.atomic
def review_record_edit(
    *,
    subject: Reviewable,
    actor: User | None,
    seen_digest: str,
    digest: str,
    changes: dict[str, Any],
    version: int | None = None,
    reason: str = "",
) -> Decision | None:
    """Replace the content under review by a new version, if it is still the one the editor saw.

    ``changes`` are the subject's own columns that hold the content, ``version`` its number, the next one unless told.
    ``actor`` is None when Circuy made it; ``reason`` then says why. A first approval of what was there before counts no
    more. Returns None, and changes nothing,
    when the new digest is the old one. Raises ``ServiceError``: ``changed_since`` or ``already_decided``
    (409), ``forbidden``/``not_found``.
    """
    if actor is not None:
        require_role(actor, subject.organization, _role(Verb.EDIT))
    if digest == seen_digest == subject.digest:
        return None
    enters_the_inbox = subject.status != Status.PENDING_REVIEW
    waits = _entering(actor) if enters_the_inbox else {"reminded_at": None, "escalated_at": None}
    decision = _move(
        subject=subject,
        verb=Verb.EDIT,
        seen_digest=seen_digest,
        told=_Told(actor, reason),
        changes={
            **changes,
            **waits,
            "digest": digest,
            "version": version or subject.version + 1,
            "edited_at": timezone.now(),
            # What a person wrote stays theirs when Circuy edits it.
            **({"edited_by": actor} if actor is not None else {}),
        },
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
    and the journal says so. Where the organization wants two approvals, the first of them publishes nothing: the
    decision that is returned then has the verb ``AGREE``.

    Of several simultaneous decisions one wins; the others raise ``ServiceError`` ``already_decided``
    (409). ``changed_since`` (409): the content was edited meanwhile. ``reason_required`` (422): a refusal
    needs one. ``self_approval`` (403): somebody approves what they submitted or edited, and the organization does
    not allow it. ``already_agreed`` (409): they approved it before, and it takes somebody else. ``forbidden`` (403),
    ``not_found`` (404): the actor's role, or another tenant's row. ``unknown_decision`` (400): not one of
    ``DECISIONS``. What the checks of its kind refuse with (``moderation.checks``), and its room
    (``moderation.signals.deciding``).
    """
    if verb not in DECISIONS:
        raise ServiceError("unknown_decision", _("This is nothing that somebody decides."), status=400)
    subject = _manager(model).filter(pk=subject_id, organization=organization).select_related("agreed_by").first()
    if subject is None:
        raise not_found(_("There is nothing to review here."))
    require_role(actor, organization, _role(verb))
    if TRANSITIONS[verb].needs_reason and not reason.strip():
        raise ServiceError("reason_required", _("Say why: the reason helps whoever made it."), status=422)
    if verb == Verb.APPROVE and is_own_work(subject, organization, actor):
        raise ServiceError(
            "self_approval", _("You submitted or edited this yourself: somebody else has to approve it."), status=403
        )
    changes: dict[str, Any] = {}
    if verb in VERDICTS:
        changes = {"reviewed_at": timezone.now(), "reviewed_by": actor}
    elif verb == Verb.RESTORE:
        changes = _entering(actor)
    told = _Told(actor, reason.strip(), channel)
    if verb == Verb.APPROVE and _can_win(subject, verb, seen_digest):
        with tenant_scope(organization.pk):
            notes = require_checked(subject, despite)
        told = replace(told, reason="\n".join([*filter(None, [told.reason]), *notes]))
        if organization.two_approvals:
            return _approve_in_two(subject, organization, seen_digest, changes, told)
    decision = _move(subject=subject, verb=verb, seen_digest=seen_digest, changes=changes, told=told)
    if verb == Verb.RESTORE:
        announce(subject=subject, decision=decision)
    return decision


def counted_agreement(subject: Reviewable, organization: Organization) -> User | None:
    """Return who approved the digest under review first, if two have to and the first may still review."""
    first: User | None = subject.agreed_by
    if first is None or not organization.two_approvals:
        return None
    role = role_in(first, organization)
    return first if role is not None and role.includes(_role(Verb.APPROVE)) else None


@transaction.atomic
def review_expire(*, subject: Reviewable, reason: str) -> Decision | None:
    """Mark something as out of date because what it rests on changed. Returns None if it is not in use."""
    if subject.status not in TRANSITIONS[Verb.EXPIRE].sources:
        return None
    return _move(subject=subject, verb=Verb.EXPIRE, seen_digest=subject.digest, told=_Told(reason=reason))


@transaction.atomic
def review_lapse(*, subject: Reviewable, reason: str) -> Decision:
    """Take out of the inbox what nobody reviewed in time.

    Raises ``ServiceError`` (``already_decided`` or ``changed_since``, 409) when somebody did something meanwhile.
    """
    return _move(subject=subject, verb=Verb.LAPSE, seen_digest=subject.digest, told=_Told(reason=reason))


@transaction.atomic
def review_archive_replaced(*, subject: Reviewable, reason: str) -> Decision:
    """Take something out of use because an approved successor stands in its place."""
    return _move(subject=subject, verb=Verb.ARCHIVE, seen_digest=subject.digest, told=_Told(reason=reason))


@dataclass(frozen=True, slots=True)
class _Told:
    """What the journal says of a change besides the change: without an actor, Circuy made it."""

    actor: User | None = None
    reason: str = ""
    channel: Decision.Channel | None = None


def _entering(actor: User | None) -> dict[str, Any]:
    """Return the columns of what enters the inbox now."""
    return {"submitted_at": timezone.now(), "submitted_by": actor, "reminded_at": None, "escalated_at": None}


def _approve_in_two(
    subject: Reviewable, organization: Organization, seen_digest: str, changes: dict[str, Any], told: _Told
) -> Decision:
    """Keep the first approval of this digest, or publish with the second, by somebody else.

    Of two first ones at the same moment, the one that comes late is the second.
    """
    first = counted_agreement(subject, organization)
    if first is None:
        agreement = _try_move(
            subject=subject,
            verb=Verb.AGREE,
            seen_digest=seen_digest,
            changes={"agreed_by": told.actor},
            told=told,
            agreed_before=subject.agreed_by_id,
        )
        if agreement is not None:
            return agreement
        subject.refresh_from_db()
        first = counted_agreement(subject, organization)
        if first is None or not _can_win(subject, Verb.APPROVE, seen_digest):
            raise _why_not(type(subject), subject.pk, seen_digest)
    if first == told.actor:
        raise ServiceError(
            "already_agreed", _("You approved this version already: it takes another reviewer now."), status=409
        )
    second = _try_move(
        subject=subject,
        verb=Verb.APPROVE,
        seen_digest=seen_digest,
        changes=changes,
        told=told,
        agreed_before=first.pk,
    )
    if second is None:
        raise _why_not(type(subject), subject.pk, seen_digest)
    return second


def _move(
    *, subject: Reviewable, verb: Verb, seen_digest: str, told: _Told, changes: dict[str, Any] | None = None
) -> Decision:
    """Change the status if nobody did so first, or say what the change lost to."""
    decision = _try_move(subject=subject, verb=verb, seen_digest=seen_digest, told=told, changes=changes or {})
    if decision is None:
        raise _why_not(type(subject), subject.pk, seen_digest)
    return decision


def _try_move(
    *,
    subject: Reviewable,
    verb: Verb,
    seen_digest: str,
    told: _Told,
    changes: dict[str, Any],
    agreed_before: Any = ANYBODY,
) -> Decision | None:
    """Change the status if nobody did so first; the row count of the one UPDATE tells who won.

    Whatever organizations the caller's scope spans, what follows from the change stays within the subject's own. An
    agreement that is not the one of ``agreed_before`` loses it too.
    """
    with tenant_scope(subject.organization_id):
        transition = TRANSITIONS[verb]
        before = Status(subject.status)
        model = type(subject)
        if before not in transition.sources:
            return None
        columns = {"agreed_by": None, **changes}
        for _receiver, more in deciding.send(sender=model, subject=subject, verb=verb):
            if isinstance(more, dict):
                columns |= more
        seen = _manager(model).filter(pk=subject.pk, status=before, digest=seen_digest)
        if agreed_before is not ANYBODY:
            seen = seen.filter(agreed_by=agreed_before)
        if not seen.update(status=transition.target, **columns):
            return None
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
            reason=told.reason,
            channel=told.channel or (Decision.Channel.ADMIN if told.actor else Decision.Channel.SYSTEM),
            actor=told.actor,
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
