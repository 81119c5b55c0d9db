"""The page where an organization writes down what must be hidden beside the personal data hidden for all."""

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
from organizations.errors import ServiceError
from organizations.masks import (
    LONGEST_EXAMPLE,
    LONGEST_NAME,
    LONGEST_PATTERN,
    OwnMask,
    Tried,
    last_change,
    masks_digest,
    masks_of,
    masks_replace,
    masks_try,
    masks_wrong,
)
from organizations.models import MOST_MASKS, Organization

LONGEST_SAMPLE = 2_000
BLANK_ROWS = 2
PREFIX = "masks"


def _line(label: Any, longest: int, placeholder: Any, css: str = "") -> forms.CharField:
    attributes = {"placeholder": placeholder, "autocomplete": "off", "spellcheck": "false", "class": css}
    return forms.CharField(label=label, required=False, max_length=longest, widget=forms.TextInput(attributes))


class MaskRow(ServiceForm):
    """One mask; what was typed is the service's to judge."""

    use_required_attribute = False

    name = _line(_("What it hides"), LONGEST_NAME, _("Customer number"))
    pattern = _line(_("How it is written"), LONGEST_PATTERN, "CLI-####", "mono")
    example = _line(_("Example"), LONGEST_EXAMPLE, "CLI-2041")

    def typed(self) -> OwnMask | None:
        """Return what was typed, or None for an empty row and one to remove."""
        data = {field: self.cleaned_data.get(field, "").strip() for field in ("name", "pattern", "example")}
        is_kept = any(data.values()) and not self.cleaned_data.get("DELETE")
        return OwnMask(**data) if is_kept else None

    def becomes(self) -> str:
        """Return what the example becomes under this mask, or "" while there is nothing to show."""
        if self.is_bound:
            row = self.typed() if self.is_valid() else None
        else:
            row = OwnMask(**self.initial) if self.initial else None
        return masks_try([row], row.example).text if row is not None and row.example else ""


class SampleForm(forms.Form):
    """A text to try the masks on."""

    sample = forms.CharField(
        label=_("Text to try them on"),
        required=False,
        max_length=LONGEST_SAMPLE,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": _("Call Ms Durand, customer CLI-2041, 06 12 34 56 78")}),
    )


def masks_page(request: HttpRequest, organization: Organization, opts: Any, back: str) -> HttpResponse:
    """Show the masks, try them on a text, or save them; ``back`` is the address of the settings."""
    wanted = request.POST.get("do", "")
    rows = _rows(request, organization, wanted)
    sample = SampleForm(request.POST if request.method == "POST" else None)
    refusal: ServiceError | None = None
    tried: Tried | None = None
    if rows.is_bound and rows.is_valid() and sample.is_valid():
        kept = [(form, typed) for form in rows.forms if (typed := form.typed()) is not None]
        masks = [typed for _form, typed in kept]
        try:
            if wanted == "save":
                seen = request.POST.get("seen", "")
                masks_replace(organization=organization, actor=signed_in(request), masks=masks, seen_digest=seen)
                messages.success(request, gettext("The masks were saved."))
                return HttpResponseRedirect(request.path)
            _show([form for form, _typed in kept], masks_wrong(masks))
        except ServiceError as error:
            refusal = error
            _show([form for form, _typed in kept], error.fields)
        if wanted == "try":
            tried = masks_try(masks, sample.cleaned_data["sample"])
    context = {
        "title": gettext("What is hidden"),
        "organization": organization,
        "opts": opts,
        "back": back,
        "rows": rows,
        "sample": sample,
        "tried": tried,
        "refusal": refusal,
        "wrong_rows": sum(bool(form.errors) for form in rows.forms),
        "seen": request.POST.get("seen", "") if rows.is_bound else masks_digest(organization),
        "most": MOST_MASKS,
        "may_add": len(rows.forms) < MOST_MASKS,
        "last_change": last_change(organization),
    }
    status = 422 if refusal or (rows.is_bound and wanted == "save") else 200
    return page(request, "admin/organizations/organization/masks.html", context, status=status)


def _rows(request: HttpRequest, organization: Organization, wanted: str) -> Any:
    """Return the form of all rows: as saved, or as typed with one more where that was asked for."""
    own = masks_of(organization)
    blank = min(BLANK_ROWS, MOST_MASKS - len(own)) if request.method != "POST" else 0
    factory: Any = forms.formset_factory(
        MaskRow, extra=blank, can_delete=True, max_num=MOST_MASKS, absolute_max=2 * MOST_MASKS
    )
    if request.method != "POST":
        return factory(initial=[asdict(row) for row in own], prefix=PREFIX)
    typed = request.POST.copy()
    rows = factory(typed, prefix=PREFIX)
    if wanted == "add":
        typed[f"{PREFIX}-TOTAL_FORMS"] = str(min(rows.total_form_count() + 1, MOST_MASKS))
        rows = factory(typed, prefix=PREFIX)
    return rows


def _show(forms_kept: list[MaskRow], wrong: dict[str, str]) -> None:
    """Put each refusal at its field."""
    for index, form in enumerate(forms_kept):
        for field in form.fields:
            text = wrong.get(f"masks[{index}].{field}")
            if text:
                form.add_error(field, text[:1].upper() + text[1:])
