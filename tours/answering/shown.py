"""Demonstrations as answers: tasks that a member showed, found by what they are called, on any page.

They are about no learnt page, so no plan of a page finds them: a question is compared with their titles.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.indexing import index_space
from engine.local.text import content_words
from skills.routes import is_one_page, matches
from skills.selectors import skills_for_path
from tours.answering.words import normalize
from tours.insight.likeness import Meaning, meaning_of, nearness_of
from tours.models import Question, Tour, TourVersion
from tours.selectors import live_tours

# Titles that a question is compared with; beyond these, the least asked for are found by their own words alone.
MOST_COMPARED = 200
# Cosine from which a question asks for a task: with the same verb and another object, or the same object and another
# verb, it lies below. Where both name the same particular deed (to refund), less is enough.
SAME_TASK = 0.73
SAME_DEED = 0.45
# Deeds that are done to anything say nothing of the task.
_ANY_DEED = frozenset(
    {"create", "delete", "print", "download", "send", "confirm", "export", "import", "buy", "comment", "invite"}
)


def shown_for_words(question: Question) -> Tour | None:
    """Return the live demonstration of this title, or that answered these very words before."""
    if not question.normalized:
        return None
    these_words = Question.objects.filter(tour=OuterRef("pk"), normalized=question.normalized)
    tours = _live(question.locale).annotate(answered=Exists(these_words)).order_by("-answered", "-asked_count")
    for tour in tours[:MOST_COMPARED]:
        if tour.answered or normalize(tour.title) == question.normalized:
            return tour
    return None


def shown_for_goal(question: Question) -> Tour | None:
    """Return the live demonstration that a question surely asks for in other words, the likeliest of them."""
    tours = list(_live(question.locale).order_by("-asked_count")[:MOST_COMPARED])
    if not tours:
        return None
    asked = meaning_of(question.text)
    scored = [(_likeness(asked, tour.title), tour) for tour in tours]
    sure, best = max(scored, key=lambda one: one[0])
    return best if sure > 0 else None


def has_shown(locale: str) -> bool:
    """Whether the current organization has a live demonstration in a language: then any page may have an answer."""
    return _live(locale).exists()


def shown_elsewhere(question: Question, tour: Tour, version: TourVersion) -> dict[str, Any]:
    """Return what is different about a demonstration that begins on another page than the one asked on.

    Its guide goes there when the route names one page; to one of many nobody knows the way, and it will be there for
    who opens that page and asks.
    """
    if matches(tour.first_route.partition("#")[0], question.route):
        return {}
    with override(question.locale):
        names = {"page": _page_name(tour.first_route, version.steps[0].get("page", "")), "task": version.title}
        if is_one_page(tour.first_route):
            return {"message": _("“%(task)s” begins on %(page)s.") % names}
        message = _("“%(task)s” begins on a page like %(page)s. Open one, then ask me again.") % names
    return {"tour_id": None, "title": "", "steps": [], "message": message}


def _live(locale: str) -> QuerySet[Tour]:
    return live_tours().filter(origin=Tour.Origin.DEMONSTRATION, locale=locale)


def _likeness(asked: Meaning, called: str) -> float:
    """Return how surely a question asks for the task of a title; 0 when it is not sure."""
    title = _meaning_of_title(called, index_space())
    # A title of one noun (« Commandes ») is in every question about such a thing.
    says_what_to_do = bool(title.actions) or len(content_words(called)) > 1
    if says_what_to_do and title.stems <= asked.stems:
        return 1.0
    near = nearness_of(asked, title)
    same_deed = asked.actions & title.actions - _ANY_DEED
    return near if near >= (SAME_DEED if same_deed else SAME_TASK) else 0.0


@lru_cache(maxsize=2_000)
def _meaning_of_title(title: str, _space: str) -> Meaning:
    """Titles are read once in a process, and again when another model reads or is trained anew."""
    return meaning_of(title)


def _page_name(route: str, title: str) -> str:
    """Return what people call a page: its learnt name, else the title that it had, else its address."""
    path = route.partition("#")[0]
    known = skills_for_path(path) if is_one_page(path) else []
    name = known[0].name if known else title
    return _("“%(name)s”") % {"name": name} if name else route
