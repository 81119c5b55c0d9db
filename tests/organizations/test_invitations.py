"""Invitations: from the form to the member, and what the link does for whom it is not."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from organizations import invitations
from organizations.errors import ServiceError
from organizations.invitations import invitation_accept, invitation_create, invitation_renew
from organizations.models import Invitation, MemberEvent, Membership, Role, User
from organizations.scoping import every_tenant
from organizations.services import member_remove, member_set_role
from tests.admin.conftest import Browser, browser_of, text_of
from tests.fixtures import Tenant

INVITE = "/admin/organizations/membership/add/"
CHOSEN = {"first_name": "Nina", "last_name": "Petit", "password": "mots-secrets-2026", "again": "mots-secrets-2026"}


def invite(tenant: Tenant, email: str = "nina@oree.example", role: str = "reviewer") -> str:
    """Invite as the owner does; return the path of the link in the e-mail that left."""
    mail.outbox.clear()
    response = browser_of(tenant.owner).post(INVITE, {"email": email, "role": role})
    assert response.status_code == 302, text_of(response)
    [message] = mail.outbox
    assert message.to == [email]
    found = re.search(r"/admin/invitation/[\w:-]+/", str(message.body))
    assert found
    return found.group()


def refused(code: str, work: Any) -> None:
    with pytest.raises(ServiceError) as told:
        work()
    assert told.value.code == code


def test_who_is_invited_chooses_a_password_and_is_in(oree: Tenant) -> None:
    link = invite(oree, "Nina@oree.example".lower())

    newcomer = Browser(headers={"Accept-Language": "fr"})
    shown = newcomer.get(link)
    assert "Rejoindre Oree" in text_of(shown)
    assert not User.objects.filter(email="nina@oree.example").exists(), "looking creates nothing"
    landed = newcomer.post(link, CHOSEN, follow=True)

    assert landed.request["PATH_INFO"] == "/admin/"
    person = User.objects.get(email="nina@oree.example")
    assert (str(person), person.check_password("mots-secrets-2026")) == ("Nina Petit", True)
    assert Membership.objects.get(user=person).role == Role.REVIEWER
    kinds = MemberEvent.objects.values_list("kind", "email", "actor")
    assert set(kinds) == {
        ("invited", person.email, oree.owner.pk),
        ("joined", person.email, person.pk),
    }


def test_a_link_lets_in_once(oree: Tenant) -> None:
    link = invite(oree)
    Browser().post(link, CHOSEN)
    Membership.objects.filter(user__email="nina@oree.example").delete()

    again = Browser(headers={"Accept-Language": "fr"}).post(link, CHOSEN)

    assert again.status_code == 410
    assert "n’est plus valable" in text_of(again)
    assert not Membership.objects.filter(user__email="nina@oree.example").exists()


def test_who_lost_a_race_for_the_link_is_not_let_in(oree: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both read the invitation before one of them accepts it."""
    invitation, token = invitation_create(
        organization=oree.organization, actor=oree.owner, email="nina@oree.example", role=Role.VIEWER
    )
    monkeypatch.setattr(invitations, "invitation_find", lambda _token: invitation)
    nina = User.objects.create_user("nina@oree.example", "mots-secrets-2026")
    invitation_accept(token=token, user=nina)

    refused("invitation_over", lambda: invitation_accept(token=token, user=nina))


