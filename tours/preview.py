"""Trying one version of a tour on the page it is about: the signed token that a member's browser shows for it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.core import signing
from django.utils.translation import gettext as _

from organizations.errors import ServiceError, not_found
from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from tours.models import Tour, TourVersion

TOKEN_LIFETIME = timedelta(minutes=30)
TOKEN_SALT = "circuy.preview"  # noqa: S105
# In the fragment of the page's address, which the page's server is not sent.
FRAGMENT = "#circuy-preview="


@dataclass(frozen=True, slots=True)
class PreviewSession:
    """A member's browser that tries one version of a tour, whatever its status."""

    token: str
    organization: Organization
    member: User
    version: TourVersion

    @property
    def tour(self) -> Tour:
        """The tour that the version is one of."""
        return self.version.tour


def preview_token_create(*, version: TourVersion, actor: User) -> str:
    """Return a token that opens this very version on the page for half an hour.

    It begins with the tour's id, for the browser that has to ask for it. Raises ``ServiceError``
    (``forbidden``, ``not_found``) for who may neither write nor review.
    """
    require_role(actor, version.organization, Role.AUTHOR)
    signed = signing.dumps(
        [str(version.organization_id), str(version.tour_id), str(version.pk), str(actor.pk)], salt=TOKEN_SALT
    )
    return f"{version.tour_id}.{signed}"


def preview_read(token: str, *, organization: Organization, tour_id: uuid.UUID) -> PreviewSession:
    """Return the session of a token that was made for this tour of this organization.

    Raises ``ServiceError``: ``preview_token_invalid`` (401) when it is forged or older than half an hour,
    ``not_found`` (404) for another tour or another organization's, ``forbidden``/``not_found`` when the member may no
    longer write.
    """
    try:
        named, _dot, signed = token.partition(".")
        loaded: list[str] = signing.loads(signed, salt=TOKEN_SALT, max_age=TOKEN_LIFETIME)
        owner, tour, version_id, member_id = loaded
    except signing.BadSignature as error:
        raise ServiceError(
            "preview_token_invalid",
            _("This try-out has ended: it lasts half an hour. Open it again from the tour's review page."),
            status=401,
        ) from error
    if (owner, tour, named) != (str(organization.pk), str(tour_id), str(tour_id)):
        raise not_found(_("There is no such tour."))
    version = (
        TourVersion.objects.select_related("tour__organization", "tour__page_skill", "tour__current_version")
        .filter(pk=version_id, tour=tour_id)
        .first()
    )
    member = User.objects.filter(pk=member_id).first()
    if version is None or member is None:
        raise not_found(_("There is no such tour."))
    require_role(member, organization, Role.AUTHOR)
    return PreviewSession(token, organization, member, version)
