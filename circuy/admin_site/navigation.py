"""The rail: where a member can go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from moderation.selectors import MANY, inbox_count
from organizations.admin_base import may
from organizations.models import Role


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the rail."""

    label: Any
    icon: str
    url: str
    count: str
    active: bool


WORK = (
    (_("Home"), "home", "admin:index", Role.VIEWER),
    (_("Overview"), "insight", "admin:insight", Role.VIEWER),
    (_("To review"), "inbox", "admin:inbox", Role.VIEWER),
    (_("Learnt pages"), "pages", "admin:skills_pageskill_changelist", Role.VIEWER),
    (_("Tours"), "tours", "admin:tours_tour_changelist", Role.VIEWER),
    (_("Demonstrations"), "spark", "admin:shadow_observationsession_changelist", Role.VIEWER),
    (_("Competences"), "check", "admin:shadow_competence_changelist", Role.VIEWER),
    (_("Questions"), "questions", "admin:tours_question_changelist", Role.VIEWER),
    (_("Evaluation"), "evaluation", "admin:evaluation", Role.VIEWER),
    (_("Activity"), "activity", "admin:tours_tourevent_changelist", Role.VIEWER),
)
SETTINGS = (
    (_("Organization"), "settings", "admin:organizations_organization_changelist", Role.ADMIN),
    (_("Application keys"), "key", "admin:organizations_sdkkey_changelist", Role.ADMIN),
    (_("Members"), "members", "admin:organizations_membership_changelist", Role.ADMIN),
    (_("End users"), "users", "admin:organizations_enduser_changelist", Role.VIEWER),
    (_("Notifications"), "bell", "admin:channels_index", Role.ADMIN),
    (_("Journal"), "journal", "admin:moderation_decision_changelist", Role.VIEWER),
)


# Addresses outside a list's own that belong to it.
BELONGS = {
    "admin:organizations_membership_changelist": (
        "/admin/organizations/invitation/",
        "/admin/organizations/memberevent/",
    ),
    "admin:skills_pageskill_changelist": ("/admin/learn/",),
    "admin:channels_index": (
        "/admin/moderation/notification/",
        "/admin/moderation/slacklink/",
        "/admin/moderation/webhookendpoint/",
    ),
}


def navigation(request: HttpRequest) -> list[tuple[Any, list[Place]]]:
    """Return the rail's groups for this member, with what waits and where they are."""
    number = inbox_count()
    waiting = f"{number - 1}+" if number == MANY else str(number or "")
    groups: list[tuple[Any, list[Place]]] = []
    for heading, lines in (("", WORK), (_("Settings"), SETTINGS)):
        places = [
            _place(request, label, icon, name, waiting if name == "admin:inbox" else "")
            for label, icon, name, role in lines
            if may(request, role)
        ]
        if places:
            groups.append((heading, places))
    return groups


def _place(request: HttpRequest, label: Any, icon: str, name: str, count: str) -> Place:
    url = reverse(name)
    is_home = name == "admin:index"
    active = request.path == url if is_home else request.path.startswith((url, *BELONGS.get(name, ())))
    return Place(label=label, icon=icon, url=url, count=count, active=active)
