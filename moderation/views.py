"""The desk: the inbox, a decision made in it, and one decision on several things after a look at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from moderation.admin_review import DECIDED
from moderation.authorship import makers_of
from moderation.checks import findings
from moderation.desk import Narrowing, Pick, Row, hindrance, picked_items, picks_read, rows_of
from moderation.models import Decision
from moderation.registry import Mark
from moderation.selectors import MANY, InboxItem, inbox, marks_of, out_of_date
from moderation.services import review_decide
from moderation.states import TRANSITIONS, Status, Verb
from organizations.admin_base import may, page, signed_in
from organizations.errors import ServiceError

BUTTONS = {"approve": Verb.APPROVE, "reject": Verb.REJECT, "request_changes": Verb.REQUEST_CHANGES}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A decision that was not made from the inbox: what on, why, and the reason that had been typed."""

    pick: str
    title: str
    url: str
    error: ServiceError
    verb: str
    typed_reason: str


def inbox_view(request: HttpRequest) -> HttpResponse:
    """Show what waits for a review, most demanded first."""
    return _show(request)


@require_POST
def decide_view(request: HttpRequest) -> HttpResponse:
    """Decide on one thing as its row showed it, and go on to the next."""
    picks = picks_read([request.POST.get("pick", "")])
    items = picked_items(picks)
    verb = BUTTONS.get(request.POST.get("do", ""))
    if not items or verb is None:
        raise Http404
    [pick], [item] = picks, items.values()
    reason = request.POST.get("reason", "")
    try:
        decision = _decide(request, pick, item, verb, reason)
    except ServiceError as error:
        refusal = Refusal(str(pick.pk), item.card.title, item.url, error, verb.value, reason)
        return _show(request, refusal)
    done = DECIDED[Verb(decision.verb)] % {"version": decision.version}
    messages.success(request, f"{item.card.title} — {done}")
    query = urlencode({**Narrowing.of(request).wanted, "at": request.POST.get("after", "")[:36]})
    return HttpResponseRedirect(f"{reverse('admin:inbox')}?{query}")


