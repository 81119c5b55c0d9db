"""How the widget looks and where it stands on an organization's pages, and how much it reports from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from organizations.contrast import READABLE, WHITE, colour_clean, contrast, readable_on_white
from organizations.errors import ServiceError
from organizations.models import (
    LONGEST_WIDGET_LABEL,
    LONGEST_WIDGET_ROUTE,
    LONGEST_WIDGET_SHIFT,
    Organization,
    Role,
    User,
)
from organizations.permissions import require_role

MOST_ROUTES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetSettings:
    """What an administrator chooses: a colour, a corner and its distances in CSS pixels, a word beside the icon, pages
    without the widget, and the share of visits (in percent) that report what happens in tours."""

    accent: str
    side: str
    offset_x: int
    offset_y: int
    label: str
    hidden_on: Sequence[str]
    events_percent: int


def widget_settings(organization: Organization) -> WidgetSettings:
    """Return the organization's choices."""
    return WidgetSettings(
        accent=organization.widget_accent,
        side=organization.widget_side,
        offset_x=organization.widget_offset_x,
        offset_y=organization.widget_offset_y,
        label=organization.widget_label,
        hidden_on=tuple(organization.widget_hidden_on),
        events_percent=organization.widget_events_percent,
    )


@transaction.atomic
def widget_update(*, organization: Organization, actor: User, settings: WidgetSettings) -> Organization:
    """Save the widget's settings; pages have them within five minutes.

    Raises ``ServiceError``: ``invalid_widget`` (422) naming the fields, ``forbidden``/``not_found``.
    """
    require_role(actor, organization, Role.ADMIN)
    wrong = widget_wrong(settings)
    if wrong:
        raise ServiceError("invalid_widget", _("The widget cannot be shown like this."), status=422, fields=wrong)
    cleaned = {
        **asdict(settings),
        "accent": colour_clean(settings.accent),
        "label": settings.label.strip(),
        "hidden_on": list(dict.fromkeys(route.strip() for route in settings.hidden_on)),
    }
    for name, value in cleaned.items():
        setattr(organization, f"widget_{name}", value)
    organization.save(update_fields=[f"widget_{name}" for name in cleaned])
    return organization


def widget_wrong(settings: WidgetSettings) -> dict[str, str]:
    """Return what is wrong with each field, in words for the person who chose it."""
    wrong = {"accent": _accent_wrong(settings.accent), "hidden_on": _routes_wrong(settings.hidden_on)}
    if settings.side not in Organization.Side.values:
        wrong["side"] = _("left or right is expected")
    for name in ("offset_x", "offset_y"):
        if not 0 <= getattr(settings, name) <= LONGEST_WIDGET_SHIFT:
            wrong[name] = _("between 0 and %(max)d pixels") % {"max": LONGEST_WIDGET_SHIFT}
    if len(settings.label.strip()) > LONGEST_WIDGET_LABEL:
        wrong["label"] = _("at most %(max)d characters fit on the button") % {"max": LONGEST_WIDGET_LABEL}
    if not 0 <= settings.events_percent <= 100:
        wrong["events_percent"] = _("between 0 and 100")
    return {name: text for name, text in wrong.items() if text}


def _accent_wrong(accent: str) -> str:
    colour = colour_clean(accent)
    if colour is None:
        return _("a colour in hexadecimal is expected, such as #4f46e5")
    ratio = contrast(colour, WHITE)
    if ratio >= READABLE:
        return ""
    return _(
        "white text on %(colour)s would be hard to read (contrast %(ratio).1f, at least %(needed).1f is needed). "
        "In the same tone, %(darker)s can be read"
    ) % {"colour": colour, "ratio": ratio, "needed": READABLE, "darker": readable_on_white(colour)}


def _routes_wrong(routes: Sequence[str]) -> str:
    if len(routes) > MOST_ROUTES:
        return _("at most %(max)d pages are possible: let one line stand for several, as in /shop/**") % {
            "max": MOST_ROUTES
        }
    for route in (route.strip() for route in routes):
        if not route.startswith("/"):
            return _("“%(route)s” does not begin with /: write what stands after the site's name, such as /pay") % {
                "route": route[:LONGEST_WIDGET_ROUTE]
            }
        if len(route) > LONGEST_WIDGET_ROUTE:
            return _("at most %(max)d characters are accepted in a line") % {"max": LONGEST_WIDGET_ROUTE}
        if "?" in route or "#" in route:
            return _("“%(route)s”: only the path counts, leave out what follows ? or #") % {"route": route}
        *before, last = route.split("/")
        if any("*" in part and part != "*" for part in before) or ("*" in last and last not in ("*", "**")):
            return _("“%(route)s”: a * stands for one whole part between two /, and ** only at the end") % {
                "route": route
            }
    return ""
