"""A new tenant: the organization, its first member, and a key for its pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from organizations.emails import is_email
from organizations.errors import ServiceError
from organizations.keys import sdk_key_create
from organizations.models import Membership, Organization, Role, SdkKey, User
from organizations.services import MAX_NAME


@dataclass(frozen=True, slots=True)
class NewOrganization:
    """What the operator hands over to a customer."""

    organization: Organization
    owner: User
    publishable_key: str


@transaction.atomic
def organization_create(
    *, name: str, owner_email: str, owner_password: str, origins: list[str], locale: str = "fr"
) -> NewOrganization:
    """Create an organization with its owner and a publishable key that works from ``origins``.

    An address that has an account already becomes the owner with the password it has. Raises
    ``ServiceError``: ``invalid_organization`` (422) naming what is wrong, ``invalid_origin`` (422).
    """
    slug = slugify(name)[:50]
    wrong: dict[str, str] = {}
    if not slug:
        wrong["name"] = _("a name with letters or digits is expected")
    elif len(name) > MAX_NAME:
        wrong["name"] = _("a name of at most %(max)d characters is expected") % {"max": MAX_NAME}
    elif Organization.objects.filter(slug=slug).exists():
        wrong["name"] = _("an organization has this name already")
    if not is_email(owner_email):
        wrong["owner_email"] = _("this is not an e-mail address")
    owner = User.objects.filter(email=owner_email.lower()).first()
    if owner is None:
        try:
            validate_password(owner_password)
        except ValidationError as error:
            wrong["owner_password"] = " ".join(error.messages)
    if locale not in Organization.Locale.values:
        wrong["locale"] = _("“fr” or “en” is expected")
    if wrong:
        raise ServiceError("invalid_organization", _("The organization was not created."), status=422, fields=wrong)
    owner = owner or User.objects.create_user(owner_email, owner_password)
    User.objects.filter(pk=owner.pk).update(is_staff=True)
    organization = Organization.objects.create(name=name, slug=slug, locale=locale)
    Membership.objects.create(organization=organization, user=owner, role=Role.OWNER)
    _key, value = sdk_key_create(
        organization=organization,
        actor=None,
        name=_("Pages"),
        kind=SdkKey.Kind.PUBLISHABLE,
        allowed_origins=origins,
    )
    return NewOrganization(organization, owner, value)
