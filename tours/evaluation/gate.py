"""Before a page is published again: does it still answer what it answers today?

The page's reference questions are asked of the new version and of the live one, offline. Those that were answered
right and are not any more refuse the approval, until a reviewer who saw them says to publish anyway.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.types import EngineConfig
from moderation.checks import Fault, Finding, register_check
from organizations.valkey import attempt, valkey
from skills.models import PageSkill
from skills.selectors import engine_page, live_version, versions_locked
from tours.evaluation.judging import Verdict, judge_surely
from tours.evaluation.selectors import goals_text, references_of
from tours.models import EvaluationResult, ReferenceQuestion

CODE = "evaluation_regressed"
# A reviewer looks at the page, then decides: the same questions need not be asked twice.
REMEMBERED_S = 900
_LOCAL = EngineConfig(provider="local")
Outcome = EvaluationResult.Outcome
Verdicts = Mapping[str, Verdict]


def register() -> None:
    """Add the check at start-up."""
    register_check(PageSkill, references_still_answered)


def references_still_answered(subject: PageSkill, *, deciding: bool) -> Finding | None:
    """Return how the page's reference questions do on this version and on the live one; None without any.

    When deciding, what takes time happens before the page's versions are locked, unless the live one changed
    meanwhile.
    """
    references = references_of(subject)
    if not references:
        return None
    asked = _Asked(references)
    versions = PageSkill.objects.filter(organization=subject.organization_id, route_pattern=subject.route_pattern)
    now = asked.of(subject)
    live = live_version(versions, subject)
    before = asked.of(live) if live else None
    if deciding:
        live = live_version(versions_locked(subject), subject)
        before = asked.of(live) if live else None
    return _finding(subject, references, now, before)


class _Asked:
    """The answers of versions of a page to its reference questions, each version asked once."""

    def __init__(self, references: Sequence[ReferenceQuestion]) -> None:
        self._references = references
        self._known: dict[tuple[Any, str], Verdicts] = {}

    def of(self, skill: PageSkill) -> Verdicts:
        key = (skill.pk, skill.digest)
        if key not in self._known:
            self._known[key] = _remembered(skill, self._references) or _ask(skill, self._references)
        return self._known[key]


def _ask(skill: PageSkill, references: Sequence[ReferenceQuestion]) -> Verdicts:
    page = engine_page(skill)
    verdicts = {str(reference.pk): judge_surely(reference, page, _LOCAL) for reference in references}
    kept = {pk: [verdict.outcome, verdict.answer_ids] for pk, verdict in verdicts.items()}
    attempt(
        "answers are not remembered",
        lambda: valkey().set(_key(skill, references), orjson.dumps(kept), ex=REMEMBERED_S),
    )
    return verdicts


def _remembered(skill: PageSkill, references: Sequence[ReferenceQuestion]) -> Verdicts | None:
    kept: Any = attempt("answers are not remembered", lambda: valkey().get(_key(skill, references)))
    if not kept:
        return None
    return {pk: Verdict(Outcome(row[0]), answer_ids=tuple(row[1])) for pk, row in orjson.loads(kept).items()}


def _key(skill: PageSkill, references: Iterable[ReferenceQuestion]) -> str:
    """Neither a version's content nor a reference question ever changes under the same name."""
    questions = _digest(str(reference.pk) for reference in references)
    return f"circuy:references:{skill.pk}:{skill.digest}:{questions}"


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _finding(
    subject: PageSkill, references: Sequence[ReferenceQuestion], now: Verdicts, before: Verdicts | None
) -> Finding:
    right, total = _right(now), len(references)
    figures = {"right": right, "total": total, "before": _right(before or {})}
    if before is None:
        summary = ngettext(
            "%(right)d of %(total)d reference question found",
            "%(right)d of %(total)d reference questions found",
            total,
        )
    else:
        summary = ngettext(
            "%(right)d/%(total)d reference question found (%(before)d/%(total)d today)",
            "%(right)d/%(total)d reference questions found (%(before)d/%(total)d today)",
            total,
        )
    lost = [one for one in references if before is not None and _is_lost(now[str(one.pk)], before[str(one.pk)])]
    goals = {intent["intent_id"]: intent["user_goal"] for intent in subject.actions_json["intents"]}
    quoted = ", ".join(_("“%(question)s”") % {"question": one.text} for one in lost)
    return Finding(
        code=CODE,
        heading=_("Reference questions"),
        summary=summary % figures,
        token=_digest([CODE, *sorted(f"{one.pk}:{now[str(one.pk)].outcome}" for one in lost)]) if lost else "",
        refusal=ngettext(
            "One reference question is answered right today and would not be any more.",
            "%(n)d reference questions are answered right today and would not be any more.",
            len(lost),
        )
        % {"n": len(lost)},
        despite_label=ngettext(
            "Publish anyway: I accept that this question is no longer answered right",
            "Publish anyway: I accept that these questions are no longer answered right",
            len(lost),
        ),
        note=_("Published although these are no longer answered right: %(questions)s") % {"questions": quoted},
        url=reverse("admin:evaluation_page", args=[subject.pk]),
        faults=[Fault(one.text, _instead(now[str(one.pk)], goals)) for one in lost],
    )


def _right(verdicts: Verdicts) -> int:
    return sum(verdict.outcome == Outcome.RIGHT for verdict in verdicts.values())


def _is_lost(now: Verdict, before: Verdict) -> bool:
    return before.outcome == Outcome.RIGHT and now.outcome != Outcome.RIGHT


def _instead(verdict: Verdict, goals: dict[str, str]) -> str:
    """Return what becomes of a question on the new version."""
    if verdict.outcome == Outcome.GONE:
        return _("the element is no longer on the page")
    if not verdict.answer_ids:
        return _("no answer")
    return _("answered with: %(goals)s") % {"goals": goals_text(verdict.answer_ids, goals)}
