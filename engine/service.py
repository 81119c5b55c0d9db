"""The engine's front door: learn a page, answer a question, rank and plan. Other rooms call these functions."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from engine.compact import compact_page_text
from engine.errors import EngineError
from engine.local.planning import draft_plan
from engine.local.planning import rank_intents as _rank
from engine.local.provider import LocalProvider
from engine.masking import mask
from engine.ports import LanguageProvider
from engine.types import (
    AnswerDraft,
    ElementContext,
    EngineConfig,
    Intent,
    Locale,
    Page,
    Plan,
    RankedIntent,
    Scan,
    SkillProposal,
)

__all__ = [
    "EngineError",
    "answer_question",
    "compact_page_text",
    "plan_intents",
    "propose_skill",
    "provider_for",
    "rank_intents",
    "suggest_goals",
    "warm_up",
]

QUESTION_LENGTH = 500


def warm_up() -> None:
    """Read the lexicon and fill the caches now (about half a second): the first question does not wait for it."""
    element = ElementContext(tag="button", label="Enregistrer")
    page = Page("", "", "/", "fr", (Intent("save", "Enregistrer", "button", "", "click", element),))
    plan_intents("Comment enregistrer ?", page)


def provider_for(config: EngineConfig) -> LanguageProvider:
    """Give the provider that the configuration names. An `openai` one without a model is the local one."""
    if config.provider == "openai" and config.model:
        # Imported here: the client takes half a second that a purely local process need not spend.
        from engine.remote.provider import RemoteProvider

        return RemoteProvider(config)
    return LocalProvider()


def propose_skill(scan: Scan, *, locale: Locale, config: EngineConfig) -> SkillProposal:
    """Name what users can do on a scanned page, in `locale`.

    Every selector comes from the scan. When the configured provider fails, the local one answers and `fell_back` holds
    the error's code; this function raises nothing.
    """
    try:
        proposal = provider_for(config).propose_skill(scan, locale=locale)
    except EngineError as error:
        return replace(LocalProvider().propose_skill(scan, locale=locale), fell_back=error.code)
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
    avoid: Sequence[Sequence[str]] = (),
) -> AnswerDraft:
    """Answer a question in the asker's `locale` with steps on the page's intents, or with none when nothing fits.

    The question is masked before it goes anywhere. No plan in `avoid` comes back. When the configured provider fails,
    the local one answers and `fell_back` holds the error's code; this function raises nothing.
    """
    asked = _plain(question)
    local = LocalProvider()
    if not asked or not page.intents:
        return AnswerDraft("", (), "local", "", "")
    try:
        return provider_for(config).answer(asked, page, locale=locale, page_title=mask(page_title), avoid=avoid)
    except EngineError as error:
        answer = local.answer(asked, page, locale=locale, page_title=page_title, avoid=avoid)
        return replace(answer, fell_back=error.code)


def rank_intents(question: str, page: Page) -> list[RankedIntent]:
    """Order all intents of the page by how well they fit the question, best first. Deterministic, without a network."""
    return _rank(_plain(question), page)


def plan_intents(question: str, page: Page) -> Plan:
    """Plan the goal of a question locally: the key under which published tours for the same goal are found.

    No intents and confidence 0 when nothing on the page fits.
    """
    return draft_plan(_plain(question), page).plan


def suggest_goals(question: str, page: Page, limit: int = 3) -> list[str]:
    """Offer goals of the page that a user may have meant, nearest first, then the page's main ones."""
    ranked = rank_intents(question, page)
    near = [
        entry.intent
        for entry in ranked
        if entry.score > 0 and entry.intent.action_type != "navigate" and not entry.intent.element.closed
    ]
    main = sorted(page.intents, key=_prominence)
    goals = dict.fromkeys(intent.user_goal for intent in (*near, *main))
    return list(goals)[:limit]


def _prominence(intent: Intent) -> tuple[bool, bool, bool, bool, int]:
    element = intent.element
    return (
        intent.action_type == "navigate",
        # What stands under no heading and in no form is on every page: signing out, the menu.
        not (element.heading or element.form),
        element.closed or bool(element.row),
        intent.action_type != "submit" and not element.required,
        element.position,
    )


def _plain(question: str) -> str:
    text = "".join(" " if unicodedata.category(char) in ("Cc", "Cs") else char for char in question)
    return mask(" ".join(text.split()))[:QUESTION_LENGTH]
