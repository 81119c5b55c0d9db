"""What the desk's pages are made of: the inbox's rows and filters, and what somebody picked from it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from moderation.authorship import makers_of
from moderation.models import Reviewable
from moderation.registry import Kind, Mark, kinds
from moderation.selectors import FACETS, InboxItem, facet_choices, marks_of
from moderation.states import TRANSITIONS, Verb
from organizations.admin_base import may, signed_in

# As many lines are read in a row of the inbox; what is longer is approved on its own page.
LINES_IN_A_ROW = 12
MOST_PICKS = 200
FILTERS = {
    "kind": gettext_lazy("kind"),
    "page": gettext_lazy("page"),
    "origin": gettext_lazy("origin"),
    "health": gettext_lazy("health, 30 days"),
}
_PICK = re.compile(r"(?P<kind>[a-z_]{1,20}):(?P<pk>[0-9a-f-]{36}):(?P<digest>[0-9a-f]{64})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Pick:
    """Exactly one version of one thing, as it stood on somebody's screen."""

    kind: Kind
    pk: uuid.UUID
    digest: str

    def __str__(self) -> str:
        return f"{self.kind.name}:{self.pk}:{self.digest}"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the inbox as one member sees it.

    ``hindrance`` says in words why they do not approve it here, and is empty when they may; ``after`` names the row
    that gets the focus once this one is decided.
    """

    item: InboxItem
    pick: Pick
    marks: list[Mark]
    hindrance: str
    may_decide: bool
    after: str = ""

    @property
    def may_approve(self) -> bool:
        return self.may_decide and not self.hindrance


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a filter, and where it leads."""

    label: Any
    url: str
    selected: bool


@dataclass(frozen=True, slots=True)
class Filter:
    """One way of narrowing the inbox; ``chosen`` is the label of the choice that is made."""

    label: Any
    choices: list[Choice]
    chosen: Any = ""


@dataclass(slots=True)
class Narrowing:
    """What the inbox is narrowed to, and what it can be."""

    wanted: dict[str, str] = field(default_factory=dict)
    filters: list[Filter] = field(default_factory=list)

    @classmethod
    def of(cls, request: HttpRequest) -> Narrowing:
        """Read the address; a value that is none of the choices narrows nothing."""
        offered: dict[str, Mapping[str, Any]] = {"kind": {kind.name: kind.label for kind in kinds()}}
        offered |= {name: facet_choices(name) for name in FACETS}
        asked = {name: request.GET.get(name, "") for name in FILTERS}
        wanted = {name: value for name, value in asked.items() if value in offered[name]}
        return cls(wanted, [_filter(name, offered[name], wanted) for name in FILTERS if len(offered[name]) > 1])

    @property
    def query(self) -> str:
        """Return the part of an address that keeps it."""
        return f"?{urlencode(self.wanted)}" if self.wanted else ""


def _filter(name: str, offered: Mapping[str, Any], wanted: Mapping[str, str]) -> Filter:
    others = {key: value for key, value in wanted.items() if key != name}
    chosen = wanted.get(name, "")
    inbox = reverse("admin:inbox")
    every = Choice(_("Everything"), f"{inbox}?{urlencode(others)}", not chosen)
    choices = [
        Choice(label, f"{inbox}?{urlencode({**others, name: value})}", value == chosen)
        for value, label in offered.items()
    ]
    return Filter(FILTERS[name], [every, *choices], offered.get(chosen, ""))


def rows_of(request: HttpRequest, items: Sequence[InboxItem]) -> list[Row]:
    """Return the inbox's lines for the signed-in member, in a number of queries that does not grow with them."""
    marks, makers = marks_of(items), makers_of([item.subject for item in items])
    following = [str(item.subject.pk) for item in [*items[1:], *items[-2:-1]]] + [""]
    return [
        Row(
            item=item,
            pick=Pick(item.kind, item.subject.pk, item.subject.digest),
            marks=marks.get(item.subject.pk, []),
            hindrance=hindrance(request, item.subject, makers[item.subject.pk]) or _too_long(item),
            may_decide=may(request, TRANSITIONS[Verb.REJECT].role, item.subject.organization_id),
            after=after,
        )
        for item, after in zip(items, following, strict=False)
    ]


def hindrance(request: HttpRequest, subject: Reviewable, makers: Collection[int]) -> str:
    """Return why the signed-in member cannot approve something, or an empty string."""
    member = signed_in(request)
    if not may(request, TRANSITIONS[Verb.APPROVE].role, subject.organization_id):
        return _("Only reviewers decide. Ask an administrator of your organization.")
    if member.pk in makers and not subject.organization.allow_self_approval:
        return _("You submitted or edited this yourself: somebody else approves it.")
    if subject.agreed_by_id == member.pk and subject.organization.two_approvals:
        return _("You approved this version: it takes another reviewer now.")
    return ""


def _too_long(item: InboxItem) -> str:
    too_long = len(item.card.lines) > LINES_IN_A_ROW
    return _("Too long to be shown whole here: open it to approve it.") if too_long else ""


def picks_read(values: Iterable[str]) -> list[Pick]:
    """Return what was picked, each thing once, in order; what names nothing that can be reviewed is left out."""
    by_name = {kind.name: kind for kind in kinds()}
    picks: dict[uuid.UUID, Pick] = {}
    for value in list(values)[:MOST_PICKS]:
        read = _PICK.fullmatch(value)
        try:
            pk = uuid.UUID(read["pk"]) if read else None
        except ValueError:
            pk = None
        if read is not None and pk is not None and read["kind"] in by_name:
            picks.setdefault(pk, Pick(by_name[read["kind"]], pk, read["digest"]))
    return list(picks.values())


def picked_items(picks: Sequence[Pick]) -> dict[uuid.UUID, InboxItem]:
    """Return what was picked as it is now, by id; what is gone, or somebody else's, is not there."""
    found = {}
    for kind in {pick.kind.name: pick.kind for pick in picks}.values():
        manager: Any = kind.model._default_manager
        wanted = [pick.pk for pick in picks if pick.kind == kind]
        for subject in kind.for_cards(manager.filter(pk__in=wanted)):
            found[subject.pk] = InboxItem(kind, subject, kind.describe(subject), kind.review_url(subject))
    return found
