from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from demo.models import Employee
from demo.signin import SESSION_KEY

from .conftest import PASSWORD

HOME = "/maison-oree/"


def sign_in(client: Client, *, next_: str = "", password: str = PASSWORD) -> str | None:
    response = client.post(
        reverse("demo:sign_in"), {"email": "Camille.Roux@example.com", "password": password, "next": next_}
    )
    return response.headers.get("Location")


def test_the_right_password_opens_the_first_page(client: Client, employee: Employee) -> None:
    assert sign_in(client) == HOME
    assert client.get(HOME).status_code == 200


def test_a_wrong_password_and_an_unknown_address_are_told_the_same(client: Client, employee: Employee) -> None:
    wrong = client.post(reverse("demo:sign_in"), {"email": employee.email, "password": "non"})
    unknown = client.post(reverse("demo:sign_in"), {"email": "personne@example.com", "password": "non"})
    for response in (wrong, unknown):
        assert response.status_code == 200
        assert "Adresse e-mail ou mot de passe incorrect." in response.content.decode()
    assert SESSION_KEY not in client.session


def test_the_session_key_changes_at_sign_in(client: Client, employee: Employee) -> None:
    session = client.session
    session["cart"] = 1
    session.save()
    before = session.session_key
    sign_in(client)
    assert client.session.session_key != before


@pytest.mark.parametrize("name", ["dashboard", "order_list", "order_export", "invoice_list", "invoice_create"])
def test_pages_send_strangers_to_sign_in_and_back(client: Client, employee: Employee, name: str) -> None:
    page = reverse(f"demo:{name}") + "?statut=Livr%C3%A9e"
    response = client.get(page)
    assert response.status_code == 302
    form_page = client.get(response.headers["Location"])
    assert sign_in(client, next_=form_page.context["next"]) == page


@pytest.mark.parametrize(
    "target",
    [
        "//evil.com",
        "/\\evil.com",
        "/\\/evil.com",
        "https://evil.com/maison-oree/",
        "///evil.com",
        "javascript:alert(1)",
        "/admin/",
        "\t//evil.com",
        "",
    ],
)
def test_sign_in_never_leads_out_of_the_house(client: Client, employee: Employee, target: str) -> None:
    assert sign_in(client, next_=target) == HOME


def test_signing_out_leaves_other_sign_ins_of_the_site_alone(employee_client: Client) -> None:
    session = employee_client.session
    session["another_sign_in"] = "kept"
    session.save()
    employee_client.post(reverse("demo:sign_out"))
    assert SESSION_KEY not in employee_client.session
    assert employee_client.session["another_sign_in"] == "kept"
    assert employee_client.get(HOME).status_code == 302


def test_signing_out_by_a_link_is_refused(employee_client: Client) -> None:
    assert employee_client.get(reverse("demo:sign_out")).status_code == 405
    assert employee_client.get(HOME).status_code == 200


def test_forms_without_a_csrf_token_are_refused(employee: Employee) -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(reverse("demo:sign_in"), {"email": employee.email, "password": PASSWORD})
    assert response.status_code == 403


@pytest.mark.usefixtures("house")
def test_each_demonstration_account_has_a_form_that_signs_in(client: Client) -> None:
    page = client.get(reverse("demo:sign_in"))
    accounts = list(page.context["demo_accounts"])
    assert [account.full_name for account in accounts] == ["Camille Roux", "Hugo Marchand", "Nadia Benali"]
    for account in accounts:
        fresh = Client()
        fresh.post(reverse("demo:sign_in"), {"email": account.email, "password": page.context["demo_password"]})
        assert fresh.session[SESSION_KEY] == account.pk
