"""Forms of the settings pages: they read what was typed; the services say what is wrong with it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from organizations.errors import ServiceError
from organizations.models import Organization, Role, SdkKey
from organizations.services import MAX_NAME, OrganizationSettings


class ServiceForm(forms.Form):
    """A form that can show a service's refusal at the fields it names."""

    required_css_class = "required"

    def show(self, error: ServiceError) -> None:
        """Put each part of the refusal at its field, and the whole of it on top when no field is named."""
        known = {name: text for name, text in error.fields.items() if name in self.fields}
        for name, text in known.items():
            self.add_error(name, text[:1].upper() + text[1:])
        if not known:
            self.add_error(None, error.detail)


class InOrganizationForm(ServiceForm):
    """A form that asks for which organization, when the member has several."""

    organization = forms.ChoiceField(label=_("Organization"))

    def __init__(self, *args: Any, organizations: list[Organization], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._organizations = {str(organization.pk): organization for organization in organizations}
        if len(organizations) == 1:
            del self.fields["organization"]
        else:
            choices = [(key, organization.name) for key, organization in self._organizations.items()]
            self.fields["organization"].choices = choices  # type: ignore[attr-defined]

    def chosen_organization(self) -> Organization:
        """Return the only organization, or the one that was chosen."""
        only = next(iter(self._organizations.values()))
        return self._organizations[self.cleaned_data["organization"]] if "organization" in self.fields else only


class OriginsField(forms.CharField):
    """Origins, one a line."""

    widget = forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "placeholder": "https://app.example.com"})

    def clean(self, value: Any) -> Any:
        return [line.strip() for line in (super().clean(value) or "").splitlines() if line.strip()]


class KeyAddForm(InOrganizationForm):
    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("Where it is used: “Back-office”, “Staging”…"))
    kind = forms.ChoiceField(
        label=_("Kind"), choices=SdkKey.Kind.choices, initial=SdkKey.Kind.PUBLISHABLE, widget=forms.RadioSelect
    )
    origins = OriginsField(
        label=_("Allowed origins"),
        required=False,
        help_text=_("One a line: the addresses where your application is open. A secret key has none."),
    )


class KeyOriginsForm(ServiceForm):
    origins = OriginsField(
        label=_("Allowed origins"),
        required=False,
        help_text=_("One a line, such as https://app.example.com. The key works from these addresses and no other."),
    )


class InvitationForm(InOrganizationForm):
    email = forms.EmailField(label=_("E-mail address"))
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.REVIEWER)


class MemberRoleForm(ServiceForm):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class WriteOnlySecret(forms.CharField):
    """A secret that can be set, replaced or removed, and is never sent back to a browser."""

    widget = forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}, render_value=False)

    def __init__(self, *, max_length: int = 400, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=max_length, **kwargs)


class OrganizationForm(ServiceForm):
    name = forms.CharField(label=_("Name"), max_length=MAX_NAME)
    locale = forms.ChoiceField(
        label=_("Language"),
        choices=Organization.Locale.choices,
        help_text=_("Of notifications, and of the widget when a page does not say."),
    )
    llm_provider = forms.ChoiceField(
        label=_("Who answers"), choices=Organization.Provider.choices, widget=forms.RadioSelect
    )
    llm_base_url = forms.CharField(label=_("Address of the server"), required=False, max_length=200)
    llm_model = forms.CharField(label=_("Model"), required=False, max_length=120)
    llm_api_key = WriteOnlySecret(label=_("API key"))
    llm_api_key_remove = forms.BooleanField(label=_("Remove the API key"), required=False)
    llm_prompt_price = forms.DecimalField(
        label=_("Price of a million tokens asked"), required=False, min_value=0, max_digits=10, decimal_places=4
    )
    llm_completion_price = forms.DecimalField(
        label=_("Price of a million tokens answered"), required=False, min_value=0, max_digits=10, decimal_places=4
    )
    monthly_token_budget = forms.IntegerField(
        label=_("Monthly token budget"),
        min_value=0,
        help_text=_("Once it is spent, the local engine answers until the next month."),
    )
    allow_self_approval = forms.BooleanField(
        label=_("Let people approve what they submitted or edited themselves"), required=False
    )
    two_approvals = forms.BooleanField(
        label=_("Ask for two approvals"),
        required=False,
        help_text=_("Two different people approve the same version; an edit starts again from none."),
    )
    review_remind_days = forms.IntegerField(
        label=_("Days before a reminder"),
        min_value=0,
        help_text=_("Then the reviewers are reminded, and as long after that the administrators. 0: nobody is."),
    )
    review_expire_days = forms.IntegerField(
        label=_("Days before what nobody reviews leaves the inbox"),
        min_value=0,
        help_text=_("It is then out of date, and can be brought back. 0: it waits for ever."),
    )
    require_second_factor = forms.BooleanField(
        label=_("Ask every member for a second factor"),
        required=False,
        help_text=_(
            "An authenticator app or a passkey. Who has none is led to set one up, and sees nothing until then."
        ),
    )
    retention_days = forms.IntegerField(
        label=_("Days to keep questions and events"), min_value=1, help_text=_("Older ones are deleted every night.")
    )

    def settings(self) -> OrganizationSettings:
        """Return what was typed, for the service."""
        data = dict(self.cleaned_data)
        removed, typed = data.pop("llm_api_key_remove"), data["llm_api_key"]
        data["llm_api_key"] = typed or ("" if removed else None)
        return OrganizationSettings(**data)
