"""From a ranking to the ordered steps that reach the goal, or to the honest answer that nothing here does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.local.agreement import FINISHING, commands_of, confidence_of, named_option, object_agreement
from engine.local.evidence import IntentEvidence, PageEvidence, page_evidence
from engine.local.fusion import confidence, deciding_features, fits, scores_of
from engine.local.goals import is_unnamed_button
from engine.local.meaning import Nearness, nearness
from engine.local.question import Question, Unit, read_question, sentences_of
from engine.local.ranking import STRONG, Scored, match, rank
from engine.local.states import wants_ticked
from engine.local.steps import FIELDS, MOST_STEPS, PRESSED, steps_around
from engine.types import Intent, Page, Plan, RankedIntent

ENOUGH = 0.36
SURE_BY_WORDS = 0.5
_PLAIN_UNITS, _PLAIN_WORDS, _PLAIN_SAID = 3, 2, 5
_CANDIDATES = 3
_OPENERS = 3
_WORTH_OPENING = 0.15
_MOST_GOALS = 3
_SURE_OF_PART = 0.5
_UNTICKED = "☐"
_NEARLY = 0.8


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan with its intents in order, for lists the option that the question names, and for boxes whether it wants
    them ticked."""

    intents: tuple[Intent, ...]
    confidence: float
    choices: dict[str, str]
    main: Intent | None
    ticks: dict[str, bool] = field(default_factory=dict)

    @property
    def plan(self) -> Plan:
        # To untick a box is another goal than to tick it.
        chosen = (*self.choices.values(), *(_UNTICKED for ticked in self.ticks.values() if not ticked))
        return Plan(tuple(intent.intent_id for intent in self.intents), self.confidence, tuple(sorted(chosen)))


NOTHING = Draft((), 0.0, {}, None)


class Weighed(NamedTuple):
    """An intent that may stand in the middle of a plan: as the words see it, and how well it fits in all. `place` is
    its number among the page's intents."""

    scored: Scored
    by_words: float
    fit: float
    place: int


@dataclass(frozen=True, slots=True)
class Weighing:
    """All intents of a page for one question, the best first, and the best score; `near` is None where words alone
    decide."""

    ranked: tuple[Weighed, ...]
    near: Nearness | None
    score: float = 0.0

    @property
    def candidates(self) -> Iterator[Weighed]:
        """What may stand in the middle of the plan: the best ranked, and what the words alone would choose."""
        yield from self.ranked[:_CANDIDATES]
        if self.near is not None:
            yield from self.by_words

    @property
    def by_words(self) -> list[Weighed]:
        """The best by words alone."""
        named = (one for one in self.ranked if one.by_words > 0)
        return sorted(named, key=lambda one: (-one.by_words, one.place))[:_CANDIDATES]


def rank_intents(question: str, page: Page) -> list[RankedIntent]:
    """Order all intents of the page by how well they fit; those that share nothing with the question score 0."""
    evidence = page_evidence(page)
    read = read_question(question, evidence.vocabulary)
    ranked = weigh(question, read, page, evidence).ranked
    return [RankedIntent(one.scored.evidence.intent, round(one.fit, 4)) for one in ranked]


def draft_plan(question: str, page: Page, *, avoid: Collection[tuple[str, ...]] = ()) -> Draft:
    """Find the steps for a question, or `NOTHING`. A plan in `avoid` gives way to the next best that holds."""
    evidence = page_evidence(page)
    read = read_question(question, evidence.vocabulary)
    if not read.units:
        return NOTHING
    several = _several_goals(question, page, evidence)
    if several is not None and tuple(intent.intent_id for intent in several.intents) not in avoid:
        return _drafted(several, read, evidence)
    weighing = weigh(question, read, page, evidence)
    least = 0.0
    for main in weighing.candidates:
        if main.fit <= least:
            continue
        sure = sureness(main, steps_around(main.scored, read, evidence), read, weighing, evidence)
        if sure < ENOUGH:
            continue
        meant = (_meant_inside(main, read, weighing) or main).scored
        ordered = with_openers(steps_around(meant, read, evidence), page)[:MOST_STEPS]
        if tuple(intent.intent_id for intent in ordered) in avoid:
            # Refused by a person. What takes its place must be nearly as good: better no answer than another wrong one.
            least = max(least, _NEARLY * main.fit)
            continue
        return _drafted(_Found(ordered, meant.evidence.intent, sure), read, evidence)
    return NOTHING


def _meant_inside(opener: Weighed, read: Question, weighing: Weighing) -> Weighed | None:
    """What a tab or a menu is opened for, where something inside is not much less likely than the way to it."""
    own = opener.scored.evidence
    if weighing.near is None or own.commands & commands_of(read):
        return None
    inside = (
        one
        for one in weighing.ranked
        if one.scored.evidence.intent.element.closed
        and one.scored.evidence.intent.element.opener == own.intent.selector
    )
    best = next(inside, None)
    return best if best is not None and best.fit >= _WORTH_OPENING * opener.fit else None


