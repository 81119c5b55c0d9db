"""Reads of tours: what a page has published, and what one end user may see."""

from __future__ import annotations

import uuid

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from engine.types import Plan, Rejected
from moderation.models import Decision
from moderation.states import Status, Verb
from organizations.errors import not_found
from organizations.models import EndUser
from skills.models import PageSkill
from skills.routes import matches
from skills.selectors import skills_for_path
from tours.models import LIVE_STATUSES, Question, Tour, TourVersion
from tours.steps import MAX_DEMONSTRATED, MAX_STEPS, Step, picked_steps

# The statuses in which the asker still gets the version made for them.
GRANTABLE = (Status.DRAFT, Status.PENDING_REVIEW, Status.CHANGES_REQUESTED)


def live_tours() -> QuerySet[Tour]:
    """Return the tours whose published version everybody in the current organization gets."""
    return Tour.objects.filter(status__in=LIVE_STATUSES, published_version__isnull=False).select_related(
        "published_version"
    )


def published_for_path(path: str) -> list[Tour]:
    """Return the live tours of the learnt pages that a path belongs to, and the demonstrations that go through it, most
    asked first."""
    skills = skills_for_path(path)
    here = live_tours().filter(Q(page_skill__in=skills) | Q(origin=Tour.Origin.DEMONSTRATION))
    return [
        tour
        for tour in here.order_by("-asked_count", "title")
        if not tour.is_demonstration or any(matches(route.partition("#")[0], path) for route in tour.routes)
    ]


def published_for_words(skill: PageSkill, locale: str, normalized: str) -> Tour | None:
    """Return the live tour of a page that answered these very words before."""
    if not normalized:
        return None
    answered = live_tours().filter(page_skill=skill, locale=locale, questions__normalized=normalized)
    return answered.order_by("-asked_count").first()


def published_for_goal(skill: PageSkill, locale: str, goal: Plan) -> Tour | None:
    """Return the live tour of a page that was made for this goal."""
    if not goal.intent_ids:
        return None
    same = live_tours().filter(
        page_skill=skill, locale=locale, intent_ids=list(goal.intent_ids), choices=list(goal.choices)
    )
    return same.order_by("-asked_count").first()


def granted_for_words(end_user: EndUser, skill: PageSkill, locale: str, normalized: str) -> TourVersion | None:
    """Return the unpublished version of a page's tour that this end user was given for these very words."""
    if not normalized:
        return None
    same = {"tour__questions__normalized": normalized, "tour__questions__end_user": end_user}
    return _granted(end_user, skill, locale).filter(**same).order_by("-id").first()


def granted_for_goal(end_user: EndUser, skill: PageSkill, locale: str, goal: Plan) -> TourVersion | None:
    """Return the unpublished version of a page's tour that this end user was given for this goal."""
    if not goal.intent_ids:
        return None
    same = {"tour__intent_ids": list(goal.intent_ids), "tour__choices": list(goal.choices)}
    return _granted(end_user, skill, locale).filter(**same).order_by("-id").first()


def _granted(end_user: EndUser, skill: PageSkill, locale: str) -> QuerySet[TourVersion]:
    return TourVersion.objects.filter(
        grants__end_user=end_user, tour__page_skill=skill, tour__locale=locale, tour__status__in=GRANTABLE
    ).select_related("tour")


def published_elsewhere(question: Question) -> Tour | None:
    """Return the live tour of another page that answered these very words on this page before."""
    if not question.normalized:
        return None
    answered = live_tours().filter(
        locale=question.locale,
        questions__normalized=question.normalized,
        questions__page_skill=question.page_skill_id,
    )
    return answered.exclude(page_skill=question.page_skill_id).order_by("-asked_count").first()


def granted_elsewhere(question: Question) -> TourVersion | None:
    """Return the unpublished version of another page's tour that its asker got for these words on this page before."""
    if not question.normalized:
        return None
    granted = TourVersion.objects.filter(
        grants__end_user=question.end_user_id,
        tour__locale=question.locale,
        tour__status__in=GRANTABLE,
        tour__questions__end_user=question.end_user_id,
        tour__questions__normalized=question.normalized,
        tour__questions__page_skill=question.page_skill_id,
    ).exclude(tour__page_skill=question.page_skill_id)
    return granted.select_related("tour").order_by("-id").first()


def rejected_goals(skill: PageSkill, normalized: str) -> list[Rejected]:
    """Return the goals of tours that reviewers rejected on this page for these words, the last one first, and why."""
    last = Decision.objects.filter(subject_id=OuterRef("pk"), verb=Verb.REJECT).order_by("-created_at")
    rejected = (
        Tour.objects.filter(page_skill=skill, status=Status.REJECTED, questions__normalized=normalized)
        .annotate(reason=Subquery(last.values("reason")[:1]))
        .order_by("-id")
        .distinct()
    )
    return [Rejected(tuple(ids), reason or "") for ids, reason in rejected.values_list("intent_ids", "reason")]


def version_visible_to(tour_id: uuid.UUID, end_user: EndUser | None) -> TourVersion:
    """Return the version of a tour that an end user may run: the published one, else one granted to them.

    Raises ``ServiceError`` (``not_found``, 404): whoever may not see it cannot tell that it exists.
    """
    tour = Tour.objects.select_related("published_version", "page_skill").filter(pk=tour_id).first()
    visible = None
    if tour is not None and tour.status in LIVE_STATUSES:
        visible = tour.published_version
    if tour is not None and visible is None and end_user is not None and tour.status in GRANTABLE:
        visible = TourVersion.objects.filter(tour=tour, grants__end_user=end_user).order_by("-number").first()
    if tour is not None and visible is not None:
        visible.tour = tour
        return visible
    raise not_found(_("There is no such tour."))


def most_steps(tour: Tour) -> int:
    """Return how many steps a tour may have."""
    return MAX_DEMONSTRATED if tour.is_demonstration else MAX_STEPS


def picked_in(tour: Tour) -> dict[str, Step]:
    """Return, by ``picked_key``, the steps of any version of a tour whose element somebody picked on the page."""
    versions = TourVersion.objects.filter(tour=tour).order_by("number").values_list("steps", flat=True)
    return picked_steps(versions)


def leading(question: Question) -> QuerySet[Question]:
    """Return the other waiting question whose answer will be this one's too: same page, language and words."""
    return _same_words(question).filter(leads=True).exclude(pk=question.pk)


def led_by(question: Question) -> QuerySet[Question]:
    """Return the waiting questions that get this one's answer."""
    return _same_words(question).filter(leads=False) if question.leads else Question.objects.none()


def _same_words(question: Question) -> QuerySet[Question]:
    if not question.normalized or question.page_skill_id is None:
        return Question.objects.none()
    return Question.objects.filter(
        outcome=Question.Outcome.WAITING,
        page_skill_id=question.page_skill_id,
        locale=question.locale,
        normalized=question.normalized,
    )


def question_of(question_id: uuid.UUID, end_user: EndUser | None) -> Question:
    """Return a question to the person who asked it, or raise ``ServiceError`` (``not_found``, 404)."""
    question = (
        Question.objects.select_related("tour", "tour_version", "page_skill")
        .filter(pk=question_id, end_user=end_user)
        .first()
        if end_user is not None
        else None
    )
    if question is None:
        raise not_found(_("There is no such question."))
    return question
