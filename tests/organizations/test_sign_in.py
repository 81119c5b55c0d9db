"""Signing in to the administration: passwords, second factors, limits, and the ways round them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import identify_hasher, make_password
from django.core import mail
from django.core.management import call_command
from django.urls import reverse

from circuy import settings as real_settings
from organizations.models import MemberEvent, Membership, Organization, Role, User
from organizations.scoping import every_tenant
from tests.admin.conftest import Browser, browser_of, text_of
from tests.authenticator_app import code_of
from tests.fixtures import Tenant

PASSWORD = "secret-words-2026"
LOGIN = "/admin/login/"


def sign_in(browser: Browser, user: User, password: str = PASSWORD, **more: str) -> Any:
    return browser.post(LOGIN, {"login": user.email, "password": password, **more})


def set_up_app(browser: Browser) -> tuple[str, list[str]]:
    """Set up an authenticator app as its owner does; return its secret and the recovery codes."""
    asked = browser.get(reverse("mfa_activate_totp"), follow=True)
    assert asked.request["PATH_INFO"] == reverse("account_reauthenticate"), "who changes this says who they are"
    form = {"password": PASSWORD, "next": reverse("mfa_activate_totp")}
    page = browser.post(reverse("account_reauthenticate"), form, follow=True)
    secret = re.search(r'class="secret"[^>]*>(\w+)<', page.content.decode())
    assert secret
    done = browser.post(reverse("mfa_activate_totp"), {"code": code_of(secret[1])}, follow=True)
    assert done.request["PATH_INFO"] == reverse("mfa_view_recovery_codes")
    return secret[1], re.findall(r"<code>(\d{8})</code>", done.content.decode())


def test_new_passwords_are_kept_with_argon2(settings: Any) -> None:
    settings.PASSWORD_HASHERS = real_settings.PASSWORD_HASHERS

    assert identify_hasher(make_password(PASSWORD)).algorithm == "argon2"


def test_a_known_and_an_unknown_address_are_answered_alike(oree: Tenant) -> None:
    def words(email: str) -> str:
        page = Browser().post(LOGIN, {"login": email, "password": "wrong"})
        return text_of(page).replace(email, "")

    assert words(oree.viewer.email) == words("nobody@nowhere.example")

    mail.outbox.clear()
    pages = []
    for email in (oree.viewer.email, "nobody@nowhere.example"):
        answer = Browser().post(reverse("account_reset_password"), {"email": email})
        pages.append((answer.status_code, answer.headers["Location"]))
    assert len(set(pages)) == 1
    assert [message.to for message in mail.outbox] == [[oree.viewer.email], ["nobody@nowhere.example"]]
    assert "/admin/password/" not in mail.outbox[1].body


def test_there_is_no_door_to_make_an_account(db: None) -> None:
    for path in ("/admin/signup/", "/admin/account/signup/", "/accounts/signup/"):
        assert Browser().get(path, follow=True).request["PATH_INFO"] in (path, LOGIN)


@pytest.mark.parametrize(
    "wanted",
    ["https://evil.example/", "//evil.example", r"/\evil.example", "javascript:alert(1)", "https:evil.example"],
)
def test_signing_in_leads_nowhere_else(oree: Tenant, wanted: str) -> None:
    assert sign_in(Browser(), oree.viewer, next=wanted).headers["Location"] == "/admin/"


def test_signing_in_gives_the_session_another_key(oree: Tenant) -> None:
    browser = Browser()
    browser.get(LOGIN)
    browser.get(reverse("account_reset_password"))
    session: Any = browser.session
    session["planted"] = "yes"
    session.save()
    browser.cookies["sessionid"] = session.session_key

    sign_in(browser, oree.viewer)

    assert browser.cookies["sessionid"].value != session.session_key


def test_a_changed_password_ends_the_other_sessions(oree: Tenant) -> None:
    here, elsewhere = browser_of(oree.viewer), browser_of(oree.viewer)
    new = {"password1": "autres-mots-2026", "password2": "autres-mots-2026"}

    here.post(reverse("admin:password_change"), {"oldpassword": PASSWORD, **new})

    assert here.get("/admin/").status_code == 200
    assert elsewhere.get("/admin/").status_code == 302
    assert mail.outbox[-1].to == [oree.viewer.email], "its owner is told"


def test_a_forgotten_password_is_replaced_by_the_link_of_the_mail_once(oree: Tenant) -> None:
    signed_in = browser_of(oree.viewer)
    Browser().post(reverse("account_reset_password"), {"email": oree.viewer.email.upper()})
    link = re.search(r"/admin/password/\w+/[\w-]+/", str(mail.outbox[-1].body))
    assert link
    browser = Browser(headers={"Accept-Language": "fr"})
    page = browser.get(link.group(), follow=True)
    new = {"password1": "autres-mots-2026", "password2": "autres-mots-2026"}
    browser.post(page.request["PATH_INFO"], new)

    assert signed_in.get("/admin/").status_code == 302
    assert sign_in(Browser(), oree.viewer, "autres-mots-2026").status_code == 302
    assert "n’est plus valable" in text_of(Browser(headers={"Accept-Language": "fr"}).get(link.group(), follow=True))


def test_passwords_cannot_be_tried_for_ever(oree: Tenant, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "60/m/ip,2/5m/key"}
    for _ in range(2):
        sign_in(Browser(), oree.viewer, "wrong")

    assert sign_in(Browser(), oree.viewer).status_code == 200, "even the right one has to wait"
    assert sign_in(Browser(), oree.author).status_code == 302
    elsewhere = Browser(REMOTE_ADDR="203.0.113.9")
    assert sign_in(elsewhere, oree.viewer).status_code == 302, "who guesses locks nobody else out"


@pytest.mark.parametrize(("proxies", "let_in"), [(0, False), (1, True)])
def test_tries_are_counted_by_the_address_that_a_trusted_proxy_names(
    oree: Tenant, settings: Any, proxies: int, let_in: bool
) -> None:
    settings.NUM_PROXIES = proxies
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "60/m/ip,2/5m/key"}
    for number in range(2):
        sign_in(Browser(headers={"X-Forwarded-For": f"198.51.100.{number}"}), oree.viewer, "wrong")

    asked = sign_in(Browser(headers={"X-Forwarded-For": "198.51.100.9"}), oree.viewer)

    assert (asked.status_code == 302) == let_in


def test_whoever_signs_in_often_is_not_taken_for_a_guesser(oree: Tenant, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "60/m/ip,2/5m/key"}

    assert [sign_in(Browser(), oree.viewer).status_code for _ in range(4)] == [302] * 4


def test_sign_in_works_while_valkey_is_gone(oree: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("organizations.valkey.is_resting", lambda: True)

    assert sign_in(Browser(), oree.viewer).headers["Location"] == "/admin/"


def test_a_code_of_the_app_is_asked_for_after_the_password_and_counts_once(oree: Tenant) -> None:
    secret, codes = set_up_app(browser_of(oree.viewer))
    assert len(codes) == 10
    kept = Authenticator.objects.get(user=oree.viewer, type="totp")
    assert secret not in str(kept.data), "the secret is encrypted at rest"

    browser = Browser()
    assert sign_in(browser, oree.viewer, next="/admin/inbox/").headers["Location"] == reverse("mfa_authenticate")
    assert browser.get("/admin/").status_code == 302, "a password alone opens nothing"
    assert browser.post(reverse("mfa_authenticate"), {"code": "000000"}).status_code == 200
    code = code_of(secret)
    entered = browser.post(reverse("mfa_authenticate"), {"code": code})
    assert entered.headers["Location"] == "/admin/inbox/"

    second = Browser()
    sign_in(second, oree.viewer)
    assert second.post(reverse("mfa_authenticate"), {"code": code}).status_code == 200, "a code that was used is over"
    assert second.post(reverse("mfa_authenticate"), {"code": codes[0]}).status_code == 302
    third = Browser()
    sign_in(third, oree.viewer)
    assert third.post(reverse("mfa_authenticate"), {"code": codes[0]}).status_code == 200


def test_codes_cannot_be_tried_for_ever(oree: Tenant, settings: Any) -> None:
    secret, _codes = set_up_app(browser_of(oree.viewer))
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "60/m/ip,2/5m/key"}
    browser = Browser(headers={"Accept-Language": "fr"})
    sign_in(browser, oree.viewer)
    for _ in range(2):
        browser.post(reverse("mfa_authenticate"), {"code": "000000"})

    answer = browser.post(reverse("mfa_authenticate"), {"code": code_of(secret)})

    assert "Trop d’essais" in text_of(answer)


def test_a_second_factor_is_neither_seen_nor_removed_without_saying_who_one_is(oree: Tenant) -> None:
    set_up_app(browser_of(oree.viewer))
    stolen = browser_of(oree.viewer)

    for name in ("mfa_view_recovery_codes", "mfa_download_recovery_codes", "mfa_deactivate_totp", "mfa_add_webauthn"):
        assert stolen.get(reverse(name)).headers["Location"].startswith(reverse("account_reauthenticate")), name
    assert stolen.post(reverse("mfa_deactivate_totp")).headers["Location"].startswith(reverse("account_reauthenticate"))
    assert Authenticator.objects.filter(user=oree.viewer).count() == 2


def require_factor(tenant: Tenant) -> None:
    Organization.objects.filter(pk=tenant.organization.pk).update(require_second_factor=True)


def test_who_is_asked_for_a_second_factor_sees_nothing_until_they_have_one(oree: Tenant) -> None:
    require_factor(oree)
    browser = browser_of(oree.owner)

    for path in ("/admin/", "/admin/inbox/", reverse("slack_oauth_start"), "/admin/no-such-page/"):
        for method in (browser.get, browser.post):
            assert method(path).headers["Location"] == reverse("mfa_index"), path
    page = browser.get(reverse("mfa_index"))
    assert "Oree demande" in text_of(page)
    assert reverse("admin:organizations_sdkkey_changelist") not in page.content.decode()

    set_up_app(browser)

    assert browser.get("/admin/").status_code == 200


def test_an_organization_asks_only_once_who_sets_it_has_one(oree: Tenant) -> None:
    url = reverse("admin:organizations_organization_change", args=[oree.organization.pk])
    form = {
        "name": "Orée",
        "locale": "fr",
        "llm_provider": "local",
        "monthly_token_budget": "1",
        "retention_days": "1",
        "review_remind_days": "3",
        "review_expire_days": "30",
        "require_second_factor": "on",
    }
    browser = browser_of(oree.owner)
    assert "require_second_factor" in browser.post(url, form).context["form"].errors

    set_up_app(browser)
    browser.post(url, form)

    assert Organization.objects.get(pk=oree.organization.pk).require_second_factor
    assert MemberEvent.objects.filter(kind="factor_asked", actor=oree.owner).exists()


def reset_factor(who: User, of: User) -> Any:
    with every_tenant():
        member = Membership.objects.filter(user=of).order_by("pk")[0]
    url = reverse("admin:organizations_membership_reset_factor", args=[member.pk])
    return browser_of(who).post(url, follow=True)


def test_an_owner_resets_the_second_factor_of_a_member_who_lost_theirs(oree: Tenant) -> None:
    set_up_app(browser_of(oree.viewer))
    mail.outbox.clear()

    reset_factor(oree.owner, oree.viewer)

    assert not Authenticator.objects.filter(user=oree.viewer).exists()
    assert [message.to for message in mail.outbox] == [[oree.viewer.email]]
    event = MemberEvent.objects.get()
    assert (event.kind, event.actor, event.email) == ("factor_reset", oree.owner, oree.viewer.email)


def test_nobody_else_resets_it(oree: Tenant, stranger: Tenant) -> None:
    set_up_app(browser_of(oree.viewer))
    set_up_app(browser_of(oree.owner))
    Membership.objects.filter(user=oree.reviewer).update(role=Role.ADMIN)
    assert reset_factor(oree.reviewer, oree.viewer).status_code == 403
    assert reset_factor(stranger.owner, oree.viewer).status_code == 404
    reset_factor(oree.owner, oree.owner)
    with every_tenant():
        Membership.objects.create(organization=stranger.organization, user=oree.viewer, role=Role.VIEWER)
    answer = reset_factor(oree.owner, oree.viewer)

    assert "utilisé ailleurs" in text_of(answer), "the safety of another organization is not theirs to lower"
    assert Authenticator.objects.filter(type="totp").count() == 2
    call_command("reset_second_factor", oree.viewer.email)
    assert not Authenticator.objects.filter(user=oree.viewer).exists()
