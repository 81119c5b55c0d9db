from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from demo.languages import COOKIE
from demo.models import Customer, Invoice, Order, Product

from .conftest import OrderMaker
from .reading import Outline, every_page

SIGN_IN = "/maison-oree/connexion"
# What another language may change of a tag: what is read aloud, the language itself, and what is filled in.
CHANGING = {"aria-label", "placeholder", "lang", "aria-pressed", "data-locale", "value"}


def language(client: Client, accepted: str = "", address: str = SIGN_IN) -> str | None:
    page = Outline(client.get(address, headers={"accept-language": accepted}).content.decode())
    return page.all("html")[0]["lang"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepted", "shown"),
    [
        ("", "fr"),
        ("*", "fr"),
        ("de, it;q=0.5", "fr"),
        ("en", "en"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("de,en;q=0.7,fr;q=0.3", "en"),
        ("fr;q=0.2, en;q=0.9", "en"),
        ("en;q=0, *", "fr"),
        ("not a language;;;", "fr"),
    ],
)
def test_a_browser_is_shown_the_language_it_prefers_and_french_otherwise(
    client: Client, accepted: str, shown: str
) -> None:
    assert language(client, accepted) == shown


@pytest.mark.django_db
def test_the_language_chosen_is_remembered_whatever_the_browser_prefers(client: Client) -> None:
    response = client.post(reverse("demo:language"), {"language": "en", "next": f"{SIGN_IN}?next=/maison-oree/clients"})
    assert response.headers["Location"] == f"{SIGN_IN}?next=/maison-oree/clients"
    cookie = response.cookies[COOKIE]
    assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == ("/maison-oree/", "Lax", True)
    assert int(cookie["max-age"]) > 300 * 24 * 3600
    assert language(client, "fr") == "en"
    client.post(reverse("demo:language"), {"language": "fr"})
    assert language(client, "en") == "fr"


@pytest.mark.django_db
def test_a_language_the_house_does_not_speak_changes_nothing(client: Client) -> None:
    response = client.post(reverse("demo:language"), {"language": "de", "next": SIGN_IN})
    assert response.status_code == 302
    assert COOKIE not in response.cookies
    client.cookies[COOKIE] = "de"
    assert language(client, "en") == "en"


@pytest.mark.django_db
@pytest.mark.parametrize("target", ["//evil.com", "https://evil.com/maison-oree/", "/admin/", ""])
def test_choosing_a_language_never_leads_out_of_the_house(client: Client, target: str) -> None:
    response = client.post(reverse("demo:language"), {"language": "en", "next": target})
    assert response.headers["Location"] == "/maison-oree/"


@pytest.mark.django_db
def test_a_language_is_not_chosen_by_a_link_nor_by_another_site(client: Client) -> None:
    assert client.get(reverse("demo:language")).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(reverse("demo:language"), {"language": "en"}).status_code == 403


def test_every_page_shows_itself_in_the_other_language(camille: Client) -> None:
    for address in [*every_page(), "/maison-oree/rien"]:
        page = Outline(camille.get(address).content.decode())
        buttons = [button for button in page.all("button") if button.get("name") == "language"]
        assert [(button["value"], button["aria-pressed"]) for button in buttons] == [("fr", "true"), ("en", "false")]
        (target,) = [field["value"] for field in page.all("input") if field.get("name") == "next"]
        assert target == address


@pytest.mark.django_db
def test_the_administration_keeps_its_own_language(client: Client) -> None:
    login = reverse("admin:login")
    before = client.get(login, headers={"accept-language": "fr"}).content.decode()
    client.post(reverse("demo:language"), {"language": "en"})
    assert language(client, "fr", login) == "fr"
    assert Outline(client.get(login, headers={"accept-language": "fr"}).content.decode()).texts == Outline(before).texts
    client.post(reverse("set_language"), {"language": "fr"})
    client.cookies.pop(COOKIE)
    assert language(client, "en", login) == "fr"
    assert language(client, "en") == "en"


def test_pages_are_built_the_same_in_both_languages(camille: Client) -> None:
    def built(address: str, accepted: str) -> list[tuple[str, dict[str, str | None]]]:
        text = camille.get(address, headers={"accept-language": accepted}).content.decode()
        return [
            (tag, {name: value for name, value in attrs.items() if name not in CHANGING})
            for tag, attrs in Outline(text).tags
        ]

    for address in [*every_page(), SIGN_IN]:
        assert built(address, "en") == built(address, "fr"), address


def test_filters_and_badges_keep_their_values_in_english(employee_client: Client, make_order: OrderMaker) -> None:
    make_order("CMD-7", status="En préparation")
    page = reverse("demo:order_list")
    english = {"accept-language": "en"}
    text = employee_client.get(page, {"statut": "En préparation"}, headers=english).content.decode()
    assert '<span class="badge badge--en-preparation">Being prepared</span>' in text
    assert '<option value="En préparation" selected>Being prepared</option>' in text
    assert "1 order for these filters" in text


def test_what_happened_to_an_order_is_told_in_the_language_of_the_reader(
    employee_client: Client, make_order: OrderMaker
) -> None:
    order = make_order("CMD-7")
    page = order.get_absolute_url()
    refund = {"action": "remboursement", "amount": "3,60", "reason": "abime", "confirm": "on"}
    done = employee_client.post(page, refund, headers={"accept-language": "en"}, follow=True).content.decode()
    assert "A refund of €3.60 has been recorded on order CMD-7." in done
    assert "Refund of €3.60: damaged product" in done
    status = {"action": "statut", "seen": "Nouvelle", "status": "En préparation"}
    employee_client.post(page, status, headers={"accept-language": "en"})
    french = employee_client.get(page).content.decode()
    assert "Remboursement de 3,60\u00a0€ : produit abîmé" in french
    assert "Statut : Nouvelle → En préparation" in french
    english = employee_client.get(page, headers={"accept-language": "en"}).content.decode()
    assert "Status: New → Being prepared" in english
    order.refresh_from_db()
    assert order.status == "En préparation"


def test_an_english_invoice_is_typed_and_shown_the_english_way(
    employee_client: Client, customer: Customer, product: Product
) -> None:
    typed = {
        "clientId": customer.pk,
        "due_on": timezone.localdate().isoformat(),
        "discount": "7.5",
        "vat_rate": "20",
        "lines-TOTAL_FORMS": "1",
        "lines-INITIAL_FORMS": "0",
        "lines-0-product": product.pk,
        "lines-0-quantity": "2",
        "lines-0-unit_price": "1,250.50",
        "action": "draft",
    }
    english = {"accept-language": "en"}
    shown = employee_client.post("/maison-oree/factures/nouvelle", typed, headers=english, follow=True)
    text = shown.content.decode()
    draft = Invoice.objects.get()
    assert f"Draft {draft.pk} has been saved." in text
    assert "<dt>Discount 7.5%</dt><dd>− €187.58</dd>" in text
    assert "€2,501.00" in text
    edited = employee_client.get(reverse("demo:invoice_edit", args=[draft.pk]), headers=english).content.decode()
    assert 'value="1250.50"' in edited
    assert 'value="7.5"' in edited


def test_an_english_export_is_one_that_an_english_spreadsheet_reads(
    employee_client: Client, make_order: OrderMaker
) -> None:
    order: Order = make_order("CMD-7")
    response = employee_client.get(reverse("demo:order_export"), headers={"accept-language": "en"})
    assert f'filename="orders-{timezone.localdate():%Y-%m-%d}.csv"' in response.headers["Content-Disposition"]
    (row,) = csv.DictReader(io.StringIO(response.content.decode().removeprefix("\ufeff")))
    assert row["Number"] == "CMD-7"
    assert row["Total (EUR incl. VAT)"] == "33.60"
    assert row["Status"] == "New"
    assert row["Date"] == f"{timezone.localtime(order.placed_at):%Y-%m-%d %H:%M}"
