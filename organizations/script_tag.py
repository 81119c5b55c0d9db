"""What an integrator pastes into the host application."""

from __future__ import annotations

from django.conf import settings
from django.templatetags.static import static

from organizations.keys import publishable_value
from organizations.models import SdkKey


def script_tag(key: SdkKey) -> str:
    """Return the script tag that puts the widget of a publishable key on a page.

    A plain text, which templates escape: it is to be read and copied, not run.
    """
    source = settings.PUBLIC_URL.rstrip("/") + static("circuy/circuy.js")
    value, locale = publishable_value(key), key.organization.locale
    return f'<script src="{source}" data-key="{value}" data-locale="{locale}" async></script>'


def origin_for_pages(keys: list[SdkKey]) -> str:
    """Return an address under which the host application is open, or an empty string when no key names one."""
    return next((origin for key in keys for origin in key.allowed_origins), "")
