"""The page where an organization writes down the words that its people use for what the pages call otherwise."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from organizations.admin.forms import ServiceForm
from organizations.admin_base import page, signed_in
from organizations.errors import ServiceError
from organizations.lexicon import (
    MOST_WORDS,
    last_lexicon_change,
    lexicon_digest,
    lexicon_replace,
    lexicon_text,
)
from organizations.models import MOST_WORD_GROUPS, Organization


class LexiconForm(ServiceForm):
    """The words as text; what was typed is the service's to judge."""

    words = forms.CharField(
        label=_("Words that mean the same, one goal a line"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 14, "spellcheck": "false", "placeholder": _("avoir, note de crédit = credit note")}
        ),
    )


def lexicon_page(request: HttpRequest, organization: Organization, opts: Any, back: str) -> HttpResponse:
    """Show the words, or save them; ``back`` is the address of the settings."""
    form = LexiconForm(request.POST or None, initial={"words": lexicon_text(organization)})
    if request.method == "POST" and form.is_valid():
        seen, text = request.POST.get("seen", ""), form.cleaned_data["words"]
        try:
            lexicon_replace(organization=organization, actor=signed_in(request), text=text, seen_digest=seen)
        except ServiceError as error:
            form.show(error)
        else:
            messages.success(request, gettext("The words were saved."))
            return HttpResponseRedirect(request.path)
    context = {
        "title": gettext("Own words"),
        "organization": organization,
        "opts": opts,
        "back": back,
        "form": form,
        "seen": request.POST.get("seen", "") if form.is_bound else lexicon_digest(organization),
        "most": MOST_WORD_GROUPS,
        "most_words": MOST_WORDS,
        "last_change": last_lexicon_change(organization),
    }
    template = "admin/organizations/organization/lexicon.html"
    return page(request, template, context, status=422 if form.errors else 200)
