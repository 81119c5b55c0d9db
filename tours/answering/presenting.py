"""An answer in the shape that the SDK reads."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.service import suggest_goals
from skills.models import PageSkill
from skills.routes import matches
from skills.selectors import engine_page, skills_for_path
from tours.answering.elsewhere import said_elsewhere, way_to
from tours.answering.shown import shown_elsewhere
from tours.models import LIVE_STATUSES, Question, Tour, TourVersion
from tours.selectors import GRANTABLE
from tours.steps import shepherd_steps

SOURCES = {Question.Outcome.PUBLISHED: "published", Question.Outcome.HISTORY: "history"}
RUNNABLE = {*GRANTABLE, *LIVE_STATUSES}
STATUS_EPHEMERAL, STATUS_PUBLISHED = "ephemeral", "published"


def question_answer_payload(question: Question) -> dict[str, Any] | None:
    """Return the body of a 200 for a question, or None while it waits for its answer.

    An answer whose tour was refused or withdrawn meanwhile is none.
    """
    if question.outcome == Question.Outcome.WAITING:
        return None
    if question.tour is None or question.tour_version is None or question.tour.status not in RUNNABLE:
        return {"question_id": question.pk, **_nothing(question)}
    source = SOURCES.get(Question.Outcome(question.outcome)) or ("local" if question.provider == "local" else "llm")
    body = tour_payload(question.tour, question.tour_version, source=source, published=source == STATUS_PUBLISHED)
    if question.tour.is_demonstration:
        body |= shown_elsewhere(question, question.tour, question.tour_version)
    elif (skill := _other_page(question, question.tour)) is not None:
        body |= _elsewhere(question, question.tour, question.tour_version, skill)
    return {"question_id": question.pk, **body}


def _elsewhere(question: Question, tour: Tour, version: TourVersion, skill: PageSkill) -> dict[str, Any]:
    """Return what is different about an answer that is on another page: it says where, and its guide goes there.

    No guide begins whose way nobody knows: it will be there for who opens that page and asks.
    """
    with override(question.locale):
        way = way_to(skill, question.page_skill)
        message = said_elsewhere(tour, version, is_begun=way is not None)
    if way is None:
        return {"tour_id": None, "title": "", "steps": [], "message": message}
    here = question.page_skill.route_pattern if question.page_skill is not None else ""
    steps = shepherd_steps(version.steps, tour.locale, skill.route_pattern, before=way.first, before_route=here)
    return {"steps": steps, "message": message}


def _other_page(question: Question, tour: Tour) -> PageSkill | None:
    """Return a tour's page when that is not the page asked on: it may have been learnt anew since."""
    if tour.page_skill_id == question.page_skill_id or tour.page_skill is None:
        return None
    return None if matches(tour.page_skill.route_pattern, question.route) else tour.page_skill


def tour_payload(tour: Tour, version: TourVersion, *, source: str, published: bool, route: str = "") -> dict[str, Any]:
    """Return a tour as the SDK runs it. ``route`` is its page's, for a reader who may be on another one."""
    return {
        "tour_id": tour.pk,
        "status": STATUS_PUBLISHED if published else STATUS_EPHEMERAL,
        "source": source,
        "title": version.title,
        "locale": tour.locale,
        "steps": shepherd_steps(version.steps, tour.locale, route),
        "suggestions": [],
    }


def _nothing(question: Question) -> dict[str, Any]:
    skill = question.page_skill
    with override(question.locale):
        if question.outcome == Question.Outcome.FAILED:
            message = _("Sorry, this question could not be answered. Ask it again in a moment.")
        else:
            message = _("Sorry, I couldn't find the matching element on this page.")
    source = "local" if question.provider in ("", "local") else "llm"
    return {
        "tour_id": None,
        "status": STATUS_EPHEMERAL,
        "source": source,
        "title": "",
        "steps": [],
        "message": message,
        "suggestions": suggest_goals(question.text, engine_page(skill)) if skill is not None else [],
    }


def goals_of_path(path: str, locale: str) -> list[str]:
    """Return what people may want to do on the learnt page that a path belongs to, its main goals first.

    Nothing where the page was learnt in another language: nobody asks in a language they do not read.
    """
    pages = [engine_page(skill) for skill in skills_for_path(path)[:1]]
    return [goal for page in pages if page.locale == locale for goal in suggest_goals("", page)]


def question_url(question_id: uuid.UUID) -> str:
    """Return where an answer that takes longer will be."""
    return f"/v1/ai/questions/{question_id}"
