"""The page where an organization says how the widget looks on its pages, and where it stands."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from organizations.admin.forms import ServiceForm
from organizations.admin_base import page, signed_in
from organizations.contrast import colour_clean
from organizations.errors import ServiceError
from organizations.models import LONGEST_WIDGET_LABEL, LONGEST_WIDGET_SHIFT, Organization
from organizations.widget import WidgetSettings, widget_settings, widget_update


class PathsField(forms.CharField):
    """Paths of pages, one a line."""

    widget = forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "placeholder": "/pay/**", "class": "mono"})

    def clean(self, value: Any) -> Any:
        return tuple(line.strip() for line in (super().clean(value) or "").splitlines() if line.strip())


def _pixels(label: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, widget=forms.NumberInput(attrs={"min": 0, "max": LONGEST_WIDGET_SHIFT, "step": 1})
    )


class WidgetForm(ServiceForm):
    """What was chosen; the service judges it."""

    accent = forms.CharField(
        label=_("Colour"),
        max_length=20,
        help_text=_("In hexadecimal, such as #4f46e5. White text stands on it: too light a colour is refused."),
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off", "class": "mono"}),
    )
    label = forms.CharField(
        label=_("Word on the button"),
        required=False,
        max_length=200,
        help_text=_("Such as “Help”. Without one the button shows its icon alone."),
        widget=forms.TextInput(attrs={"maxlength": LONGEST_WIDGET_LABEL}),
    )
    side = forms.ChoiceField(label=_("Side"), choices=Organization.Side.choices, widget=forms.RadioSelect)
    offset_x = _pixels(_("Pixels from that side"))
    offset_y = _pixels(_("Pixels from the bottom"))
    hidden_on = PathsField(
        label=_("Pages without it"),
        required=False,
        help_text=_(
            "One path a line. * stands for one part, ** at the end for all that follows: /orders/*/print, /pay/**."
        ),
    )
    events_percent = forms.IntegerField(
        label=_("Visits that report what happens in tours, in percent"),
        widget=forms.NumberInput(attrs={"min": 0, "max": 100, "step": 1}),
        help_text=_("Fewer on a site with a great many visitors. Ratings are always reported."),
    )

    def settings(self) -> WidgetSettings:
        """Return what was chosen, for the service."""
        return WidgetSettings(**self.cleaned_data)


def widget_page(request: HttpRequest, organization: Organization, opts: Any, back: str) -> HttpResponse:
    """Show or save how the widget looks; ``back`` is the address of the settings."""
    current = widget_settings(organization)
    initial = {**asdict(current), "hidden_on": "\n".join(current.hidden_on)}
    form = WidgetForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            widget_update(organization=organization, actor=signed_in(request), settings=form.settings())
        except ServiceError as error:
            form.show(error)
        else:
            messages.success(request, gettext("The widget was saved. Pages show it within five minutes."))
            return HttpResponseRedirect(request.path)
    context = {
        "title": gettext("Widget"),
        "organization": organization,
        "form": form,
        # As it would look: what was chosen where it can be drawn, what is kept otherwise.
        "colour": colour_clean(str(form["accent"].value() or "")) or current.accent,
        "on_left": form["side"].value() == Organization.Side.LEFT,
        "word": str(form["label"].value() or "")[:LONGEST_WIDGET_LABEL],
        "opts": opts,
        "back": back,
    }
    template = "admin/organizations/organization/widget.html"
    return page(request, template, context, status=422 if form.errors else 200)