class _Found(NamedTuple):
    intents: Sequence[Intent]
    main: Intent
    sure: float


def _drafted(found: _Found, read: Question, evidence: PageEvidence) -> Draft:
    choices = {one.intent_id: option for one in found.intents if (option := named_option(one, read, evidence))}
    ticks = {one.intent_id: wanted for one in found.intents if (wanted := wants_ticked(read, one)) is not None}
    heart = _heart(found.intents, found.main, evidence)
    return Draft(tuple(found.intents), round(found.sure, 4), choices, heart, ticks)


def _several_goals(question: str, page: Page, evidence: PageEvidence) -> _Found | None:
    """*Remplir le titre puis valider* is two goals, each found by itself; None when it is one, or when one of them is
    not found for sure."""
    parts = sentences_of(question)
    if not 1 < len(parts) <= _MOST_GOALS:
        return None
    steps: list[Intent] = []
    mains: list[Weighed] = []
    least = 1.0
    for part in parts:
        read = read_question(part, evidence.vocabulary)
        if not read.units:
            return None
        weighing = weigh(part, read, page, evidence)
        if mains and (button := _finishing(read, weighing, mains[-1].scored.evidence.intent)):
            steps = [*(one for one in steps if one != button), button]
            continue
        main = next(iter(weighing.candidates), None)
        around = steps_around(main.scored, read, evidence) if main else []
        sure = sureness(main, around, read, weighing, evidence) if main else 0.0
        if main is None or sure < _SURE_OF_PART:
            return None
        if part != parts[-1] and main.scored.evidence.intent.action_type == "navigate":
            # Nothing can be done here after it.
            return None
        least = min(least, sure)
        mains.append(main)
        steps += [one for one in around if one not in steps]
    if len(steps) < len(parts):
        return None
    ordered = with_openers(steps, page)[:MOST_STEPS]
    return _Found(ordered, mains[0].scored.evidence.intent, least)


def _finishing(read: Question, weighing: Weighing, before: Intent) -> Intent | None:
    """The button that a part of a question means which only ends the work before it: *et valider*."""
    asked = frozenset(concept for unit in read.units for concept in unit.concepts)
    place = before.element.form or before.element.heading
    if not asked & FINISHING or before.action_type not in FIELDS:
        return None
    together = [
        one
        for kind in PRESSED
        for one in weighing.ranked
        if one.scored.evidence.intent.action_type == kind and one.scored.evidence.commands & FINISHING
    ]
    here = [one for one in together if place in (_place_of(one), "")]
    # A page has one *Enregistrer* for all its groups of fields more often than one for each.
    lone = [one for one in together if not _place_of(one)]
    return next((one.scored.evidence.intent for one in (*here, *lone)), None)


def _place_of(one: Weighed) -> str:
    element = one.scored.evidence.intent.element
    return element.form or element.heading


def weigh(question: str, read: Question, page: Page, evidence: PageEvidence) -> Weighing:
    """Rank the page's intents by words, and by meaning too where a model reads the question."""
    by_words = words_of(read, evidence)
    scores = [score for _, score in by_words]
    near = nearness(question, page) if read.units else None
    in_all = None if near is None else scores_of(page, scores, near)
    fit = scores if in_all is None else fits(in_all)
    weighed = [
        Weighed(scored, score, float(one), place)
        for place, ((scored, score), one) in enumerate(zip(by_words, fit, strict=True))
    ]
    ranked = sorted(weighed, key=lambda one: (-one.fit, one.place))
    if near is not None:
        first = next(iter(Weighing(tuple(ranked), near).by_words), None)
        if first is not None and (
            _share_alone(first.scored, read, evidence) >= SURE_BY_WORDS or _is_named(first.scored, read, evidence)
        ):
            # What the page says in so many words needs no guess at what else may be meant.
            ranked = [first._replace(fit=ranked[0].fit), *(one for one in ranked if one.place != first.place)]
    return Weighing(tuple(ranked), near, 0.0 if in_all is None else float(in_all.max()))


def _is_named(main: Scored, read: Question, evidence: PageEvidence) -> bool:
    """Tell whether a question calls an element by its name (*mettre mon chef en Cci*): none other answers to that word,
    and of the rest of the question nothing on the page speaks."""
    own = main.evidence.intent.element
    if own.row or not main.evidence.name_units:
        return False
    named = [
        unit
        for unit in read.units
        if unit.kind in ("thing", "word", "command") and _calls(unit, main.evidence) and not evidence.is_subject(unit)
    ]
    others = [unit for unit in read.units if unit not in named and unit.kind not in ("soft", "vague")]
    return (
        bool(named)
        and all(one is main.evidence or not any(_calls(unit, one) for unit in named) for one in evidence.intents)
        and all(match(unit, one) < STRONG for unit in others for one in evidence.intents if one is not main.evidence)
    )


