"""The form in which a reference question is written by hand."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from moderation.states import Status
from organizations.admin_base import organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.models import Role
from skills.models import PageSkill
from tours.evaluation.references import LONGEST_TEXT, MOST_STEPS, reference_add

STEPS_SHOWN = 2


def add_view(request: HttpRequest) -> HttpResponse:
    """Ask for the page, then for the question and its right answer."""
    require(request, Role.REVIEWER)
    pages = list(
        PageSkill.objects.filter(status=Status.PUBLISHED, organization__in=organizations_where(request, Role.REVIEWER))
        .select_related("organization")
        .order_by("name", "route_pattern")
    )
    wanted = request.POST.get("page") or request.GET.get("page", "")
    skill = _chosen(pages, wanted)
    if skill is None and wanted:
        raise Http404
    if skill is None and len(pages) == 1:
        skill = pages[0]
    if skill is None or request.method != "POST":
        return _show(request, pages, skill)
    return _save(request, pages, skill)


def _chosen(pages: list[PageSkill], wanted: str) -> PageSkill | None:
    try:
        pk = uuid.UUID(wanted)
    except ValueError:
        return None
    return next((skill for skill in pages if skill.pk == pk), None)


def _save(request: HttpRequest, pages: list[PageSkill], skill: PageSkill) -> HttpResponse:
    text = request.POST.get("text", "")[: 2 * LONGEST_TEXT]
    typed = [value[:300] for value in request.POST.getlist("step")[:MOST_STEPS]]
    chosen = [value for value in typed if value]
    absent = "absent" in request.POST
    shown: dict[str, Any] = {"text": text, "steps": typed, "absent": absent}
    if request.POST.get("do") == "more":
        return _show(request, pages, skill, **{**shown, "steps": [*typed, ""]})
    if absent == bool(chosen):
        wrong = _("choose what answers it, or say that nothing does") if not chosen else _("one or the other")
        return _show(request, pages, skill, **shown, errors={"intent_ids": wrong}, status=422)
    try:
        reference_add(skill=skill, actor=signed_in(request), text=text, intent_ids=chosen)
    except ServiceError as error:
        return _show(request, pages, skill, **shown, errors=error.fields or {"": error.detail}, status=error.status)
    messages.success(request, _("Kept as a reference question."))
    if request.POST.get("do") == "another":
        return HttpResponseRedirect(f"{reverse('admin:evaluation_add')}?page={skill.pk}")
    return HttpResponseRedirect(reverse("admin:evaluation_page", args=[skill.pk]))


def _show(
    request: HttpRequest,
    pages: list[PageSkill],
    skill: PageSkill | None,
    *,
    text: str = "",
    steps: list[str] | None = None,
    absent: bool = False,
    errors: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    typed = list(steps or [])
    typed += [""] * (STEPS_SHOWN - len(typed))
    context = {
        "title": _("Add a reference question"),
        "pages": pages,
        "skill": skill,
        "text": text,
        "steps": typed,
        "may_add_step": len(typed) < MOST_STEPS,
        "absent": absent,
        "errors": errors or {},
        "longest": LONGEST_TEXT,
    }
    return page(request, "admin/evaluation/add.html", context, status=status)
