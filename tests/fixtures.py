"""The people and things that most tests start from: an owner's organization, a teammate, a stranger, a learnt page."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django_scopes.state import state as scope_state
from rest_framework.test import APIClient

from engine.types import EngineConfig
from moderation.services import review_decide
from moderation.states import Verb
from organizations.keys import sdk_key_create
from organizations.models import EndUser, Membership, Organization, Role, SdkKey, User
from organizations.scoping import tenant_scope
from skills.models import PageSkill
from skills.services import scan_accept, scan_learn
from tours.answering.asking import question_ask
from tours.models import Question

ORIGIN = "https://app.oree.example"
LOCAL = EngineConfig(provider="local")
QUESTION = "Comment ajouter une remise ?"


def node(number: int, tag: str, label: str, selector: str, **more: Any) -> dict[str, Any]:
    """Return a node of a scan as the SDK sends it."""
    return {
        "id": f"n{number}",
        "tag": tag,
        "label": label,
        "selector": selector,
        "fallbackSelector": more.pop("fallback", ""),
        "isInteractive": more.pop("interactive", True),
        **more,
    }


def invoice_scan(**changes: Any) -> dict[str, Any]:
    """Return the scan of the specification's page: creating an invoice."""
    form = {"context": {"form": "Nouvelle facture"}}
    return {
        "urlPattern": "/factures/nouvelle",
        "pageTitle": "Nouvelle facture",
        "nodes": [
            node(1, "h1", "Nouvelle facture", "h1", interactive=False),
            node(
                2,
                "select",
                "Client",
                "#client-select-dropdown",
                fallback="select[name='clientId']",
                options=["Maison Duval", "Atelier Brun"],
                **form,
            ),
            node(
                3,
                "input",
                "Remise (%)",
                "[data-testid='invoice-discount-input']",
                fallback="input[name='discount']",
                type="number",
                **form,
            ),
            node(4, "select", "Taux de TVA", "#vat", fallback="select[name='vat']", options=["5,5 %", "20 %"], **form),
            node(5, "button", "Créer la facture", "button[name='create']", type="submit", **form),
        ],
        **changes,
    }


class ApiFromPage(APIClient):
    """A client whose requests run outside the test's own tenant scope, as they do in a server."""

    def request(self, **kwargs: Any) -> Any:
        token = scope_state.set({})
        try:
            return super().request(**kwargs)
        finally:
            scope_state.reset(token)


@dataclass
class Tenant:
    """An organization with one member of each role that tests need, and a key."""

    organization: Organization
    owner: User
    reviewer: User
    author: User
    viewer: User
    key: SdkKey
    key_value: str

    def learn(self, scan: dict[str, Any] | None = None, *, approve: bool = True) -> PageSkill:
        """Learn a page as the author, and have the reviewer approve it."""
        accepted = scan_accept(
            organization=self.organization,
            actor=self.author,
            data=scan or invoice_scan(),
            name="Création de facture",
            locale="fr",
        )
        skill = scan_learn(scan_id=accepted.pk, config=LOCAL)
        assert skill is not None
        if approve:
            review_decide(
                model=PageSkill,
                subject_id=skill.pk,
                organization=self.organization,
                actor=self.reviewer,
                verb=Verb.APPROVE,
                seen_digest=skill.digest,
            )
            skill.refresh_from_db()
        return skill

    def asked(self, text: str = QUESTION, end_user: EndUser | None = None, **changes: Any) -> Question:
        """Return a question just asked on the learnt page, as a new visitor unless told otherwise."""
        return question_ask(
            **{
                "organization": self.organization,
                "end_user": end_user or self.visitor(),
                "text": text,
                "route": "/factures/nouvelle",
                "page_title": "Nouvelle facture",
                "locale": "fr",
                **changes,
            }
        )

    def visitor(self) -> EndUser:
        """Return an end user nobody has seen before."""
        return EndUser.objects.create(organization=self.organization, visitor_id=uuid.uuid4())

    def api(self, **headers: str) -> APIClient:
        """Return a client that calls the API from the organization's page."""
        return ApiFromPage(headers={"Authorization": f"Bearer {self.key_value}", "Origin": ORIGIN, **headers})


def make_tenant(slug: str) -> Tenant:
    """Create an organization with its people and its key."""
    organization = Organization.objects.create(name=slug.title(), slug=slug)
    people = {}
    for role in (Role.OWNER, Role.REVIEWER, Role.AUTHOR, Role.VIEWER):
        people[role] = User.objects.create_user(f"{role}@{slug}.example", "secret-words-2026", is_staff=True)
        Membership.objects.create(organization=organization, user=people[role], role=role)
    key, value = sdk_key_create(
        organization=organization, actor=None, name="Pages", kind=SdkKey.Kind.PUBLISHABLE, allowed_origins=[ORIGIN]
    )
    return Tenant(
        organization,
        people[Role.OWNER],
        people[Role.REVIEWER],
        people[Role.AUTHOR],
        people[Role.VIEWER],
        key,
        value,
    )


@pytest.fixture
def oree(db: None) -> Iterator[Tenant]:
    """The organization a test is about, with its scope open."""
    tenant = make_tenant("oree")
    with tenant_scope(tenant.organization.id):
        yield tenant


@pytest.fixture
def stranger(db: None) -> Tenant:
    """Another organization, which must never see anything of the first."""
    return make_tenant("duval")
