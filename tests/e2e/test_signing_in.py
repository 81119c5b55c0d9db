"""Signing in in a real browser: an authenticator app, a passkey, an invitation; and what axe says of these pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.authenticator_app import code_of
from tests.axe import violations
from tests.e2e.acting import CLAIRE, PASSWORD, enter_the_administration

PAUL = "paul@maison-oree.example"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def url(stack: Any) -> str:
    """The stack under a name: passkeys know no numeric address."""
    return str(stack.url).replace("127.0.0.1", "localhost")


def clean(page: Page) -> None:
    """The page is as it should be, light and dark, also on a narrow screen."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert violations(page) == [], page.url
    page.set_viewport_size({"width": 360, "height": 780})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    page.set_viewport_size({"width": 1280, "height": 860})


def say_who(page: Page) -> None:
    page.locator("main input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Continuer").click()


def sign_in(page: Page, url: str, email: str) -> None:
    page.goto(f"{url}/admin/login/")
    page.locator("input[name=login]").fill(email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Se connecter", exact=True).click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Se déconnecter").click()
    expect(page).to_have_url(re.compile("/admin/login/"))


def test_an_invited_person_chooses_a_password_and_is_in(people, stack, url):
    claire = people("claire")
    enter_the_administration(claire, url, CLAIRE)
    claire.goto(f"{url}/admin/organizations/membership/add/")
    claire.locator("input[name=email]").fill("nina@maison-oree.example")
    claire.get_by_role("button", name="Envoyer l’invitation").click()
    expect(claire.get_by_text("dans le journal du serveur")).to_be_visible()
    clean(claire)
    claire.get_by_role("link", name="nina@maison-oree.example").click()
    clean(claire)

    nina = people("nina")
    link = re.findall(r"/admin/invitation/[\w:-]+/", stack.log.read_text())[-1]
    nina.goto(url + link)
    clean(nina)
    nina.get_by_label("Mot de passe", exact=True).fill("mots-secrets-2026")
    nina.get_by_label("Mot de passe, une seconde fois").fill("mots-secrets-2026")
    nina.get_by_role("button", name="Accepter et se connecter").click()
    expect(nina).to_have_url(f"{url}/admin/")
    sign_out(nina)
    nina.goto(url + link)
    expect(nina.get_by_role("heading", name="Cette invitation n’est plus valable")).to_be_visible()
    clean(nina)

    nina.goto(f"{url}/admin/login/")
    clean(nina)
    nina.get_by_role("link", name="Mot de passe oublié").click()
    clean(nina)
    nina.locator("input[name=email]").fill("nina@maison-oree.example")
    nina.get_by_role("button", name="M’envoyer le lien").click()
    expect(nina.get_by_role("heading", name="Regardez vos e-mails")).to_be_visible()
    nina.goto(url + re.findall(r"/admin/password/\w+/[\w-]+/", stack.log.read_text())[-1])
    clean(nina)


def test_a_passkey_is_made_and_signs_in_without_a_password(people, url):
    claire = people("claire")
    devices = claire.context.new_cdp_session(claire)
    devices.send("WebAuthn.enable")
    device = devices.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]
    enter_the_administration(claire, url, CLAIRE)
    claire.get_by_role("link", name="Ma connexion").click()
    claire.get_by_role("link", name="Ajouter une clé d’accès").click()
    say_who(claire)
    clean(claire)
    claire.get_by_label("Son nom").fill("Portable")
    claire.get_by_role("button", name="Créer la clé d’accès").click()
    expect(claire.locator(".codes code")).to_have_count(10)
    clean(claire)
    claire.get_by_role("link", name="Je les ai gardés").click()
    expect(claire.get_by_role("link", name="Retirer Portable")).to_be_visible()
    clean(claire)

    sign_out(claire)
    claire.goto(f"{url}/admin/inbox/")
    claire.get_by_role("button", name="Se connecter avec une clé d’accès").click()
    expect(claire).to_have_url(f"{url}/admin/inbox/")

    sign_out(claire)
    sign_in(claire, url, CLAIRE)
    clean(claire)
    claire.get_by_role("button", name="Utiliser une clé d’accès").click()
    expect(claire).to_have_url(f"{url}/admin/")

    sign_out(claire)
    devices.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    claire.get_by_role("button", name="Se connecter avec une clé d’accès").click()
    expect(claire.get_by_text("Aucune clé d’accès n’a été utilisée.")).to_be_visible()

    devices.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": True})
    claire.get_by_role("button", name="Se connecter avec une clé d’accès").click()
    claire.get_by_role("link", name="Ma connexion").click()
    claire.get_by_role("link", name="Retirer Portable").click()
    claire.get_by_role("link", name="Avec une clé d’accès").click()
    clean(claire)
    claire.get_by_role("button", name="Utiliser une clé d’accès").click()
    claire.get_by_role("button", name="Retirer").click()
    expect(claire.get_by_role("link", name="Retirer Portable")).to_be_hidden()
    sign_out(claire)
    claire.get_by_role("button", name="Se connecter avec une clé d’accès").click()
    expect(claire.locator("main [role=status], main [role=alert]:visible").first).to_be_visible()
    expect(claire).to_have_url(re.compile("/admin/login/"))


def test_an_app_is_set_up_and_its_code_asked_for(people, url):
    paul = people("paul")
    enter_the_administration(paul, url, PAUL)
    paul.get_by_role("link", name="Ma connexion").click()
    paul.get_by_role("link", name="Relier l’application").click()
    say_who(paul)
    clean(paul)
    assert paul.locator(".qr").evaluate("image => image.complete && image.naturalWidth > 0")
    secret = paul.locator(".secret").text_content()
    paul.locator("input[name=code]").fill(code_of(secret))
    paul.get_by_role("button", name="Activer").click()
    code = paul.locator(".codes code").first.text_content()

    sign_out(paul)
    sign_in(paul, url, PAUL)
    clean(paul)
    paul.locator("input[name=code]").fill(code)
    paul.get_by_role("button", name="Se connecter", exact=True).click()
    expect(paul).to_have_url(f"{url}/admin/")
