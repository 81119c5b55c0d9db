"""The page of an approval link: GET shows what it decides on, POST decides."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from moderation.admin_review import DECIDED
from moderation.links.tokens import ApprovalLink, LinkExpiredError, NoSuchLinkError, approval_link_read
from moderation.models import Decision
from moderation.notifications.message import Standing, standing_of
from moderation.services import review_decide
from moderation.states import Verb
from organizations.admin_base import page, signed_in
from organizations.errors import ServiceError
from organizations.models import Membership
from organizations.scoping import every_tenant

TEMPLATE = "admin/moderation/link.html"
BUTTONS = {"approve": Verb.APPROVE, "reject": Verb.REJECT, "request_changes": Verb.REQUEST_CHANGES}


@require_http_methods(["GET", "HEAD", "POST"])
def decide_view(request: HttpRequest, token: str) -> HttpResponse:
    """Show, or decide. Only the member whom the link was sent to, signed in, gets further than its door."""
    try:
        link = approval_link_read(token)
    except NoSuchLinkError as error:
        raise Http404 from error
    except LinkExpiredError:
        context = {"title": _("This link has expired"), "expired": True}
        return page(request, TEMPLATE, context, status=410)
    member = _recipient(request, link)
    if member is None:
        return page(request, TEMPLATE, {"title": _("This link is somebody else’s"), "elsewhere": True}, status=403)
    now = standing_of(link.kind, link.subject_id, member.organization)
    if now is None:
        raise Http404
    if request.method != "POST":
        return _show(request, link, now)
    verb = BUTTONS.get(request.POST.get("do", ""))
    if verb is None:
        unknown = ServiceError("unknown_action", _("This button does nothing here."), status=400)
        return _show(request, link, now, unknown)
    try:
        decision = review_decide(
            model=type(now.subject),
            subject_id=link.subject_id,
            organization=member.organization,
            actor=signed_in(request),
            verb=verb,
            seen_digest=link.digest,
            reason=request.POST.get("reason", ""),
            channel=Decision.Channel.EMAIL,
        )
    except ServiceError as error:
        fresh = standing_of(link.kind, link.subject_id, member.organization)
        return _show(request, link, fresh or now, error)
    if decision.verb != Verb.AGREE:
        # Of the first of two approvals, the page itself says what it is worth, today and later.
        messages.success(request, DECIDED[Verb(decision.verb)] % {"version": decision.version})
    return HttpResponseRedirect(request.path)


def _recipient(request: HttpRequest, link: ApprovalLink) -> Membership | None:
    """Return the membership that a link was sent to, if it is the signed-in person's."""
    with every_tenant():
        own = Membership.objects.filter(pk=link.membership_id, user=signed_in(request))
        return own.select_related("organization").first()


def _show(request: HttpRequest, link: ApprovalLink, now: Standing, error: ServiceError | None = None) -> HttpResponse:
    agreed = now.open and now.subject.agreed_by_id == signed_in(request).pk
    context: dict[str, Any] = {
        "title": now.message.title,
        "message": now.message,
        "now": now,
        "decidable": now.open and now.message.digest == link.digest,
        "moved_on": now.open and now.message.digest != link.digest,
        "status_label": now.subject.get_status_display(),
        "done": DECIDED[Verb.AGREE] % {"version": now.message.version} if agreed and error is None else "",
        "agreed": agreed,
        "error": error,
        "typed_reason": request.POST.get("reason", ""),
    }
    return page(request, TEMPLATE, context, status=error.status if error else 200)
