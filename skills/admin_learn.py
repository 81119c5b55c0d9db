"""“Learn a page”: from an address to a link that opens the page with the recorder in it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from organizations.admin_base import may, organizations_where, page, require, signed_in
from organizations.errors import ServiceError
from organizations.keys import origin_clean
from organizations.models import Organization, Role, SdkKey
from skills.models import PageSkill
from skills.recorder import CODE_LIFETIME, recorder_code_create
from skills.routes import path_clean
from skills.selectors import skills_for_path

FRAGMENT = "#circuy-record="


class LearnForm(forms.Form):
    """The address of a page, and for whom it is learnt when several organizations share its origin."""

    url = forms.CharField(label=_("Address of the page"), max_length=2000)
    organization = forms.ChoiceField(label=_("Organization"), required=False)

    def __init__(self, *args: Any, organizations: list[Organization], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.organizations = {str(organization.pk): organization for organization in organizations}
        self.fields["organization"].choices = [  # type: ignore[attr-defined]
            (key, organization.name) for key, organization in self.organizations.items()
        ]
        self.origin = ""
        self.refused: Organization | None = None

    def clean_url(self) -> str:
        """Return the address without its fragment, which the recorder's code takes the place of."""
        url = str(self.cleaned_data["url"]).strip().split("#", 1)[0]
        if "://" not in url:
            url = f"https://{url}"
        try:
            parts = urlsplit(url)
            self.origin = origin_clean(f"{parts.scheme}://{parts.netloc}")
            path_clean(parts.path or "/")
        except (ServiceError, ValueError) as error:
            self.origin = ""
            raise forms.ValidationError(
                gettext(
                    "This is not the address of a page. Copy it from the browser: https://app.example.com/invoices/new."
                )
            ) from error
        return url

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.origin:
            data["organization"] = self._organization_for(data.get("organization", ""))
        return data

    def _organization_for(self, chosen: str) -> Organization | None:
        """Return whose page it is: the organization that has a key for its origin."""
        fitting = [
            key.organization
            for key in SdkKey.objects.select_related("organization").filter(
                kind=SdkKey.Kind.PUBLISHABLE,
                revoked_at=None,
                allowed_origins__contains=[self.origin],
                organization__in=list(self.organizations),
            )
        ]
        by_id = {str(organization.pk): organization for organization in fitting}
        if not by_id:
            self.refused = self.organizations.get(chosen) or next(iter(self.organizations.values()))
            self.add_error(
                "url", gettext("%(origin)s is not one of your allowed origins yet.") % {"origin": self.origin}
            )
            return None
        if len(by_id) > 1 and chosen not in by_id:
            self.add_error("organization", gettext("Several of your organizations use this address: choose one."))
            return None
        return by_id.get(chosen) or next(iter(by_id.values()))

    def asks_organization(self) -> bool:
        """Whether the choice has to be shown."""
        return len(self.organizations) > 1


def learn_view(request: HttpRequest) -> HttpResponse:
    """Ask for a page's address; answer with the link that opens it and starts the recorder.

    A link, not a redirect: `form-action 'self'` forbids a form to lead to another origin. The code in the link
    works once, for ten minutes.
    """
    require(request, Role.AUTHOR)
    organizations = organizations_where(request, Role.AUTHOR)
    if request.method != "POST":
        form = LearnForm(initial={"url": request.GET.get("url", "")}, organizations=organizations)
        return _form_page(request, form)
    form = LearnForm(request.POST, organizations=organizations)
    if not form.is_valid():
        return _form_page(request, form, status=422)
    organization, url = form.cleaned_data["organization"], form.cleaned_data["url"]
    code = recorder_code_create(organization=organization, actor=signed_in(request))
    context = {
        "title": gettext("Learn a page"),
        "url": url,
        "link": f"{url}{FRAGMENT}{code}",
        "minutes": int(CODE_LIFETIME.total_seconds() // 60),
        "known": _known_page(organization, url),
    }
    return page(request, "admin/skills/learn_ready.html", context)


def _form_page(request: HttpRequest, form: LearnForm, *, status: int = 200) -> HttpResponse:
    keys = SdkKey.objects.filter(kind=SdkKey.Kind.PUBLISHABLE, revoked_at=None).order_by("name")
    key = keys.filter(organization=form.refused).first() if form.refused else None
    context = {
        "title": gettext("Learn a page"),
        "form": form,
        "origins": sorted({origin for row in keys for origin in row.allowed_origins}),
        "refused_key": key,
        "may_add_origin": form.refused is not None and may(request, Role.ADMIN, form.refused.pk),
    }
    return page(request, "admin/skills/learn.html", context, status=status)


def _known_page(organization: Organization, url: str) -> PageSkill | None:
    """Return the published page-skill that this address belongs to already."""
    skills = skills_for_path(path_clean(urlsplit(url).path or "/"))
    return next((skill for skill in skills if skill.organization_id == organization.pk), None)
