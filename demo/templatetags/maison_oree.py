"""Amounts, moments, badges, addresses, languages and Circuy's script tag, for the back-office's templates."""

from __future__ import annotations

import hashlib
import hmac
from decimal import Decimal
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.template.context import RequestContext
from django.utils.text import slugify
from django.utils.translation import get_language

from demo import formats
from demo.languages import LANGUAGES

register = template.Library()
for write in (formats.euros, formats.day, formats.moment, formats.weekday, formats.full_moment):
    register.filter(write.__name__, write)


@register.filter
def number(value: Decimal) -> str:
    """A quantity or a percentage, without useless zeros."""
    return formats.number(Decimal(value))


@register.filter
def badge_class(status: str) -> str:
    """`En préparation` → `badge badge--en-preparation`."""
    return f"badge badge--{slugify(status)}"


@register.simple_tag(takes_context=True)
def page_address(context: RequestContext, page: int) -> str:
    """The address of another page of the same list, its filters kept."""
    assert context.request is not None  # noqa: S101 (these templates are always rendered for a request)
    query = context.request.GET.copy()
    query["page"] = str(page)
    return f"?{query.urlencode()}"


@register.inclusion_tag("maison_oree/language_switch.html", takes_context=True)
def language_switch(context: RequestContext) -> dict[str, Any]:
    """A button a language, which shows the same page in it."""
    assert context.request is not None  # noqa: S101 (as above)
    return {"languages": LANGUAGES.items(), "current": get_language(), "next": context.request.get_full_path()}


@register.inclusion_tag("maison_oree/field.html")
def field(bound: BoundField, extra_class: str = "") -> dict[str, Any]:
    """A label, its control and its errors."""
    return {"field": bound, "extra_class": extra_class}


@register.inclusion_tag("maison_oree/circuy_script.html", takes_context=True)
def circuy_script(context: RequestContext) -> dict[str, Any]:
    """Circuy's script tag as its documentation gives it; nothing as long as no key is configured."""
    config: dict[str, str] = getattr(settings, "MAISON_OREE_CIRCUY", {})
    employee = getattr(context.request, "employee", None)
    user_id = employee.username if employee else ""
    secret = config.get("identity_secret", "")
    return {
        "script_url": config.get("script_url", ""),
        "publishable_key": config.get("publishable_key", ""),
        "language": get_language(),
        "user_id": user_id if secret else "",
        "user_hash": identity_hash(user_id, secret) if user_id and secret else "",
    }


def identity_hash(user_id: str, secret: str) -> str:
    """HMAC-SHA256 of the user's id under the identity secret, in hexadecimal: proves to Circuy who is signed in."""
    return hmac.new(secret.encode(), user_id.encode(), hashlib.sha256).hexdigest()
