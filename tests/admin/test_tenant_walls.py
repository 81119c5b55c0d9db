"""Nothing of another organization is seen, found, filtered by, or touched. Walks whatever is registered."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse

from moderation.models import Decision, Notification, SlackLink, WebhookEndpoint
from moderation.states import Status
from organizations.invitations import invitation_create
from organizations.models import EndUser, Invitation, MemberEvent, Membership, Organization, Role, SdkKey
from organizations.scoping import every_tenant, tenant_scope
from shadow.models import Competence, Machine, ObservationSession
from skills.models import PageSkill
from tests.admin.conftest import ask, browser_of, text_of
from tests.fixtures import Tenant
from tours.models import Question, Tour, TourEvent

MODELS = [model for model in admin.site._registry if model is not Organization]
SECRET_WORDS = "Où cacher le trésor des Duval ?"


@pytest.fixture
def theirs(stranger: Tenant) -> dict[type[Any], Any]:
    """One row of every registered model that belongs to the stranger."""
    with tenant_scope(stranger.organization.id):
        skill = stranger.learn()
        PageSkill.objects.filter(pk=skill.pk).update(name="Page des Duval")
        tour = ask(stranger)
        assert tour is not None
        Tour.objects.filter(pk=tour.pk).update(title="Guide des Duval")
        ask(stranger, SECRET_WORDS)
        event = TourEvent.objects.create(
            organization=stranger.organization,
            tour=tour,
            end_user=stranger.visitor(),
            type=TourEvent.Type.STARTED,
            happened_at="2026-01-01T00:00:00Z",
        )
        note = Notification.objects.create(
            organization=stranger.organization, channel="slack", event_key="x", payload={"title": "Guide des Duval"}
        )
        member = Membership.objects.get(user=stranger.owner)
        invitation, _token = invitation_create(
            organization=stranger.organization, actor=stranger.owner, email="new@duval.example", role=Role.VIEWER
        )
        link = SlackLink.objects.create(
            organization=stranger.organization, membership=member, team_id="T0", slack_user_id="U0", slack_name="Duval"
        )
        webhook = WebhookEndpoint.objects.create(
            organization=stranger.organization, url="https://duval.example/hook", secret="s", events=["decided"]
        )
        machine = Machine.objects.create(
            organization=stranger.organization, machine_id="DUVAL-1", name="Poste des Duval"
        )
        session = ObservationSession.objects.create(
            organization=stranger.organization, machine=machine, session_id="sess_duval", locale="fr"
        )
        competence = Competence.objects.create(
            organization=stranger.organization, name="Tâche des Duval", domain="duval", workflow_ir={}, session=session
        )
        return {
            ObservationSession: session,
            Competence: competence,
            PageSkill: skill,
            Tour: tour,
            Question: Question.objects.get(text=SECRET_WORDS),
            TourEvent: event,
            EndUser: EndUser.objects.first(),
            SdkKey: stranger.key,
            Membership: Membership.objects.get(user=stranger.owner),
            Invitation: invitation,
            MemberEvent: MemberEvent.objects.get(),
            Decision: Decision.objects.first(),
            Notification: note,
            SlackLink: link,
            WebhookEndpoint: webhook,
            Organization: stranger.organization,
        }


@pytest.mark.parametrize("action", ["change", "delete", "history"])
def test_another_tenants_rows_are_not_there(oree: Tenant, theirs: dict[type[Any], Any], action: str) -> None:
    browser = browser_of(oree.owner)

    for model in admin.site._registry:
        meta = model._meta
        url = reverse(f"admin:{meta.app_label}_{meta.model_name}_{action}", args=[theirs[model].pk])
        assert browser.get(url).status_code == 404, url
        assert browser.post(url, {"post": "yes"}).status_code == 404, url


@pytest.mark.parametrize(
    "name",
    [
        "notification_retry",
        "slacklink_remove",
        "webhookendpoint_test",
        "webhookendpoint_secret",
        "webhookendpoint_remove",
    ],
)
def test_another_tenants_channels_cannot_be_posted_to(oree: Tenant, theirs: dict[type[Any], Any], name: str) -> None:
    models: dict[str, Any] = {"notification": Notification, "slacklink": SlackLink, "webhookendpoint": WebhookEndpoint}
    model = models[name.split("_", maxsplit=1)[0]]

    assert browser_of(oree.owner).post(reverse(f"admin:moderation_{name}", args=[theirs[model].pk])).status_code == 404
    with every_tenant():
        assert model.objects.filter(pk=theirs[model].pk).exists()


@pytest.mark.parametrize("name", ["channels", "slack_disconnect"])
def test_another_tenants_notifications_are_not_there(oree: Tenant, stranger: Tenant, name: str) -> None:
    url = reverse(f"admin:{name}", args=[stranger.organization.pk])

    assert browser_of(oree.owner).post(url, {"email_on": "on"}).status_code == 404


def test_another_tenants_reviews_are_not_there(oree: Tenant, theirs: dict[type[Any], Any]) -> None:
    browser = browser_of(oree.owner)

    for name, model in (("tours_tour", Tour), ("skills_pageskill", PageSkill)):
        url = reverse(f"admin:{name}_review", args=[theirs[model].pk])
        assert browser.get(url).status_code == 404
        form = {"do": "approve", "seen_digest": theirs[model].digest}
        assert browser.post(url, form).status_code == 404
    with every_tenant():
        assert Tour.objects.get(pk=theirs[Tour].pk).status == Status.PENDING_REVIEW


@pytest.mark.parametrize(
    "name",
    [
        "sdkkey_revoke",
        "membership_remove",
        "membership_reset_factor",
        "invitation_send",
        "invitation_withdraw",
        "organization_replace_secret",
    ],
)
def test_another_tenants_settings_cannot_be_posted_to(oree: Tenant, theirs: dict[type[Any], Any], name: str) -> None:
    models = {"sdkkey": SdkKey, "membership": Membership, "invitation": Invitation, "organization": Organization}
    model = models[name.split("_", maxsplit=1)[0]]
    url = reverse(f"admin:organizations_{name}", args=[theirs[model].pk])

    assert browser_of(oree.owner).post(url).status_code == 404


@pytest.mark.parametrize(
    ("name", "model", "more"),
    [
        ("observationsession_forget", ObservationSession, []),
        ("observationsession_learn", ObservationSession, []),
        ("competence_yaml", Competence, []),
        ("competence_export", Competence, ["guide"]),
        ("tour_export", Tour, ["guide"]),
    ],
)
def test_another_tenants_demonstrations_are_not_there(
    oree: Tenant, theirs: dict[type[Any], Any], name: str, model: type[Any], more: list[str]
) -> None:
    url = reverse(f"admin:shadow_{name}", args=[theirs[model].pk, *more])

    assert browser_of(oree.owner).get(url).status_code in (404, 405)
    assert browser_of(oree.owner).post(url, {"name": "Rembourser"}).status_code == 404
    with every_tenant():
        assert model.objects.filter(pk=theirs[model].pk).exists()


@pytest.mark.parametrize("model", MODELS)
def test_lists_and_their_filters_name_nothing_of_another_tenant(
    oree: Tenant, theirs: dict[type[Any], Any], model: type[Any]
) -> None:
    meta = model._meta
    url = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")

    body = browser_of(oree.owner).get(url).content.decode()

    for trace in ("Duval", "duval", str(theirs[model].pk), str(theirs[PageSkill].pk)):
        assert trace not in body


@pytest.mark.parametrize(
    "query",
    [
        "?q=trésor",
        "?page_skill__id__exact={skill}",
        "?organization={organization}",
        "?q=Duval&outcome__exact=generated",
    ],
)
def test_a_question_of_another_tenant_is_not_found(oree: Tenant, theirs: dict[type[Any], Any], query: str) -> None:
    url = reverse("admin:tours_question_changelist") + query.format(
        skill=theirs[PageSkill].pk, organization=theirs[Organization].pk
    )

    response = browser_of(oree.owner).get(url, follow=True)

    assert response.status_code == 200
    assert "cacher" not in text_of(response)


def test_searching_through_relations_stays_inside(oree: Tenant, theirs: dict[type[Any], Any]) -> None:
    oree.learn()
    ask(oree)

    response = browser_of(oree.owner).get(reverse("admin:tours_tour_changelist") + "?q=trésor")

    assert list(response.context["cl"].result_list) == []


def test_the_first_page_counts_only_ones_own(oree: Tenant, theirs: dict[type[Any], Any]) -> None:
    response = browser_of(oree.owner).get("/admin/")

    assert response.context["figures"]["asked"] == 0
    assert response.context["waiting"] == []
    assert "Duval" not in text_of(response)


def test_a_member_of_two_organizations_sees_both_and_which_is_which(oree: Tenant, stranger: Tenant) -> None:
    with every_tenant():
        Membership.objects.create(organization=stranger.organization, user=oree.owner, role=Role.OWNER)
    url = reverse("admin:organizations_sdkkey_changelist")
    browser = browser_of(oree.owner)

    assert {key.organization.slug for key in browser.get(url).context["cl"].result_list} == {"oree", "duval"}
    only = browser.get(f"{url}?organization={stranger.organization.pk}").context["cl"].result_list
    assert {key.organization.slug for key in only} == {"duval"}


def test_a_role_counts_where_it_is_held(oree: Tenant, stranger: Tenant) -> None:
    """An owner here who only looks there cannot change anything there."""
    with every_tenant():
        Membership.objects.create(organization=stranger.organization, user=oree.owner, role=Role.VIEWER)
    url = reverse("admin:organizations_sdkkey_change", args=[stranger.key.pk])
    browser = browser_of(oree.owner)

    assert browser.get(url).status_code == 404
    assert browser.post(url, {"origins": "https://evil.example"}).status_code == 404
    for name in ("sdkkey", "membership", "organization"):
        listed = browser.get(reverse(f"admin:organizations_{name}_changelist"), follow=True)
        assert str(stranger.organization.pk) not in listed.content.decode()
        assert "duval" not in listed.content.decode().lower()
