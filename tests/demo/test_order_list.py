from __future__ import annotations

import csv
import datetime as dt
import io
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from demo.models import Customer, OrderStatus

from .conftest import OrderMaker

PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture
def three_orders(make_order: OrderMaker) -> None:
    make_order("CMD-1", status=OrderStatus.DELIVERED, placed_at=dt.datetime(2026, 3, 1, 0, 5, tzinfo=PARIS))
    make_order("CMD-2", status=OrderStatus.NEW, placed_at=dt.datetime(2026, 3, 2, 12, 0, tzinfo=PARIS))
    other = Customer.objects.create(
        name="Élise Fontanel", email="elise@example.com", street="1 rue A", postal_code="75011", city="Paris"
    )
    late = dt.datetime(2026, 3, 3, 23, 55, tzinfo=PARIS)
    make_order("CMD-3", status=OrderStatus.DELIVERED, placed_at=late, customer=other)


def numbers(employee_client: Client, **query: str) -> list[str]:
    response = employee_client.get(reverse("demo:order_list"), query)
    assert response.status_code == 200
    return [order.number for order in response.context["page"]]


@pytest.mark.usefixtures("three_orders")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["CMD-3", "CMD-2", "CMD-1"]),
        ({"statut": "Livrée"}, ["CMD-3", "CMD-1"]),
        ({"q": "vaubrun"}, ["CMD-2", "CMD-1"]),
        ({"q": "élise cmd-3"}, ["CMD-3"]),
        ({"q": "elise@"}, ["CMD-3"]),
        ({"q": "%"}, []),
        ({"du": "2026-03-01", "au": "2026-03-01"}, ["CMD-1"]),
        ({"du": "2026-03-02"}, ["CMD-3", "CMD-2"]),
        ({"au": "2026-03-03", "du": "2026-03-03"}, ["CMD-3"]),
        ({"statut": "Livrée", "au": "02/03/2026"}, ["CMD-1"]),
    ],
)
def test_filters_keep_what_matches_and_nothing_else(
    employee_client: Client, query: dict[str, str], expected: list[str]
) -> None:
    assert numbers(employee_client, **query) == expected


@pytest.mark.usefixtures("three_orders")
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"du": "2026-03-03", "au": "2026-03-01"}, "La fin de la période précède son début."),
        ({"du": "hier"}, "Saisissez une date valide (jj/mm/aaaa)."),
        ({"statut": "Perdue"}, "Sélectionnez un choix valide."),
        ({"q": "\x00"}, "Le caractère nul n’est pas autorisé."),
    ],
)
def test_a_filter_in_error_says_so_and_is_not_exported(
    employee_client: Client, query: dict[str, str], message: str
) -> None:
    page = employee_client.get(reverse("demo:order_list"), query)
    assert message in page.content.decode().replace("&#x27;", "'")
    export = employee_client.get(reverse("demo:order_export"), query)
    assert export.status_code == 302
    assert export.headers["Location"].startswith(reverse("demo:order_list"))


def rows_of(response: Any) -> list[dict[str, str]]:
    text = response.content.decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))


@pytest.mark.usefixtures("three_orders")
def test_the_export_honours_the_filters(employee_client: Client) -> None:
    response = employee_client.get(reverse("demo:order_export"), {"statut": "Livrée"})
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in response.headers["Content-Disposition"]
    rows = rows_of(response)
    assert [row["Numéro"] for row in rows] == ["CMD-3", "CMD-1"]
    assert rows[0]["Date"] == "03/03/2026 23:55"
    assert rows[0]["Total (EUR TTC)"] == "33,60"
    assert rows[0]["Client"] == "Élise Fontanel"


def test_a_customer_named_like_a_formula_is_exported_as_text(
    employee_client: Client, customer: Customer, make_order: OrderMaker
) -> None:
    customer.name = '=HYPERLINK("https://evil.example")'
    customer.save()
    make_order("CMD-9")
    (row,) = rows_of(employee_client.get(reverse("demo:order_export")))
    assert row["Client"] == '\'=HYPERLINK("https://evil.example")'


def test_long_lists_come_in_pages_that_keep_the_filters(employee_client: Client, make_order: OrderMaker) -> None:
    for index in range(25):
        make_order(f"CMD-{100 + index}", status=OrderStatus.SHIPPED)
    first = employee_client.get(reverse("demo:order_list"), {"statut": "Expédiée"})
    assert len(first.context["page"]) == 20
    assert "?statut=Exp%C3%A9di%C3%A9e&amp;page=2" in first.content.decode()
    assert len(numbers(employee_client, statut="Expédiée", page="2")) == 5
    assert len(numbers(employee_client, page="nonsense")) == 20


def test_a_longer_list_costs_no_more_queries(
    employee_client: Client, make_order: OrderMaker, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for index in range(20):
        make_order(f"CMD-{100 + index}")
    with django_assert_max_num_queries(6):
        employee_client.get(reverse("demo:order_list"))
