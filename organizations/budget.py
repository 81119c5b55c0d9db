"""The monthly token budget: set aside before each call of a paid model, settled after it; and what calls cost."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from organizations.models import Organization, TokenHold, TokenUse

# Longer than any call lasts: a page is learnt in up to eight.
HOLD_LASTS = timedelta(minutes=20)
_MILLION = Decimal(1_000_000)
_SMALLEST_COST = Decimal("0.000001")


@transaction.atomic
def tokens_hold(*, organization: Organization, most: int) -> TokenHold | None:
    """Set ``most`` tokens of this month's budget aside for a call, or return None when it has not so many left.

    What is set aside for calls under way counts as used: however many ask at once, the budget is never passed.
    """
    now = timezone.now()
    TokenUse.objects.get_or_create(organization=organization, month=_this_month())
    # One row for all calls of the month: whoever holds its lock sees every other hold.
    use = TokenUse.objects.select_for_update().get(organization=organization, month=_this_month())
    TokenHold.objects.filter(use=use, expires_at__lte=now).delete()
    held = TokenHold.objects.filter(use=use).aggregate(sum=Sum("tokens"))["sum"] or 0
    if use.prompt_tokens + use.completion_tokens + held + most > organization.monthly_token_budget:
        return None
    return TokenHold.objects.create(organization=organization, use=use, tokens=most, expires_at=now + HOLD_LASTS)


@transaction.atomic
def tokens_settle(*, hold: TokenHold, prompt_tokens: int, completion_tokens: int) -> None:
    """Count what a call used, and free what was set aside for it. Settling twice counts once."""
    deleted, _by_model = TokenHold.objects.filter(pk=hold.pk).delete()
    if deleted:
        TokenUse.objects.filter(pk=hold.use_id).update(
            prompt_tokens=F("prompt_tokens") + prompt_tokens,
            completion_tokens=F("completion_tokens") + completion_tokens,
        )


def tokens_cost(organization: Organization, *, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
    """Return what tokens cost at the organization's prices, or None where it named none."""
    prices = (organization.llm_prompt_price, organization.llm_completion_price)
    if prices == (None, None):
        return None
    counts = (prompt_tokens, completion_tokens)
    cost = sum(
        (Decimal(count) * (price or 0) / _MILLION for count, price in zip(counts, prices, strict=True)), Decimal()
    )
    return cost.quantize(_SMALLEST_COST)


def _this_month() -> date:
    return timezone.localdate().replace(day=1)
