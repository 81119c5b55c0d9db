"""What an integrator pastes into the host application."""

from __future__ import annotations

from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from organizations.keys import publishable_value
from organizations.models import SdkKey


def script_tag(key: SdkKey) -> SafeString:
    """Return the script tag that puts the widget of a publishable key on a page."""
    return format_html(
        '<script src="{}{}" data-key="{}" data-locale="{}" async></script>',
        settings.PUBLIC_URL.rstrip("/"),
        static("circuy/circuy.js"),
        publishable_value(key),
        key.organization.locale,
    )


def origin_for_pages(keys: list[SdkKey]) -> str:
    """Return an address under which the host application is open, or an empty string when no key names one."""
    return next((origin for key in keys for origin in key.allowed_origins), "")