def _show(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    narrowing = Narrowing.of(request)
    items = inbox(MANY, narrowing.wanted)
    shown = items[: MANY - 1]
    rows = rows_of(request, shown)
    context: dict[str, Any] = {
        "title": _("To review"),
        "rows": rows,
        "items": shown,
        "has_more": len(items) == MANY,
        "out_of_date": out_of_date(wanted=narrowing.wanted),
        "narrowing": narrowing,
        "may_decide": any(row.may_decide for row in rows),
        "at": refusal.pick if refusal else _at(request, rows),
        "refusal": refusal,
    }
    return page(request, "admin/moderation/inbox.html", context, status=refusal.error.status if refusal else 200)


def _at(request: HttpRequest, rows: Sequence[Row]) -> str:
    """Return the row that gets the focus: the one that the address names, else the first, else none."""
    asked = request.GET.get("at", "")
    there = [str(row.pick.pk) for row in rows]
    return asked if not asked or asked in there else (there or [""])[0]


@dataclass(frozen=True, slots=True)
class Ready:
    """What one press will decide on: exactly this version, which the page shows whole."""

    pick: Pick
    item: InboxItem
    marks: list[Mark] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was picked and cannot be decided on together with the rest, and why."""

    item: InboxItem
    why: str


def selected_view(request: HttpRequest) -> HttpResponse:
    """Show what was selected, whole, and ask; with ``confirmed``, decide on exactly what was shown, one by one."""
    picks = picks_read(request.POST.getlist("pick"))
    verb = BUTTONS.get(request.POST.get("do", ""))
    items = picked_items(picks)
    if not items or verb is None:
        if request.method == "POST":
            messages.info(request, _("Nothing was selected."))
        return HttpResponseRedirect(reverse("admin:inbox") + Narrowing.of(request).query)
    if "confirmed" not in request.POST:
        return _confirm(request, verb, picks, items)
    if TRANSITIONS[verb].needs_reason and not request.POST.get("reason", "").strip():
        return _confirm(request, verb, picks, items, wrong=_("Say why: the reason helps whoever made it."))
    return _decide_each(request, verb, picks, items)


def _confirm(
    request: HttpRequest, verb: Verb, picks: Sequence[Pick], items: dict[Any, InboxItem], wrong: str = ""
) -> HttpResponse:
    marks = marks_of(list(items.values()))
    makers = makers_of([item.subject for item in items.values()])
    ready: list[Ready] = []
    left_out: list[LeftOut] = []
    for pick in picks:
        item = items.get(pick.pk)
        if item is None:
            continue
        why = _why_not(request, verb, pick, item, makers[pick.pk])
        if why:
            left_out.append(LeftOut(item, why))
        else:
            ready.append(Ready(pick, item, marks.get(pick.pk, [])))
    context = {
        "title": _asked(verb, len(ready)),
        "verb": verb,
        "ready": ready,
        "left_out": left_out,
        "needs_reason": TRANSITIONS[verb].needs_reason,
        "wrong": wrong,
        "query": Narrowing.of(request).query,
    }
    return page(request, "admin/moderation/selected.html", context, status=422 if wrong else 200)


def _why_not(request: HttpRequest, verb: Verb, pick: Pick, item: InboxItem, makers: set[int]) -> str:
    subject = item.subject
    if subject.status != Status.PENDING_REVIEW:
        return _("It was already decided: it is now “%(status)s”.") % {"status": subject.get_status_display()}
    if subject.digest != pick.digest:
        return _("It changed since you selected it: open it to see the new version.")
    if verb != Verb.APPROVE:
        able = may(request, TRANSITIONS[verb].role, subject.organization_id)
        return "" if able else _("Only reviewers decide. Ask an administrator of your organization.")
    if why := hindrance(request, subject, makers):
        return why
    return next((finding.refusal for finding in findings(subject) if finding.faults), "")


def _asked(verb: Verb, count: int) -> str:
    """Return what the page asks, in words."""
    if not count:
        return _("Nothing of it can be decided on now")
    words = {
        Verb.APPROVE: ngettext("Approve one thing?", "Approve %(n)d things?", count),
        Verb.REJECT: ngettext("Reject one thing?", "Reject %(n)d things?", count),
        Verb.REQUEST_CHANGES: ngettext("Ask for changes to one thing?", "Ask for changes to %(n)d things?", count),
    }
    return words[verb] % {"n": count}


def _decide_each(request: HttpRequest, verb: Verb, picks: Sequence[Pick], items: dict[Any, InboxItem]) -> HttpResponse:
    """Each through the one service, in a transaction of its own: what was refused is named, the rest is done."""
    done: list[Decision] = []
    for pick in picks:
        item = items.get(pick.pk)
        if item is None:
            continue
        try:
            done.append(_decide(request, pick, item, verb, request.POST.get("reason", "")))
        except ServiceError as error:
            refused = _("Not decided: %(title)s — %(why)s") % {"title": item.card.title, "why": error.detail}
            messages.warning(request, refused)
    for made in {decision.verb: None for decision in done}:
        count = sum(decision.verb == made for decision in done)
        messages.success(request, _told(Verb(made), count) % {"n": count})
    return HttpResponseRedirect(reverse("admin:inbox") + Narrowing.of(request).query)


def _told(verb: Verb, count: int) -> str:
    words = {
        Verb.APPROVE: ngettext("One thing was approved.", "%(n)d things were approved.", count),
        Verb.AGREE: ngettext(
            "One thing has your approval, and takes one more.",
            "%(n)d things have your approval, and take one more each.",
            count,
        ),
        Verb.REJECT: ngettext("One thing was rejected.", "%(n)d things were rejected.", count),
        Verb.REQUEST_CHANGES: ngettext("One thing was sent back.", "%(n)d things were sent back.", count),
    }
    return words[verb]


def _decide(request: HttpRequest, pick: Pick, item: InboxItem, verb: Verb, reason: str) -> Decision:
    return review_decide(
        model=pick.kind.model,
        subject_id=pick.pk,
        organization=item.subject.organization,
        actor=signed_in(request),
        verb=verb,
        seen_digest=pick.digest,
        reason=reason,
    )
