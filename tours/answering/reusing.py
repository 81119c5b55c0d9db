"""Answers that exist already: a published tour, else one that the same end user was given before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.service import plan_intents
from skills.models import PageSkill
from skills.selectors import engine_page
from tours.answering.shown import shown_for_goal, shown_for_words
from tours.models import Question, Tour, TourVersion
from tours.selectors import (
    granted_elsewhere,
    granted_for_goal,
    granted_for_words,
    published_elsewhere,
    published_for_goal,
    published_for_words,
)


@dataclass(frozen=True, slots=True)
class Known:
    """A version that answers a question asked on the page ``asked`` (None: one that was never learnt), and why its
    asker may see it."""

    asked: PageSkill | None
    tour: Tour
    version: TourVersion
    outcome: Question.Outcome


def known_for_words(question: Question, skills: Sequence[PageSkill]) -> Known | None:
    """Return what answered these very words on one of the open pages before, the most specific page first; else what
    a member showed under this name."""
    for skill in skills:
        live = published_for_words(skill, question.locale, question.normalized)
        if live is not None and live.published_version is not None:
            return Known(skill, live, live.published_version, Question.Outcome.PUBLISHED)
        given = granted_for_words(question.end_user, skill, question.locale, question.normalized)
        if given is not None:
            return Known(skill, given.tour, given, Question.Outcome.HISTORY)
    return _shown(shown_for_words(question), skills)


def known_for_goal(question: Question, skills: Sequence[PageSkill]) -> Known | None:
    """Return what answers the goal that a question has on one of the open pages, the most specific page first; else a
    task that a member showed.

    Where it has none of these, what answered these words here before by way of another page. (It was found then that
    nothing here answers, but a page learnt again, or the organization's words for things, may have changed that.)
    """
    is_answered_here = False
    for skill in skills:
        goal = plan_intents(question.text, engine_page(skill))
        live = published_for_goal(skill, question.locale, goal)
        if live is not None and live.published_version is not None:
            return Known(skill, live, live.published_version, Question.Outcome.PUBLISHED)
        given = granted_for_goal(question.end_user, skill, question.locale, goal)
        if given is not None:
            return Known(skill, given.tour, given, Question.Outcome.HISTORY)
        is_answered_here = is_answered_here or bool(goal.intent_ids)
    shown = _shown(shown_for_goal(question), skills)
    if shown is not None or is_answered_here or not skills:
        return shown
    live = published_elsewhere(question)
    if live is not None and live.published_version is not None:
        return Known(skills[0], live, live.published_version, Question.Outcome.PUBLISHED)
    given = granted_elsewhere(question)
    return None if given is None else Known(skills[0], given.tour, given, Question.Outcome.HISTORY)


def _shown(tour: Tour | None, skills: Sequence[PageSkill]) -> Known | None:
    if tour is None or tour.published_version is None:
        return None
    return Known(next(iter(skills), None), tour, tour.published_version, Question.Outcome.PUBLISHED)
