"""The tour that an answer leaves: one for a goal, granted to those who asked, and announced to reviewers."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F

from engine.types import Plan
from moderation.services import review_submit
from moderation.states import Status
from skills.models import PageSkill
from tours.models import Question, Tour, TourGrant, TourVersion
from tours.selectors import published_for_goal, published_for_words
from tours.services import version_add
from tours.steps import Step, steps_digest


class PageReplacedError(Exception):
    """The page was learnt again while the engine worked: the answer points at what may be gone."""


def tour_give(answered: Sequence[Question], skill: PageSkill, *, title: str, steps: list[Step], goal: Plan) -> None:
    """Give everybody who asked the tour: the published one for the goal, or the one just made, to them alone.

    Runs in the transaction that ends their questions. Raises ``PageReplacedError`` when the page-skill is not the
    published one any more.
    """
    question = answered[0]
    # One lock for a page: two workers that answer the same question at once must not each make the tour, and the
    # page must not be replaced before its tours have moved. (No key is touched: new questions need not wait.)
    locked = PageSkill.objects.select_for_update(no_key=True).filter(pk=skill.pk, status=Status.PUBLISHED)
    if locked.first() is None:
        raise PageReplacedError
    live = published_for_words(skill, question.locale, question.normalized) or published_for_goal(
        skill, question.locale, goal
    )
    if live is not None and live.published_version is not None:
        _note(answered, live.published_version, outcome=Question.Outcome.PUBLISHED)
        return
    version, is_new = _version_for(question, skill, title, steps, goal)
    _grant(answered, version)
    _note(answered, version, outcome=Question.Outcome.GENERATED)
    # Announced last: the message speaks of the question, which is only now joined to its tour.
    if is_new:
        review_submit(subject=version.tour, actor=None)


def known_give(answered: Sequence[Question], version: TourVersion, *, outcome: Question.Outcome) -> None:
    """Give everybody who asked a version that is there: a published one, or one that the first of them has already."""
    if outcome == Question.Outcome.HISTORY:
        _grant(answered, version)
    _note(answered, version, outcome=outcome)


def _grant(answered: Sequence[Question], version: TourVersion) -> None:
    grants = [TourGrant(organization=one.organization, tour_version=version, end_user=one.end_user) for one in answered]
    TourGrant.objects.bulk_create(grants, ignore_conflicts=True)


def _note(answered: Sequence[Question], version: TourVersion, *, outcome: Question.Outcome) -> None:
    those = Question.objects.filter(pk__in=[one.pk for one in answered])
    those.update(tour=version.tour_id, tour_version=version, outcome=outcome)
    Tour.objects.filter(pk=version.tour_id).update(asked_count=F("asked_count") + len(answered))


def _version_for(
    question: Question, skill: PageSkill, title: str, steps: Sequence[Step], goal: Plan
) -> tuple[TourVersion, bool]:
    """Return the version to grant, and whether its tour is new.

    A second asker with the same goal does not fill the inbox with a twin: the tour under review counts one
    more demand. What the asker sees is still what was made for them, kept as a version beside the
    reviewers' current one.
    """
    waiting_one = (
        Tour.objects.filter(
            page_skill=skill,
            locale=question.locale,
            intent_ids=list(goal.intent_ids),
            choices=list(goal.choices),
            status__in=(Status.PENDING_REVIEW, Status.CHANGES_REQUESTED),
            published_version=None,
        )
        .order_by("id")
        .first()
    )
    if waiting_one is not None:
        same = TourVersion.objects.filter(tour=waiting_one, digest=steps_digest(title, steps)).first()
        return same or version_add(tour=waiting_one, title=title, steps=steps, author=None), False
    tour = Tour.objects.create(
        organization=question.organization,
        title=title,
        page_skill=skill,
        locale=question.locale,
        intent_ids=list(goal.intent_ids),
        choices=list(goal.choices),
        digest=steps_digest(title, steps),
    )
    version = version_add(tour=tour, title=title, steps=steps, author=None)
    tour.current_version = version
    tour.save(update_fields=["current_version"])
    return version, True
