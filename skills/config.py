"""Which language engine an organization uses right now."""

from __future__ import annotations

from django.conf import settings

from engine.types import EngineConfig, Locale
from organizations.budget import budget_is_spent
from organizations.models import Organization


def engine_config(organization: Organization) -> EngineConfig:
    """Return the organization's provider, or the local one once this month's token budget is spent."""
    if organization.llm_provider == Organization.Provider.LOCAL or budget_is_spent(organization):
        return EngineConfig(provider="local")
    return EngineConfig(
        provider="openai",
        base_url=organization.llm_base_url,
        api_key=organization.llm_api_key,
        model=organization.llm_model,
        timeout_s=settings.ENGINE_TIMEOUT_S,
    )


def engine_locale(code: str) -> Locale:
    """Return a stored language as the engine's type; the database holds no other value than these two."""
    return "en" if code == "en" else "fr"
