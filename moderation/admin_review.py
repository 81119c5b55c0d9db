"""The page on which one thing is reviewed: what every kind shares.

A kind's page subclasses ``ReviewPage`` and says how its content is read from a form, saved and shown. The content
lives in a *draft*: what the reviewer sees in the fields, which a refusal gives back with nothing lost.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from django.contrib import messages
from django.contrib.admin.views.main import ChangeList
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from moderation.authorship import is_own_work
from moderation.checks import findings
from moderation.models import Reviewable
from moderation.selectors import history, inbox
from moderation.services import counted_agreement, review_decide
from moderation.states import EDITABLE, TRANSITIONS, Status, Verb
from organizations.admin_base import may, page, signed_in
from organizations.errors import ServiceError
from organizations.models import Role

DECIDED = {
    Verb.AGREE: gettext_lazy("Approved by you: version %(version)d takes one more approval, by somebody else."),
    Verb.APPROVE: gettext_lazy("Approved: version %(version)d is live for everybody."),
    Verb.REJECT: gettext_lazy("Rejected. It stays out of use, with your reason."),
    Verb.REQUEST_CHANGES: gettext_lazy("Sent back with your reason."),
    Verb.ARCHIVE: gettext_lazy("Archived: nobody gets it any more."),
    Verb.RESTORE: gettext_lazy("Back under review: it has to be approved."),
}
BUTTONS = {
    "approve": Verb.APPROVE,
    "reject": Verb.REJECT,
    "request_changes": Verb.REQUEST_CHANGES,
    "restore": Verb.RESTORE,
    "archive": Verb.ARCHIVE,
}


class Draft(Protocol):
    """What stands in the fields of a review page."""

    seen_digest: str

    def show(self, error: ServiceError) -> bool:
        """Put a refusal at the fields it names; return whether any was found."""

    def differs(self) -> bool:
        """Whether the fields say something else than the version they were opened on."""

    def rearrange(self, button: str) -> bool:
        """Do what a button that only moves fields about asks; return whether it was one."""


S = TypeVar("S", bound=Reviewable)
D = TypeVar("D", bound=Draft)


class ReviewPage(Generic[S, D]):
    """A view of the administration: one address, GET to look, POST to save or decide."""

    model: ClassVar[type[Any]]
    template: ClassVar[str]
    related: ClassVar[tuple[str, ...]] = ()

    def __call__(self, request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
        subject = self.find(pk)
        if not may(request, Role.VIEWER, subject.organization_id):
            raise Http404
        if request.method == "POST":
            return self.post(request, subject)
        return self.show(request, subject, self.draft_of(subject))

    def find(self, pk: uuid.UUID) -> S:
        """Return the subject; another tenant's is not there."""
        related = ("organization", "submitted_by", "reviewed_by", "agreed_by", *self.related)
        subject: S | None = self.model._default_manager.select_related(*related).filter(pk=pk).first()
        if subject is None:
            raise Http404
        return subject

    def draft_of(self, subject: S) -> D:
        """Return a draft with the content as it is."""
        raise NotImplementedError

    def draft_from(self, request: HttpRequest, subject: S) -> D:
        """Return a draft with what was typed."""
        raise NotImplementedError

    def save(self, request: HttpRequest, subject: S, draft: D) -> tuple[S, bool]:
        """Save a draft through the kind's service; return the row that holds it, and whether anything changed."""
        raise NotImplementedError

    def context(self, request: HttpRequest, subject: S, draft: D) -> dict[str, Any]:
        """Return what the kind's template needs besides what every kind's does."""
        raise NotImplementedError

    def post(self, request: HttpRequest, subject: S) -> HttpResponse:
        """Save, decide, or give the form back with what is wrong."""
        button = request.POST.get("do", "save")
        draft = self.draft_from(request, subject)
        if draft.rearrange(button):
            return self.show(request, subject, draft, editing=True)
        if button == "continue":
            # The editor has seen what somebody else saved meanwhile, and keeps their own words.
            draft.seen_digest = subject.digest
            return self.show(request, subject, draft, editing=True)
        try:
            return self.act(request, subject, draft, button)
        except ServiceError as error:
            # The service may have met another state than the one this page began with.
            subject = self.find(subject.pk)
            if error.status == 409 and "untouched" in request.POST:
                # No words of theirs to keep: they look at what is there now, and decide again.
                return self.show(request, subject, self.draft_of(subject), error=error, status=error.status)
            placed = draft.show(error)
            return self.show(request, subject, draft, editing=True, error=error, placed=placed, status=error.status)

    def act(self, request: HttpRequest, subject: S, draft: D, button: str) -> HttpResponse:
        """Do what a button asks, and go on to the page that shows it done."""
        if button in ("save", "save_approve"):
            saved, changed = self.save(request, subject, draft)
            if changed:
                messages.success(request, _("Saved as version %(version)d.") % {"version": saved.version})
            elif button == "save":
                messages.info(request, _("Nothing was changed."))
            if button == "save_approve":
                self.approve_saved(request, saved)
            return HttpResponseRedirect(self.url(saved) + ("?decided" if button == "save_approve" else ""))
        verb = BUTTONS.get(button)
        if verb is None:
            raise ServiceError("unknown_action", _("This button does nothing here."), status=400)
        # A page that is out of date differs for that alone; the decision itself refuses it, and says so.
        if verb in (Verb.APPROVE, Verb.RESTORE) and draft.seen_digest == subject.digest and draft.differs():
            raise ServiceError(
                "unsaved_changes",
                _("You changed something: save it first, so that what you see is what is decided on."),
                status=409,
            )
        self.decide(request, subject, verb, draft.seen_digest, request.POST.get("reason", ""))
        return HttpResponseRedirect(f"{self.url(subject)}?decided")

    def approve_saved(self, request: HttpRequest, saved: S) -> None:
        """Approve what was saved a moment ago; a refusal leaves it saved and says why."""
        try:
            self.decide(request, saved, Verb.APPROVE, saved.digest)
        except ServiceError as error:
            messages.error(request, _("Saved, but not approved: %(why)s") % {"why": error.detail})

    def decide(self, request: HttpRequest, subject: S, verb: Verb, seen_digest: str, reason: str = "") -> None:
        """Decide through the one service, and say what it did."""
        decision = review_decide(
            model=self.model,
            subject_id=subject.pk,
            organization=subject.organization,
            actor=signed_in(request),
            verb=verb,
            seen_digest=seen_digest,
            reason=reason,
            despite=request.POST.getlist("despite"),
        )
        messages.success(request, str(DECIDED[Verb(decision.verb)]) % {"version": decision.version})

    def show(
        self,
        request: HttpRequest,
        subject: S,
        draft: D,
        *,
        editing: bool = False,
        error: ServiceError | None = None,
        placed: bool = False,
        status: int = 200,
    ) -> HttpResponse:
        """Answer with the page."""
        may_edit = self.may_do(request, subject, Verb.EDIT) and subject.status in EDITABLE
        is_live = subject.status == Status.PUBLISHED
        fields_open = may_edit and (not is_live or editing or "edit" in request.GET)
        found = findings(subject) if subject.status in TRANSITIONS[Verb.APPROVE].sources else []
        context = {
            "title": str(subject),
            "opts": self.model._meta,
            "subject": subject,
            "draft": draft,
            "editing": fields_open,
            "may_edit": may_edit,
            "may": {verb.value: self.may_do(request, subject, verb) for verb in Verb},
            "own_work": is_own_work(subject, subject.organization, signed_in(request)),
            "agreed_by": counted_agreement(subject, subject.organization),
            "history": history(subject.pk),
            "next": next(iter(inbox(limit=1)), None) if "decided" in request.GET else None,
            "error": error,
            "error_placed": placed,
            "typed": editing,
            "conflict": editing and error is not None and error.code == "changed_since",
            "typed_reason": request.POST.get("reason", ""),
            "asked_verb": request.POST.get("do", ""),
            "findings": found,
            "error_found": error is not None and error.code in {finding.code for finding in found},
            "despite": request.POST.getlist("despite"),
            "url": self.url(subject),
            **self.context(request, subject, draft),
        }
        return page(request, self.template, context, status=status)

    def may_do(self, request: HttpRequest, subject: S, verb: Verb) -> bool:
        """Whether to offer a decision: the status allows it and the member's role suffices."""
        transition = TRANSITIONS[verb]
        return subject.status in transition.sources and may(request, transition.role, subject.organization_id)

    def url(self, subject: S) -> str:
        """Return the page's address."""
        meta = self.model._meta
        return reverse(f"admin:{meta.app_label}_{meta.model_name}_review", args=[subject.pk])


class ReviewChangeList(ChangeList):
    """A list whose rows lead to the review of what they name."""

    def url_for_result(self, result: Any) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_review", args=[result.pk])
