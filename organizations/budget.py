"""The monthly token budget: counted after each call of a paid model, checked before the next."""

from __future__ import annotations

from datetime import date

from django.db.models import F
from django.utils import timezone

from organizations.models import Organization, TokenUse


def tokens_record(*, organization: Organization, prompt_tokens: int, completion_tokens: int) -> None:
    """Add to this month's count; simultaneous calls add up."""
    if not prompt_tokens and not completion_tokens:
        return
    row, _created = TokenUse.objects.get_or_create(organization=organization, month=_this_month())
    TokenUse.objects.filter(pk=row.pk).update(
        prompt_tokens=F("prompt_tokens") + prompt_tokens,
        completion_tokens=F("completion_tokens") + completion_tokens,
    )


def budget_is_spent(organization: Organization) -> bool:
    """Whether this month's tokens have reached the organization's budget."""
    row = TokenUse.objects.filter(organization=organization, month=_this_month()).first()
    return row is not None and row.prompt_tokens + row.completion_tokens >= organization.monthly_token_budget


def _this_month() -> date:
    return timezone.localdate().replace(day=1)
