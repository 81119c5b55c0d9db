"""Writes of reference questions: kept from a reviewed tour, from a question without an answer, or written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from engine.language import question_locale
from engine.masking import mask
from moderation.states import Status
from organizations.errors import ServiceError
from organizations.masks import mask_rules
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from skills.config import engine_locale
from skills.models import PageSkill
from tours.answering.words import normalize
from tours.evaluation.selectors import Wording, wordings_of
from tours.models import Question, ReferenceQuestion, Tour
from tours.steps import Step

LONGEST_TEXT = 300
MOST_STEPS = 12
# All questions of a page are asked while somebody waits for an approval: this many take a second or two.
MOST_OF_A_PAGE = 200
ALREADY_KEPT = "already_kept"


@dataclass(frozen=True, slots=True)
class Kept:
    """How many wordings became reference questions, and how many were so already, with the same right answer."""

    kept: int
    known: int


def references_offer(tour: Tour) -> Kept | None:
    """Return what keeping a tour's questions would do, or None for a tour that tells no right answer."""
    version = tour.published_version
    intent_ids = answer_of(version.steps) if version is not None else []
    wordings = wordings_of(tour) if intent_ids else []
    if not wordings:
        return None
    of_the_page = ReferenceQuestion.objects.filter(
        organization=tour.organization_id, route_pattern=tour.first_route, intent_ids=intent_ids
    )
    known = set(of_the_page.values_list("locale", "normalized"))
    new = sum((wording.locale, wording.normalized) not in known for wording in wordings)
    return Kept(kept=new, known=len(wordings) - new)


@transaction.atomic
def references_keep_from_tour(*, tour: Tour, actor: User) -> Kept:
    """Keep the wordings in which a published tour was asked for, with its elements as the right answer.

    Words that were kept with another answer get this one: a person has looked at this tour. Raises ``ServiceError``:
    ``not_reviewed`` (409) for a tour that is not published, ``nothing_asked``, ``picked_elements`` (422) or
    ``too_many`` (409), ``forbidden``/``not_found``.
    """
    require_role(actor, tour.organization, Role.REVIEWER)
    version = tour.published_version
    if version is None:
        raise ServiceError("not_reviewed", _("Only a published tour tells the right answer."), status=409)
    wordings = wordings_of(tour)
    if not wordings:
        raise ServiceError("nothing_asked", _("Nobody asked for this tour: there is no question to keep."), status=422)
    intent_ids = answer_of(version.steps)
    if not intent_ids:
        raise ServiceError(
            "picked_elements",
            _("This tour points at elements that the learnt page does not name: they cannot be looked for."),
            status=422,
        )
    pattern = tour.first_route
    fresh = 0
    for wording in wordings:
        known = _known(tour.organization, pattern, wording)
        if known is not None and known.intent_ids == intent_ids:
            continue
        if known is not None:
            known.delete()
        try:
            _create(
                tour.organization,
                pattern,
                wording,
                actor=actor,
                intent_ids=intent_ids,
                origin=ReferenceQuestion.Origin.TOUR,
                tour=tour,
            )
        except ServiceError as error:
            if error.code != ALREADY_KEPT:
                raise
            # Somebody else kept it in this very moment.
            continue
        fresh += 1
    return Kept(kept=fresh, known=len(wordings) - fresh)


@transaction.atomic
def reference_keep_absent(*, question: Question, actor: User) -> ReferenceQuestion:
    """Keep a question that got no answer as one that its page has no answer to.

    Raises ``ServiceError``: ``answered`` (409) for a question that has an answer or waits for one, ``unknown_page``
    (422) for one asked on a page that is not learnt, ``already_kept`` or ``too_many`` (409),
    ``forbidden``/``not_found``.
    """
    require_role(actor, question.organization, Role.REVIEWER)
    if question.outcome == Question.Outcome.UNKNOWN_PAGE or question.page_skill is None:
        raise ServiceError("unknown_page", _("This page is not learnt: nobody can tell what it answers."), status=422)
    if question.outcome not in (Question.Outcome.NOTHING, Question.Outcome.FAILED):
        raise ServiceError("answered", _("This question has an answer."), status=409)
    wording = Wording(question.text, question.normalized, question.locale)
    return _keep_new(
        question.organization,
        question.page_skill.route_pattern,
        wording,
        actor=actor,
        intent_ids=[],
        origin=ReferenceQuestion.Origin.QUESTION,
    )


