"""What a fresh installation shows: Maison Orée, its administration, and three pages it has learnt."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import translation

from circuy.supervisor.page import LoginLine
from demo.seed import seed_maison_oree
from engine.types import EngineConfig
from moderation.services import review_decide
from moderation.states import Verb
from organizations.keys import origin_clean, sdk_key_create
from organizations.models import Membership, Organization, Role, SdkKey, User
from organizations.scoping import tenant_scope
from skills.models import PageScan, PageSkill
from skills.services import scan_accept, scan_learn

SLUG = "maison-oree"
PASSWORD = "circuy2026"  # noqa: S105 - the demonstration's password is printed at every start
SCANS = Path(__file__).resolve().parent.parent / "demo" / "scans"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who can sign in to the demonstration's administration."""

    name: str
    email: str
    role: Role


PEOPLE = (
    Person("Claire Martin", "claire@maison-oree.example", Role.ADMIN),
    Person("Paul Lefèvre", "paul@maison-oree.example", Role.REVIEWER),
)


@transaction.atomic
def seed_demo(public_url: str) -> list[LoginLine]:
    """Create what is missing of the demonstration and return who can sign in to its administration.

    Pages are learnt from stored scans through the same services as any page: accepted, learnt by the local
    engine, submitted, and approved by somebody other than the person who recorded them. ``public_url`` is
    where the demonstration is opened this time: its key works from there too.
    """
    seed_maison_oree()
    organization = Organization.objects.filter(slug=SLUG).first() or _create_organization()
    with tenant_scope(organization.id):
        _allow_origins(public_url)
    return [LoginLine(f"{person.name} ({person.role.label})", person.email, PASSWORD) for person in PEOPLE]


def _create_organization() -> Organization:
    organization = Organization.objects.create(
        name="Maison Orée",
        slug=SLUG,
        locale=Organization.Locale.FRENCH,
        identity_secret=settings.MAISON_OREE_CIRCUY["identity_secret"],
        allow_self_approval=True,
    )
    claire, paul = (_member(organization, person) for person in PEOPLE)
    with tenant_scope(organization.id), translation.override(organization.locale):
        sdk_key_create(
            organization=organization,
            actor=None,
            name="Back-office",
            kind=SdkKey.Kind.PUBLISHABLE,
            value=settings.MAISON_OREE_CIRCUY["publishable_key"],
        )
        for file in sorted(SCANS.glob("*.json")):
            learn_stored_scan(organization, file, recorded_by=claire, approved_by=paul)
    return organization


def _allow_origins(public_url: str) -> None:
    """Let the demonstration's key work under the names that this machine has for itself.

    They come first: pages are opened under a key's first origin, and an earlier start may have had another port.
    """
    names = {public_url.replace("localhost", "127.0.0.1"), public_url.replace("127.0.0.1", "localhost")}
    for key in SdkKey.objects.filter(lookup=settings.MAISON_OREE_CIRCUY["publishable_key"]):
        now = sorted(map(origin_clean, names))
        wanted = [*now, *(origin for origin in key.allowed_origins if origin not in now)]
        if wanted != key.allowed_origins:
            SdkKey.objects.filter(pk=key.pk).update(allowed_origins=wanted)


def learn_stored_scan(organization: Organization, file: Path, *, recorded_by: User, approved_by: User) -> PageSkill:
    """Learn a page from a scan kept in a file, and publish it."""
    body = json.loads(file.read_text(encoding="utf-8"))
    scan = scan_accept(
        organization=organization,
        actor=recorded_by,
        data=body,
        name=body["name"],
        locale=body["locale"],
        source=PageScan.Source.IMPORT,
    )
    skill = scan_learn(scan_id=scan.pk, config=EngineConfig(provider="local"))
    if skill is None:
        raise RuntimeError(f"{file.name} could not be learnt")
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=organization,
        actor=approved_by,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    return skill


def _member(organization: Organization, person: Person) -> User:
    first_name, last_name = person.name.split(" ", 1)
    user = User.objects.create_user(person.email, PASSWORD, first_name=first_name, last_name=last_name, is_staff=True)
    Membership.objects.create(organization=organization, user=user, role=person.role)
    return user
