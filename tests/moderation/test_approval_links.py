"""Approval links: one member, one version, seven days; looking decides nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from moderation.links.tokens import LASTS, approval_token
from moderation.models import Decision
from moderation.notifications.message import message_of
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.models import Membership, Role
from organizations.scoping import every_tenant, tenant_scope
from skills.models import PageSkill
from tests.admin.conftest import Browser, browser_of, text_of


def link_for(tenant: Any, skill: PageSkill, user: Any) -> str:
    with tenant_scope(tenant.organization.pk):
        member = Membership.objects.get(user=user, organization=tenant.organization)
        return reverse("admin:decide", args=[approval_token(message_of(skill), member)])


@pytest.fixture
def skill(oree):
    return oree.learn(approve=False)


@pytest.fixture
def link(oree, skill):
    return link_for(oree, skill, oree.reviewer)


def verdicts() -> int:
    with every_tenant():
        return Decision.objects.filter(verb__in=[Verb.APPROVE, Verb.REJECT, Verb.REQUEST_CHANGES]).count()


def test_looking_shows_what_would_be_decided_and_decides_nothing(oree, skill, link):
    response = browser_of(oree.reviewer).get(link)
    assert response.status_code == 200
    words = text_of(response)
    assert "Création de facture" in words
    for button in ("Approuver", "Refuser", "Demander des modifications"):
        assert button in words
    assert verdicts() == 0


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_a_mail_scanner_or_a_prefetch_decides_nothing(oree, skill, link, method):
    """Case 34, signed in or not, whatever stands in the address."""
    for browser in (Browser(), browser_of(oree.reviewer)):
        for address in (link, f"{link}?do=approve", f"{link}?done=approve"):
            getattr(browser, method)(address)
    assert verdicts() == 0
    skill.refresh_from_db()
    assert skill.status == Status.PENDING_REVIEW


def test_who_is_not_signed_in_does_so_and_comes_back(link):
    response = Browser().get(link)
    assert response.status_code == 302
    assert unquote(response.headers["Location"]) == f"/admin/login/?next={link}"


def test_nobody_decides_without_signing_in(link):
    assert Browser().post(link, {"do": "approve"}).status_code == 302
    assert verdicts() == 0


def test_a_post_from_another_site_is_refused(oree, link):
    browser = Browser(enforce_csrf_checks=True)
    browser.force_login(oree.reviewer)
    assert browser.post(link, {"do": "approve"}).status_code == 403
    assert verdicts() == 0


def test_a_press_approves_and_the_journal_says_by_which_door(oree, skill, link):
    response = browser_of(oree.reviewer).post(link, {"do": "approve"}, follow=True)
    assert "Approuvé" in text_of(response)
    skill.refresh_from_db()
    assert (skill.status, skill.reviewed_by) == (Status.PUBLISHED, oree.reviewer)
    assert Decision.objects.get(verb=Verb.APPROVE).channel == Decision.Channel.EMAIL


def test_a_rejection_needs_a_reason_and_keeps_it(oree, skill, link):
    browser = browser_of(oree.reviewer)
    refused = browser.post(link, {"do": "reject", "reason": " "})
    assert refused.status_code == 422
    assert verdicts() == 0
    browser.post(link, {"do": "reject", "reason": "Trop long."})
    assert Decision.objects.get(verb=Verb.REJECT).reason == "Trop long."


def test_a_used_link_says_what_was_decided_and_decides_no_more(oree, skill, link):
    browser = browser_of(oree.reviewer)
    browser.post(link, {"do": "approve"}, follow=True)
    response = browser.get(link)
    assert f"éjà décidé par {oree.reviewer}" in text_of(response)
    assert 'name="do"' not in response.content.decode()
    again = browser.post(link, {"do": "reject", "reason": "Non."})
    assert again.status_code == 409
    assert verdicts() == 1


def test_a_link_to_an_older_version_says_so_and_decides_nothing(oree, skill, link):
    """Case 40."""
    PageSkill.objects.filter(pk=skill.pk).update(digest="f" * 64, version=2)
    browser = browser_of(oree.reviewer)
    assert "a changé depuis l’envoi" in text_of(browser.get(link))
    assert browser.post(link, {"do": "approve"}).status_code == 409
    assert verdicts() == 0


def test_a_link_expires_and_says_so(oree, link, monkeypatch):
    later = timezone.now() + LASTS + timedelta(minutes=1)
    monkeypatch.setattr("django.core.signing.time.time", later.timestamp)
    response = browser_of(oree.reviewer).get(link)
    assert response.status_code == 410
    assert "a expiré" in text_of(response)
    assert browser_of(oree.reviewer).post(link, {"do": "approve"}).status_code == 410
    assert verdicts() == 0


def test_another_member_gets_no_further_than_the_door(oree, skill, link):
    for member in (oree.owner, oree.viewer):
        response = browser_of(member).get(link)
        assert response.status_code == 403
        assert "Création de facture" not in text_of(response)
        assert browser_of(member).post(link, {"do": "approve"}).status_code == 403
    assert verdicts() == 0


def test_a_stranger_gets_no_further_either(oree, stranger, link):
    browser = browser_of(stranger.owner)
    assert browser.get(link).status_code == 403
    assert browser.post(link, {"do": "approve"}).status_code == 403
    assert verdicts() == 0


def test_a_strangers_own_link_opens_nothing_here(oree, stranger, skill):
    """A link made for their member, about our subject."""
    with tenant_scope(stranger.organization.pk):
        member = Membership.objects.get(user=stranger.reviewer)
    token = approval_token(message_of(skill), member)
    browser = browser_of(stranger.reviewer)
    assert browser.get(reverse("admin:decide", args=[token])).status_code == 404
    assert browser.post(reverse("admin:decide", args=[token]), {"do": "approve"}).status_code == 404
    assert verdicts() == 0


def test_who_is_no_longer_a_member_or_a_reviewer_decides_nothing(oree, skill, link):
    Membership.objects.filter(user=oree.reviewer).update(role=Role.VIEWER)
    assert browser_of(oree.reviewer).post(link, {"do": "approve"}).status_code == 403
    Membership.objects.filter(user=oree.reviewer).delete()
    assert browser_of(oree.reviewer).get(link).status_code in (302, 403)
    assert verdicts() == 0


def test_nobody_approves_their_own_work_by_a_link(oree, skill):
    """Case 44."""
    Membership.objects.filter(user=oree.author).update(role=Role.REVIEWER)
    own = link_for(oree, skill, oree.author)
    assert browser_of(oree.author).post(own, {"do": "approve"}).status_code == 403
    assert verdicts() == 0


@pytest.mark.parametrize(
    "tamper", [lambda t: t[:-1] + ("A" if t[-1] != "A" else "B"), lambda t: "x" + t, lambda _t: "nothing"]
)
def test_a_tampered_link_is_no_link(oree, link, tamper):
    token = link.removesuffix("/").rpartition("/")[2]
    address = reverse("admin:decide", args=[tamper(token)])
    assert browser_of(oree.reviewer).get(address).status_code == 404
    assert browser_of(oree.reviewer).post(address, {"do": "approve"}).status_code == 404


@pytest.mark.parametrize("content", [[], {}, "x", None, ["tour", "x", "y", "z"], [1, 2, 3, 4]])
def test_what_was_signed_for_something_else_is_no_link(oree, content):
    for salt in ("moderation.links.approval", "moderation.slack.linking"):
        token = signing.dumps(content, salt=salt, compress=True)
        assert browser_of(oree.reviewer).get(reverse("admin:decide", args=[token])).status_code == 404


def test_what_is_gone_is_not_there(oree, skill, link):
    skill.delete()
    assert browser_of(oree.reviewer).get(link).status_code == 404


def test_two_links_at_once_make_one_decision(oree, skill, link):
    other = link_for(oree, skill, oree.owner)
    assert browser_of(oree.owner).post(other, {"do": "approve"}).status_code == 302
    response = browser_of(oree.reviewer).post(link, {"do": "reject", "reason": "Non."})
    assert response.status_code == 409
    assert str(oree.owner) in text_of(response)
    assert verdicts() == 1


def test_an_unknown_button_does_nothing(oree, link):
    assert browser_of(oree.reviewer).post(link, {"do": "archive"}).status_code == 400
    assert verdicts() == 0


def test_a_decision_elsewhere_is_told_by_the_link(oree, skill, link):
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.owner,
        verb=Verb.REJECT,
        seen_digest=skill.digest,
        reason="Non.",
    )
    assert f"éjà décidé par {oree.owner}" in text_of(browser_of(oree.reviewer).get(link))


def test_a_first_of_two_approvals_says_that_another_is_needed(oree, skill, link):
    oree.organization.two_approvals = True
    oree.organization.save()
    response = browser_of(oree.reviewer).post(link, {"do": "approve"}, follow=True)
    assert "attend encore l’approbation d’une autre personne" in text_of(response)
    assert 'value="approve"' not in response.content.decode()
    skill.refresh_from_db()
    assert skill.status == Status.PENDING_REVIEW
    browser_of(oree.owner).post(link_for(oree, skill, oree.owner), {"do": "approve"})
    skill.refresh_from_db()
    assert skill.status == Status.PUBLISHED


def test_an_address_that_says_what_was_done_is_not_believed(oree, skill, link):
    browser = browser_of(oree.reviewer)
    browser.post(link, {"do": "reject", "reason": "Non."}, follow=True)
    words = text_of(browser.get(f"{link}?done=approve"))
    assert "Approuvé" not in words
    assert f"éjà décidé par {oree.reviewer}" in words


def test_what_was_decided_is_said_once_by_the_page_that_follows(oree, skill, link):
    browser = browser_of(oree.reviewer)
    assert browser.post(link, {"do": "approve"}).headers["Location"] == link
    page = text_of(browser.get(link))
    assert "Approuvé" in page
    assert "éjà décidé" not in page
