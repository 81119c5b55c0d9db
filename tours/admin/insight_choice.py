"""What an insight page is about: a period, and one of the member's organizations or all of them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.http import urlencode
from django.utils.translation import ngettext

from organizations.admin_base import memberships
from organizations.models import Organization
from tours.insight.periods import DAYS, DEFAULT_DAYS, Period


@dataclass(frozen=True, slots=True)
class Link:
    """One choice: its words, the query that makes it, and whether it is made."""

    label: str
    query: str
    is_made: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The period and the organizations that a request asks for. ``organization`` is None for all of ``own``.

    ``kept`` is what else its address says, which another choice leaves as it is.
    """

    period: Period
    own: list[Organization]
    organization: Organization | None
    kept: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, request: HttpRequest, *keep: str) -> Choice:
        """Return what the address asks for; an organization that is not the member's does not exist (404)."""
        own = [row.organization for row in memberships(request)]
        wanted = request.GET.get("organization", "")
        organization = next((one for one in own if str(one.pk) == wanted), None)
        if wanted and organization is None:
            raise Http404
        kept = {name: request.GET[name] for name in keep if name in request.GET}
        return cls(Period.of(request.GET.get("days")), own, organization, kept)

    @property
    def organizations(self) -> list[Organization]:
        return self.own if self.organization is None else [self.organization]

    @property
    def ids(self) -> list[uuid.UUID]:
        return [organization.pk for organization in self.organizations]

    @property
    def query(self) -> str:
        """Return the query of an address that makes the same choice, with its question mark."""
        return self.changed()

    @property
    def periods(self) -> list[Link]:
        """Return the periods that can be chosen, the others staying as they are."""
        return [
            Link(
                ngettext("%(n)d day", "%(n)d days", days) % {"n": days},
                self.changed(days=days),
                days == self.period.days,
            )
            for days in DAYS
        ]

    @property
    def tenants(self) -> list[Link]:
        """Return the member's organizations; none where there is nothing to choose."""
        if len(self.own) < 2:
            return []
        return [Link(one.name, self.changed(organization=str(one.pk)), one == self.organization) for one in self.own]

    @property
    def every_tenant_query(self) -> str:
        return self.changed(organization="")

    def changed(self, **changes: Any) -> str:
        """Return the query of an address that makes this choice but for ``changes``; what is usual is left out."""
        chosen = {
            "days": self.period.days,
            "organization": str(self.organization.pk) if self.organization else "",
            **self.kept,
            **changes,
        }
        if chosen["days"] == DEFAULT_DAYS:
            del chosen["days"]
        told = {name: value for name, value in chosen.items() if value}
        return f"?{urlencode(told)}" if told else "?"
