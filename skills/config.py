"""Which language engine an organization uses right now, and whether it can afford the next call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.conf import settings

from engine.service import is_remote, most_tokens
from engine.types import EngineConfig, Locale, Usage
from organizations.budget import tokens_hold, tokens_settle
from organizations.models import Organization, TokenHold

# What a question or a page records when the local engine did the work because this month's tokens are spent.
BUDGET_SPENT = "budget_spent"


def engine_config(organization: Organization) -> EngineConfig:
    """Return the organization's provider."""
    if organization.llm_provider == Organization.Provider.LOCAL:
        return EngineConfig(provider="local")
    return EngineConfig(
        provider="openai",
        base_url=organization.llm_base_url,
        api_key=organization.llm_api_key,
        model=organization.llm_model,
        timeout_s=settings.ENGINE_TIMEOUT_S,
        account=str(organization.pk),
    )


@dataclass(frozen=True, slots=True)
class Afforded:
    """What may be asked: the configuration to use, and what was set aside for it. ``refused`` says why it is local."""

    config: EngineConfig
    hold: TokenHold | None = None
    refused: str = ""

    def settle(self, usage: Usage) -> None:
        """Count what the call used."""
        if self.hold is not None:
            tokens_settle(hold=self.hold, prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)


def engine_afforded(organization: Organization, config: EngineConfig, purpose: Literal["answer", "learn"]) -> Afforded:
    """Set tokens aside for a call, or give the local engine when this month's budget has not enough left."""
    if not is_remote(config):
        return Afforded(config)
    hold = tokens_hold(organization=organization, most=most_tokens(purpose))
    if hold is None:
        return Afforded(EngineConfig(provider="local"), refused=BUDGET_SPENT)
    return Afforded(config, hold)


def engine_locale(code: str) -> Locale:
    """Return a stored language as the engine's type; the database holds no other value than these two."""
    return "en" if code == "en" else "fr"