def test_an_old_a_withdrawn_a_renewed_and_a_made_up_link_look_alike(oree: Tenant) -> None:
    owner = browser_of(oree.owner)
    links = [invite(oree, f"{name}@oree.example") for name in ("old", "withdrawn", "renewed")]
    rows = {row.email.split("@")[0]: row for row in Invitation.objects.all()}
    Invitation.objects.filter(pk=rows["old"].pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    owner.post(reverse("admin:organizations_invitation_withdraw", args=[rows["withdrawn"].pk]))
    owner.post(reverse("admin:organizations_invitation_send", args=[rows["renewed"].pk]))

    answers = [Browser().get(link) for link in [*links, "/admin/invitation/made-up:up/"]]

    assert {answer.status_code for answer in answers} == {410}
    assert len({text_of(answer) for answer in answers}) == 1
    [sent_again] = re.findall(r"/admin/invitation/[\w:-]+/", str(mail.outbox[-1].body))
    assert Browser().get(sent_again).status_code == 200


def test_a_person_with_an_account_signs_in_and_joins(oree: Tenant, stranger: Tenant) -> None:
    link = invite(oree, stranger.owner.email)

    nobody = Browser(headers={"Accept-Language": "fr"})
    assert f"/admin/login/?next={link}".replace(":", "%3A") in nobody.get(link).content.decode()
    assert nobody.post(link, CHOSEN).status_code == 403, "nobody chooses a password for an account that has one"
    form = {"login": stranger.owner.email, "password": "secret-words-2026", "next": link}
    back = nobody.post("/admin/login/", form, follow=True)
    assert back.request["PATH_INFO"] == link
    nobody.post(link)

    assert stranger.owner.check_password("secret-words-2026")
    with every_tenant():
        assert Membership.objects.filter(user=stranger.owner).count() == 2


def test_somebody_else_who_is_signed_in_cannot_accept(oree: Tenant, stranger: Tenant) -> None:
    link = invite(oree)
    browser = browser_of(stranger.owner)

    assert "Déconnectez-vous" in text_of(browser.get(link))
    assert browser.post(link, CHOSEN).status_code == 403

    assert Invitation.objects.get().accepted_at is None
    with every_tenant():
        assert not Membership.objects.filter(organization=oree.organization, user=stranger.owner).exists()


def test_a_weak_password_is_refused_and_the_link_stays_good(oree: Tenant) -> None:
    link = invite(oree)

    assert Browser().post(link, {**CHOSEN, "password": "password", "again": "password"}).status_code == 422
    assert not User.objects.filter(email="nina@oree.example").exists()
    assert Browser().post(link, CHOSEN).status_code == 302


def test_an_address_is_invited_once_at_a_time_and_members_not_at_all(oree: Tenant) -> None:
    invite(oree)

    def again(email: str) -> Any:
        return invitation_create(organization=oree.organization, actor=oree.owner, email=email, role=Role.VIEWER)

    refused("already_invited", lambda: again("nina@oree.example"))
    refused("already_member", lambda: again(oree.viewer.email))
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    again("nina@oree.example")


def test_an_administrator_invites_no_owner(oree: Tenant) -> None:
    Membership.objects.filter(user=oree.reviewer).update(role=Role.ADMIN)

    response = browser_of(oree.reviewer).post(INVITE, {"email": "nina@oree.example", "role": "owner"})

    assert response.status_code == 422
    assert not Invitation.objects.exists()


def test_whom_a_member_invited_is_not_let_in_once_they_may_no_longer_invite(oree: Tenant) -> None:
    Membership.objects.filter(user=oree.reviewer).update(role=Role.OWNER)
    member = Membership.objects.get(user=oree.reviewer)
    for email, role in (("a@oree.example", Role.OWNER), ("b@oree.example", Role.VIEWER)):
        invitation_create(organization=oree.organization, actor=oree.reviewer, email=email, role=role)

    def still_open() -> set[str]:
        return set(Invitation.objects.filter(revoked_at=None).values_list("email", flat=True))

    member_set_role(membership=member, actor=oree.owner, role=Role.ADMIN)
    assert still_open() == {"b@oree.example"}
    member_remove(membership=member, actor=oree.owner)
    assert still_open() == set()


def test_an_invitation_that_is_over_is_not_sent_again(oree: Tenant) -> None:
    link = invite(oree)
    Browser().post(link, CHOSEN)

    refused("invitation_over", lambda: invitation_renew(invitation=Invitation.objects.get(), actor=oree.owner))


def test_a_mail_server_that_is_down_is_said(oree: Tenant, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9

    response = browser_of(oree.owner).post(INVITE, {"email": "nina@oree.example", "role": "viewer"}, follow=True)

    assert "n’a pas pu partir" in text_of(response)
    assert Invitation.objects.get().sent_at is None
