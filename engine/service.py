"""The engine's front door: learn a page, answer a question, rank and plan. Other rooms call these functions."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engine.errors import EngineError
from engine.guardrails import unmarked
from engine.hedging import OnStep, in_time
from engine.local.goals import action_of
from engine.local.house import in_known_words
from engine.local.planning import draft_plan
from engine.local.planning import rank_intents as _rank
from engine.local.provider import LocalProvider
from engine.masking import mask
from engine.ports import LanguageProvider
from engine.types import (
    ActionType,
    AnswerDraft,
    ElementContext,
    EngineConfig,
    Intent,
    Locale,
    Page,
    Plan,
    RankedIntent,
    Rejected,
    Scan,
    ScanNode,
    SkillProposal,
    StepDraft,
)

if TYPE_CHECKING:
    from engine.remote.provider import RemoteProvider

__all__ = [
    "EngineError",
    "action_on",
    "answer_question",
    "is_remote",
    "most_tokens",
    "plain_question",
    "plan_intents",
    "propose_skill",
    "provider_for",
    "rank_intents",
    "suggest_goals",
    "warm_up",
]

QUESTION_LENGTH = 500
# Under it a goal has no more to do with a question than any other.
_NEAR = 0.02
# A prompt of twelve goals at their longest and its answer, twice; eight groups of thirty elements.
_MOST_TOKENS = {"answer": 5_000, "learn": 40_000}


def warm_up() -> None:
    """Read the lexicon, the trained space and the model now (about a second): the first question does not wait for it.

    Before a process is forked, so that its children share what was read.
    """
    element = ElementContext(tag="button", label="Enregistrer")
    page = Page("", "", "/", "fr", (Intent("save", "Enregistrer", "button", "", "click", element),))
    plan_intents("Comment enregistrer mon travail avant de partir ?", page)


def provider_for(config: EngineConfig) -> LanguageProvider:
    """Give the provider that the configuration names. An `openai` one without a model is the local one."""
    return _remote(config) if is_remote(config) else LocalProvider()


def is_remote(config: EngineConfig) -> bool:
    """Whether this configuration asks a model, which costs time and tokens."""
    return config.provider == "openai" and bool(config.model)


def most_tokens(purpose: Literal["answer", "learn"]) -> int:
    """What one answer, or one page learnt, uses at most, repairs included: to be set aside before it is asked."""
    return _MOST_TOKENS[purpose]


def propose_skill(scan: Scan, *, locale: Locale, config: EngineConfig) -> SkillProposal:
    """Name what users can do on a scanned page, in `locale`.

    Every selector comes from the scan. When the configured provider fails, the local one answers, `fell_back` holds
    the error's code and `usage` what the failure cost; this function raises nothing.
    """
    if not is_remote(config):
        return LocalProvider().propose_skill(scan, locale=locale)
    remote = _remote(config)
    try:
        proposal = remote.propose_skill(scan, locale=locale)
    except EngineError as error:
        local = LocalProvider().propose_skill(scan, locale=locale)
        return replace(local, fell_back=error.code, usage=remote.meter.total)
    known = {node.selector for node in scan.nodes}
    kept = tuple(intent for intent in proposal.intents if intent.selector in known)
    return replace(proposal, intents=kept, dropped=proposal.dropped + len(proposal.intents) - len(kept))


def answer_question(
    question: str,
    page: Page,
    *,
    locale: Locale,
    config: EngineConfig,
    page_title: str = "",
    avoid: Sequence[Rejected] = (),
    on_step: OnStep | None = None,
) -> AnswerDraft:
    """Answer a question in the asker's `locale` with steps on the page's intents, or with none when nothing fits.

    The question is masked before it goes anywhere. No plan in `avoid` comes back. `on_step` hears each step of a model
    as it is made, already guarded; the answer may differ in the end, and is what counts. When the configured provider
    fails or has shown nothing after 80 % of `config.timeout_s`, the local one answers, `fell_back` holds the error's
    code and `usage` what the failure cost; this function raises nothing.
    """
    asked = _heard(question, page)
    local = LocalProvider()
    if not asked or not page.intents:
        return AnswerDraft("", (), "local", "", "")
    if not is_remote(config):
        return _unmarked(local.answer(asked, page, locale=locale, page_title=page_title, avoid=avoid))
    remote = _remote(config)
    heading = mask(page_title)
    avoid = [replace(one, reason=mask(one.reason)) for one in avoid]

    def ask(told: OnStep) -> AnswerDraft:
        # Read as it is written only where somebody listens: not all servers count tokens in a stream.
        asking = replace(remote, on_step=told if on_step is not None else None)
        return asking.answer(asked, page, locale=locale, page_title=heading, avoid=avoid)

    try:
        return in_time(ask, timeout_s=config.timeout_s, on_step=on_step)
    except EngineError as error:
        answer = _unmarked(local.answer(asked, page, locale=locale, page_title=page_title, avoid=avoid))
        return replace(answer, fell_back=error.code, usage=remote.meter.total)


def action_on(node: ScanNode, *, locale: Locale) -> ActionType:
    """Tell how an element that a scan saw is used."""
    return action_of(node.tag, node.type, node.role, node.label, locale)


def _unmarked(draft: AnswerDraft) -> AnswerDraft:
    """An answer in our own words, without what a page's labels may hold beside words."""
    title = unmarked(StepDraft("", draft.title, "")).title
    return replace(draft, title=title, steps=tuple(map(unmarked, draft.steps)))


def _remote(config: EngineConfig) -> RemoteProvider:
    # Imported here: the client takes half a second that a purely local process need not spend.
    from engine.remote.provider import RemoteProvider

    return RemoteProvider(config)


def rank_intents(question: str, page: Page) -> list[RankedIntent]:
    """Order all intents of the page by how well they fit the question, best first. Deterministic, without a network."""
    return _rank(_heard(question, page), page)


def plan_intents(question: str, page: Page) -> Plan:
    """Plan the goal of a question locally: the key under which published tours for the same goal are found.

    No intents and confidence 0 when nothing on the page fits.
    """
    return draft_plan(_heard(question, page), page).plan


def suggest_goals(question: str, page: Page, limit: int = 3) -> list[str]:
    """Offer goals of the page that a user may have meant, nearest first, then the page's main ones."""
    ranked = rank_intents(question, page)
    near = [
        entry.intent
        for entry in ranked
        if entry.score >= _NEAR and entry.intent.action_type != "navigate" and not entry.intent.element.closed
    ]
    main = sorted(page.intents, key=_prominence)
    goals = dict.fromkeys(intent.user_goal for intent in (*near, *main))
    return list(goals)[:limit]


def _prominence(intent: Intent) -> tuple[bool, bool, bool, bool, bool, int]:
    element = intent.element
    return (
        # What stands around the page is on every page: its menu, the language, signing out.
        element.landmark not in ("", "main"),
        intent.action_type == "navigate",
        not (element.heading or element.form),
        element.closed or bool(element.row),
        intent.action_type != "submit" and not element.required,
        element.position,
    )


def _heard(question: str, page: Page) -> str:
    """A question in the words that its page is understood by, the house's own among them."""
    return in_known_words(plain_question(question), page)[:QUESTION_LENGTH]


def plain_question(question: str) -> str:
    """A question as it is understood: one line, masked, of a bounded length."""
    text = "".join(" " if unicodedata.category(char) in ("Cc", "Cs") else char for char in question)
    return mask(" ".join(text.split()))[:QUESTION_LENGTH]