@transaction.atomic
def reference_add(*, skill: PageSkill, actor: User, text: str, intent_ids: Sequence[str]) -> ReferenceQuestion:
    """Keep a question written by hand about a learnt page; no ``intent_ids`` when nothing on the page answers it.

    Personal data in it is masked. Raises ``ServiceError``: ``invalid_reference`` (422) naming what is wrong,
    ``already_kept`` or ``too_many`` (409), ``forbidden``/``not_found``.
    """
    require_role(actor, skill.organization, Role.REVIEWER)
    clean = mask(" ".join(text.split()), mask_rules(skill.organization))
    wrong: dict[str, str] = {}
    if not normalize(clean):
        wrong["text"] = _("write the question in words")
    elif len(clean) > LONGEST_TEXT:
        wrong["text"] = _("at most %(max)d characters are accepted") % {"max": LONGEST_TEXT}
    known = {intent["intent_id"] for intent in skill.actions_json["intents"]}
    if skill.status != Status.PUBLISHED:
        wrong["page"] = _("this page is not published")
    if not set(intent_ids) <= known:
        wrong["intent_ids"] = _("this element is not on the page")
    elif len(intent_ids) > MOST_STEPS or len(set(intent_ids)) < len(intent_ids):
        wrong["intent_ids"] = _("each element once, and at most %(max)d of them") % {"max": MOST_STEPS}
    if wrong:
        raise ServiceError("invalid_reference", _("This question cannot be kept."), status=422, fields=wrong)
    locale = question_locale(clean, engine_locale(skill.locale))
    wording = Wording(clean, normalize(clean), locale)
    return _keep_new(
        skill.organization,
        skill.route_pattern,
        wording,
        actor=actor,
        intent_ids=list(intent_ids),
        origin=ReferenceQuestion.Origin.HAND,
    )


@transaction.atomic
def reference_delete(*, reference: ReferenceQuestion, actor: User) -> None:
    """Take a reference question out of every measure, past ones included.

    Raises ``ServiceError``: ``forbidden``/``not_found``.
    """
    require_role(actor, reference.organization, Role.REVIEWER)
    reference.delete()


def answer_of(steps: Sequence[Step]) -> list[str]:
    """Return the intents that a tour's steps point at, in order; none when one of them is no element of the page's."""
    if any(step["picked"] for step in steps):
        return []
    return list(dict.fromkeys(step["intent_id"] for step in steps))


def _keep_new(
    organization: Organization,
    pattern: str,
    wording: Wording,
    *,
    actor: User,
    intent_ids: list[str],
    origin: ReferenceQuestion.Origin,
) -> ReferenceQuestion:
    if not wording.normalized:
        raise ServiceError("invalid_reference", _("There is no word in this question."), status=422)
    if _known(organization, pattern, wording) is not None:
        raise _already_kept()
    return _create(organization, pattern, wording, actor=actor, intent_ids=intent_ids, origin=origin)


def _already_kept() -> ServiceError:
    return ServiceError(ALREADY_KEPT, _("This question is kept already: delete it first."), status=409)


def _known(organization: Organization, pattern: str, wording: Wording) -> ReferenceQuestion | None:
    of_the_page = ReferenceQuestion.objects.filter(organization=organization, route_pattern=pattern)
    return of_the_page.filter(locale=wording.locale, normalized=wording.normalized).first()


def _create(
    organization: Organization,
    pattern: str,
    wording: Wording,
    *,
    actor: User,
    intent_ids: list[str],
    origin: ReferenceQuestion.Origin,
    tour: Tour | None = None,
) -> ReferenceQuestion:
    of_the_page = ReferenceQuestion.objects.filter(organization=organization, route_pattern=pattern)
    if of_the_page.count() >= MOST_OF_A_PAGE:
        raise ServiceError(
            "too_many",
            _("A page has at most %(max)d reference questions: delete some first.") % {"max": MOST_OF_A_PAGE},
            status=409,
        )
    try:
        with transaction.atomic():
            return ReferenceQuestion.objects.create(
                organization=organization,
                route_pattern=pattern,
                locale=wording.locale,
                text=wording.text,
                normalized=wording.normalized,
                intent_ids=intent_ids,
                origin=origin,
                tour=tour,
                author=actor,
            )
    except IntegrityError as error:
        raise _already_kept() from error
