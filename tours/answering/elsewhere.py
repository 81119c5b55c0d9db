"""When nothing on the page that is open answers: another page of the organization that does, and the way to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from engine.guardrails import asks_for_secret, clean_words
from engine.service import plan_intents
from engine.types import Intent, Plan
from skills.models import PageSkill
from skills.routes import is_one_page, matches
from skills.search import intents_elsewhere
from skills.selectors import engine_page, skills_for_path
from tours.answering.reusing import known_for_words
from tours.answering.words import normalize
from tours.models import Question, Tour, TourVersion
from tours.selectors import granted_for_goal, published_for_goal
from tours.steps import Step, target_of

# A page that nobody has open must be surer that it is meant than the one that is.
SURE_ELSEWHERE = 0.6
_NAME_LENGTH, _LABEL_LENGTH = 40, 120
_HREF = re.compile(r"""\[href=(["'])(/(?!/)[^"'\\]*)\1\]""")


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A page that answers a question asked on another, and what is to be done there."""

    skill: PageSkill
    goal: Plan


@dataclass(frozen=True, slots=True)
class Way:
    """How a guide gets to its page: by its address alone, or by a first step on the page that is open."""

    first: tuple[Step, ...] = ()


def found_elsewhere(question: Question, asked: PageSkill) -> Elsewhere | None:
    """Return the page of the organization that surely answers a question which the page that is open does not.

    The search proposes pages, and the plan that each of them makes for the question decides: the surest one counts.
    """
    open_pages = [asked, *skills_for_path(question.route)]
    proposed = intents_elsewhere(organization=question.organization, question=question.text, besides=open_pages)
    found = [Elsewhere(skill, plan_intents(question.text, engine_page(skill))) for skill in proposed]
    sure = [one for one in found if one.goal.confidence >= SURE_ELSEWHERE and _is_of_that_page(one)]
    return max(sure, key=lambda one: one.goal.confidence, default=None)


def known_answer(question: Question, elsewhere: Elsewhere) -> TourVersion | None:
    """Return what that page has for the goal already: a published tour, else one that this end user was given."""
    skill, goal = elsewhere.skill, elsewhere.goal
    known = known_for_words(question, [skill])
    if known is not None:
        return known.version
    live = published_for_goal(skill, question.locale, goal)
    if live is not None and live.published_version is not None:
        return live.published_version
    return granted_for_goal(question.end_user, skill, question.locale, goal)


def way_to(skill: PageSkill, asked: PageSkill | None) -> Way | None:
    """Return how to get from the page that is open to a page-skill's, or None when nobody knows.

    The address of a page whose pattern names exactly one is enough. To one of many (``/orders/*``) only a link on
    the page that is open leads.
    """
    if is_one_page(skill.route_pattern):
        return Way()
    link = None if asked is None else _link_to(skill, asked)
    if link is None:
        return None
    page = _quotable(skill.name, _NAME_LENGTH)
    label = _quotable(link.element.label or link.user_goal, _LABEL_LENGTH)
    title = _("Open “%(page)s”") % {"page": page} if page else _("Open this page")
    text = (
        _("Click “%(label)s”: the rest is on the page that opens.") % {"label": label}
        if label
        else _("Click here: the rest is on the page that opens.")
    )
    return Way((Step(title=title, text=text, placement="bottom", **target_of(link)),))


def said_elsewhere(tour: Tour, version: TourVersion, *, is_begun: bool) -> str:
    """Return where the answer is, in the current language; when no guide begins, what to do about it too."""
    page, what = _quotable(tour.place, _LABEL_LENGTH), version.title
    where = what if normalize(page) in ("", normalize(what)) else f"{page} → {what}"
    if is_begun:
        return _("It is on %(where)s.") % {"where": where}
    return _("It is on %(where)s. Open that page, then ask me again.") % {"where": where}


def _quotable(text: str, limit: int) -> str:
    """Return a page's own words as they may stand in ours; nothing when they ask the reader for a secret."""
    words = clean_words(text, limit)
    return "" if asks_for_secret(words) else words


def _is_of_that_page(found: Elsewhere) -> bool:
    """What stands in a menu is no reason to go to the page that has the menu."""
    intents = {intent.intent_id: intent for intent in engine_page(found.skill).intents}
    return any(intents[one].element.landmark != "navigation" for one in found.goal.intent_ids)


def _link_to(skill: PageSkill, asked: PageSkill) -> Intent | None:
    """Return a link of the open page that leads to a page-skill's: by its address, else by the page's very name."""
    links = [intent for intent in engine_page(asked).intents if intent.action_type == "navigate"]
    by_address = (link for link in links if _leads_to(skill.route_pattern, link))
    by_name = (link for link in links if normalize(link.element.label) == normalize(skill.name) != "")
    return next(by_address, None) or next(by_name, None)


def _leads_to(pattern: str, link: Intent) -> bool:
    addresses = (_HREF.search(selector) for selector in (link.selector, link.fallback_selector))
    return any(matches(pattern, urlsplit(address[2]).path) for address in addresses if address)
