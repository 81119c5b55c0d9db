from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from demo.models import Customer, Employee, Invoice, InvoiceStatus, Order, OrderStatus, Product
from demo.seed import seed_maison_oree

from .reading import Outline, every_page

CONFIG = {
    "script_url": "https://circuy.example/static/circuy/circuy.js",
    "publishable_key": "pk_test_123",
    "identity_secret": "a secret of the house",
}


@pytest.fixture(autouse=True)
def circuy_config(settings: Settings) -> None:
    settings.MAISON_OREE_CIRCUY = CONFIG


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_page_is_a_sound_document_in_its_language(camille: Client, language: str) -> None:
    titles = set()
    for address in every_page():
        response = camille.get(address, headers={"accept-language": language})
        text = response.content.decode()
        page = Outline(text)
        assert response.status_code == 200, address
        assert response.headers["Content-Language"] == language, address
        assert {"Accept-Language", "Cookie"} <= set(response.headers["Vary"].split(", ")), address
        assert len(page.all("h1")) == 1, address
        assert page.all("html")[0]["lang"] == language, address
        ids = [attrs["id"] for _, attrs in page.tags if attrs.get("id")]
        assert len(ids) == len(set(ids)), address
        named = {label["for"] for label in page.all("label")}
        for control in page.all("input", "select", "textarea"):
            if control.get("type") != "hidden":
                assert control.get("id") in named, (address, control)
        assert len(page.all("table")) == len(page.all("caption")), address
        titles.add(re.search(r"<title>(.*?)</title>", text, re.S).group(1))  # type: ignore[union-attr]
    assert len(titles) >= 10


def test_pages_carry_no_inline_script_or_style(camille: Client) -> None:
    for address in [*every_page(), reverse("demo:sign_in")]:
        page = Outline(camille.get(address).content.decode())
        assert not page.all("style"), address
        assert all(script.get("src") for script in page.all("script")), address
        for tag, attrs in page.tags:
            handlers = [name for name in attrs if name == "style" or name.startswith("on")]
            assert not handlers, (address, tag, handlers)


def test_the_orders_table_links_orders_by_their_number(camille: Client) -> None:
    text = camille.get("/maison-oree/commandes").content.decode()
    assert '<caption class="visually-hidden">Commandes</caption>' in text
    assert '<a href="/maison-oree/commandes/CMD-1042">CMD-1042</a>' in text
    assert "Filtrer</button>" in text


@pytest.mark.parametrize("path", ["commandes/CMD-999999", "factures/999999", "clients/99999999999999999999", "rien"])
def test_what_does_not_exist_gets_the_house_s_own_page(camille: Client, path: str) -> None:
    response = camille.get(f"/maison-oree/{path}")
    assert response.status_code == 404
    assert "Page introuvable" in response.content.decode()


def test_a_final_slash_is_put_right(camille: Client) -> None:
    response = camille.get("/maison-oree/commandes/?statut=Nouvelle")
    assert response.headers["Location"] == "/maison-oree/commandes?statut=Nouvelle"


def circuy_tag(client: Client, address: str, language: str = "") -> dict[str, str | None] | None:
    scripts = Outline(client.get(address, headers={"accept-language": language}).content.decode()).all("script")
    return next((script for script in scripts if "data-key" in script), None)


def test_every_page_loads_circuy_for_the_signed_in_employee(camille: Client) -> None:
    proof = hmac.new(b"a secret of the house", b"camille.roux", hashlib.sha256).hexdigest()
    for address in every_page():
        assert circuy_tag(camille, address) == {
            "src": "https://circuy.example/static/circuy/circuy.js",
            "data-key": "pk_test_123",
            "data-locale": "fr",
            "data-user-id": "camille.roux",
            "data-user-hash": proof,
            "async": None,
        }


@pytest.mark.parametrize("language", ["fr", "en"])
def test_circuy_speaks_the_language_of_the_page(camille: Client, language: str) -> None:
    tag = circuy_tag(camille, reverse("demo:dashboard"), language)
    assert tag is not None
    assert tag["data-locale"] == language


@pytest.mark.usefixtures("house")
def test_nobody_is_identified_before_signing_in(client: Client) -> None:
    tag = circuy_tag(client, reverse("demo:sign_in"))
    assert tag is not None
    assert tag["data-key"] == "pk_test_123"
    assert "data-user-id" not in tag


def test_without_a_key_there_is_no_circuy(camille: Client, settings: Settings) -> None:
    settings.MAISON_OREE_CIRCUY = CONFIG | {"publishable_key": ""}
    assert circuy_tag(camille, reverse("demo:dashboard")) is None
    del settings.MAISON_OREE_CIRCUY
    assert circuy_tag(camille, reverse("demo:dashboard")) is None


def test_without_an_identity_secret_the_employee_stays_anonymous(camille: Client, settings: Settings) -> None:
    settings.MAISON_OREE_CIRCUY = CONFIG | {"identity_secret": ""}
    tag = circuy_tag(camille, reverse("demo:dashboard"))
    assert tag is not None
    assert "data-user-id" not in tag


@pytest.mark.usefixtures("house")
def test_the_seed_is_believable_and_complete() -> None:
    assert Product.objects.count() == 12
    assert Customer.objects.count() == 25
    assert Order.objects.count() == 60
    assert set(Order.objects.values_list("status", flat=True)) == set(OrderStatus.values)
    assert set(Invoice.objects.values_list("status", flat=True)) == set(InvoiceStatus.values)
    assert Order.objects.get(number="CMD-1042").status == OrderStatus.DELIVERED
    for order in Order.objects.prefetch_related("lines", "refunds"):
        assert order.paid_amount in {0, order.total}
        assert order.refundable_amount >= 0
        assert (order.status == OrderStatus.REFUNDED) == (order.refunded_amount == order.paid_amount > 0)
    assert not Customer.objects.exclude(email__endswith="@example.com").exists()


def test_seeding_twice_changes_nothing(house: None) -> None:
    Order.objects.get(number="CMD-1001").lines.all().delete()
    assert seed_maison_oree() is False
    assert not Order.objects.get(number="CMD-1001").lines.exists()


@pytest.mark.django_db
def test_the_seed_is_the_same_on_any_day_of_the_year() -> None:
    def story(now: dt.datetime) -> list[tuple[str, str, str]]:
        seed_maison_oree(now=now)
        told = [(order.number, order.status, f"{order.total}") for order in Order.objects.prefetch_related("lines")]
        for order in Order.objects.all():
            order.refunds.all().delete()
            order.delete()
        Invoice.objects.all().delete()
        for model in (Customer, Product, Employee):
            model.objects.all().delete()
        return told

    march = story(dt.datetime(2026, 3, 29, 3, 0, tzinfo=dt.UTC))
    assert march == story(dt.datetime(2027, 1, 2, 21, 0, tzinfo=dt.UTC))
