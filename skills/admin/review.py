"""The page on which a learnt page is reviewed."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from moderation.admin_review import ReviewPage
from moderation.states import EDITABLE, Status
from organizations.admin_base import signed_in
from skills.admin.draft import SkillDraft
from skills.changes import changes_between
from skills.models import PageSkill
from skills.services import skill_edit

ACTION_LABELS = {
    "click": _("Click"),
    "input": _("Type in"),
    "select": _("Choose in a list"),
    "check": _("Tick"),
    "submit": _("Submit the form"),
    "navigate": _("Go to another page"),
}


class PageSkillReview(ReviewPage[PageSkill, SkillDraft]):
    model = PageSkill
    template = "admin/skills/pageskill/review.html"
    related = ("scan", "scan__recorded_by")

    def draft_of(self, subject: PageSkill) -> SkillDraft:
        return SkillDraft.of(subject)

    def draft_from(self, request: HttpRequest, subject: PageSkill) -> SkillDraft:
        return SkillDraft.read(request.POST, subject)

    def save(self, request: HttpRequest, subject: PageSkill, draft: SkillDraft) -> tuple[PageSkill, bool]:
        before = (subject.pk, subject.digest)
        saved = skill_edit(
            skill=subject,
            actor=signed_in(request),
            seen_digest=draft.seen_digest,
            name=draft.name,
            route_pattern=draft.route_pattern,
            summary=draft.summary,
            intents=draft.contents(),
        )
        return saved, (saved.pk, saved.digest) != before

    def context(self, request: HttpRequest, subject: PageSkill, draft: SkillDraft) -> dict[str, Any]:  # noqa: ARG002
        others = PageSkill.objects.filter(organization=subject.organization_id, route_pattern=subject.route_pattern)
        live = others.filter(status=Status.PUBLISHED).exclude(pk=subject.pk).first()
        return {
            "skill": subject,
            "action_labels": ACTION_LABELS,
            "versions": others.order_by("-version", "-id"),
            "live": live,
            "changes": changes_between(live, subject) if live and subject.status in EDITABLE else None,
            "spec_json": json.dumps(subject.actions_json, ensure_ascii=False, indent=2),
        }