def _calls(unit: Unit, intent: IntentEvidence) -> bool:
    """Tell whether a unit is the whole name of an intent, in its words or by another name of the same concept."""
    if len(intent.name_units) != 1:
        return False
    concepts, own = intent.name_units[0]
    return bool(unit.concepts & concepts) or all(part & own for part in unit.stems)


def _share_alone(main: Scored, read: Question, evidence: PageEvidence) -> float:
    return share_of(main, steps_around(main, read, evidence), read, evidence)


def sureness(
    main: Weighed, intents: Sequence[Intent], read: Question, weighing: Weighing, evidence: PageEvidence
) -> float:
    """How sure it is, from 0 to 1, that these steps are what the question asks for."""
    if _is_unknown(main.scored.evidence.intent, evidence):
        return 0.0
    share = share_of(main.scored, intents, read, evidence)
    if weighing.near is None or share >= SURE_BY_WORDS or (share >= ENOUGH and _is_plain(read)):
        return share
    if any(_is_foreign(unit, evidence) for unit in read.units):
        return 0.0
    words = [(one.scored, one.by_words) for one in sorted(weighing.ranked, key=lambda one: one.place)]
    meant = confidence(deciding(words, read, weighing.near, evidence, score=weighing.score))
    if share >= ENOUGH and main in weighing.by_words:
        return share
    if _is_plain(read) and any(unit.kind == "command" for unit in read.units):
        return 0.0
    return meant * object_agreement(read, main.scored, evidence)


def _is_unknown(intent: Intent, evidence: PageEvidence) -> bool:
    """Tell whether nobody knows what a button does: it has no word, and opens nothing that has."""
    return is_unnamed_button(intent.element) and not any(
        one.intent.element.opener == intent.selector for one in evidence.intents
    )


def _is_plain(read: Question) -> bool:
    """Tell whether a question is so short and so well known, word for word, that it means what it says: *supprimer une
    ligne*. That it means something else must then be the surer."""
    return (
        len(read.units) <= _PLAIN_UNITS
        and all(unit.kind != "word" and len(unit.text.split()) <= _PLAIN_WORDS for unit in read.units)
        and len(read.said) <= _PLAIN_SAID
    )


def _is_foreign(unit: Unit, evidence: PageEvidence) -> bool:
    """Tell whether a unit is something that business pages do not do, nor this one."""
    return unit.kind == "elsewhere" and all(match(unit, one) < STRONG for one in evidence.intents)


def deciding(
    words: Sequence[tuple[Scored, float]],
    read: Question,
    near: Nearness,
    evidence: PageEvidence,
    *,
    score: float,
) -> tuple[float, ...]:
    """What decides whether a question has its answer on the page, for `engine.local.fusion`."""
    by_words = max(one for _, one in words)
    telling = [unit for unit in read.units if unit.kind in ("thing", "command") and not evidence.is_subject(unit)]
    unmet = sum(all(match(unit, one) < STRONG for one in evidence.intents) for unit in telling)
    intents = [one.intent for one in evidence.intents]
    return deciding_features(intents, near, unmet=unmet, words=by_words, score=score)


def share_of(main: Scored, intents: Sequence[Intent], read: Question, evidence: PageEvidence) -> float:
    """How much of what the question says these steps account for, from 0 to 1."""
    return confidence_of(read, intents, evidence) * object_agreement(read, main, evidence)


def words_of(question: Question, evidence: PageEvidence) -> list[tuple[Scored, float]]:
    """The intents in the page's order with their scores by words: judged by the question's first clause, but knowing
    the rest of it."""
    whole = {s.evidence.intent.intent_id: s for s in rank(question.units, question, evidence)}
    scores = {one: scored.score for one, scored in whole.items()}
    if len(question.clauses) > 1:
        for first in rank(question.clauses[0].units, question, evidence):
            one = first.evidence.intent.intent_id
            scores[one] = (2 * first.score + scores[one]) / 3
    return [(whole[one.intent.intent_id], scores[one.intent.intent_id]) for one in evidence.intents]


def _heart(steps: Sequence[Intent], main: Intent, evidence: PageEvidence) -> Intent:
    """The intent that a plan is named after: of several filters, the button that applies them."""
    fields = [intent for intent in steps if intent.action_type in FIELDS]
    return steps[-1] if len(fields) > 1 and evidence.narrows(steps[-1]) else main


def with_openers(intents: Sequence[Intent], page: Page) -> list[Intent]:
    """Put before each hidden element what reveals it."""
    by_selector = page_evidence(page).by_selector
    ordered: list[Intent] = []
    for intent in intents:
        chain: list[Intent] = []
        shown = intent
        while shown.element.closed and len(chain) < _OPENERS:
            opener = by_selector.get(shown.element.opener)
            if opener is None or opener in chain or opener == intent:
                break
            chain.append(opener)
            shown = opener
        ordered += [one for one in (*reversed(chain), intent) if one not in ordered]
    return ordered
