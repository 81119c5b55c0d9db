from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from demo import services
from demo.models import Customer, Invoice, InvoiceStatus, Product

NEW = "/maison-oree/factures/nouvelle"


@pytest.fixture
def typed(customer: Customer, product: Product) -> dict[str, str]:
    """The form filled in: 2,5 × 8,10 €, less 10 %, at 5,5 %."""
    return {
        "clientId": str(customer.pk),
        "due_on": (timezone.localdate() + dt.timedelta(days=30)).isoformat(),
        "discount": "10",
        "vat_rate": "5.5",
        "note": "Merci !",
        "lines-TOTAL_FORMS": "2",
        "lines-INITIAL_FORMS": "0",
        "lines-0-product": str(product.pk),
        "lines-0-quantity": "2,5",
        "lines-0-unit_price": "8,10",
        "lines-1-product": "",
        "lines-1-quantity": "",
        "lines-1-unit_price": "",
    }


def make_draft(customer: Customer, product: Product, **fields: object) -> Invoice:
    values: dict[str, object] = {
        "customer": customer,
        "lines": [services.InvoiceLineInput(product=product, quantity=Decimal(1), unit_price=Decimal("8.10"))],
        "discount_percent": Decimal(0),
        "vat_rate": Decimal("5.5"),
        "due_on": timezone.localdate() + dt.timedelta(days=30),
        "note": "",
        "issue": False,
    }
    return services.invoice_save(invoice=None, **(values | fields))  # type: ignore[arg-type]


def test_the_form_has_the_names_integrations_rely_on(employee_client: Client, customer: Customer) -> None:
    text = employee_client.get(NEW).content.decode()
    (select,) = re.findall(r'<select[^>]*id="client-select-dropdown"[^>]*>', text)
    assert 'name="clientId"' in select
    (discount,) = re.findall(r'<input[^>]*data-testid="invoice-discount-input"[^>]*>', text)
    assert 'name="discount"' in discount


def test_creating_an_invoice_numbers_it_and_shows_its_totals(employee_client: Client, typed: dict[str, str]) -> None:
    response = employee_client.post(NEW, typed | {"action": "create"}, follow=True)
    invoice = Invoice.objects.get()
    assert response.redirect_chain == [(invoice.get_absolute_url(), 302)]
    assert invoice.number == f"FAC-{timezone.localdate().year}-0001"
    assert invoice.status == InvoiceStatus.ISSUED
    assert invoice.lines.count() == 1
    assert invoice.totals.subtotal == Decimal("20.25")
    assert invoice.totals.discount == Decimal("2.03")
    assert invoice.totals.total == Decimal("19.22")
    assert "19,22\u00a0€" in response.content.decode()


def test_a_draft_has_no_number_until_it_is_issued(employee_client: Client, typed: dict[str, str]) -> None:
    employee_client.post(NEW, typed | {"action": "draft"})
    invoice = Invoice.objects.get()
    assert (invoice.status, invoice.number) == (InvoiceStatus.DRAFT, None)
    employee_client.post(invoice.get_absolute_url(), {"action": "issue"})
    invoice.refresh_from_db()
    assert invoice.number is not None


def test_numbers_follow_one_another_without_gaps(customer: Customer, product: Product) -> None:
    make_draft(customer, product)
    numbers = [make_draft(customer, product, issue=True).number for _ in range(3)]
    year = timezone.localdate().year
    assert numbers == [f"FAC-{year}-0001", f"FAC-{year}-0002", f"FAC-{year}-0003"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"clientId": ""}, "Choisissez le client à facturer."),
        ({"clientId": "999999"}, "Ce client n'existe plus"),
        ({"discount": "101"}, "La remise ne peut pas dépasser 100 %."),
        ({"discount": "-1"}, "La remise ne peut pas être négative."),
        ({"discount": "NaN"}, "Saisissez un nombre, par exemple 12,50."),
        ({"due_on": "2020-01-01"}, "L'échéance ne peut pas être passée."),
        ({"lines-0-quantity": "0"}, "La quantité doit être supérieure à zéro."),
        ({"lines-0-unit_price": "gratuit"}, "Saisissez un nombre, par exemple 12,50."),
        ({"lines-0-product": ""}, "Choisissez un article."),
        (
            {"lines-0-product": "", "lines-0-quantity": "", "lines-0-unit_price": ""},
            "Ajoutez au moins une ligne à la facture.",
        ),
        ({"vat_rate": "42"}, "Sélectionnez un choix valide."),
        ({"note": "\x00"}, "Le caractère nul"),
    ],
)
def test_what_is_wrong_is_said_in_the_form_and_nothing_is_written(
    employee_client: Client, typed: dict[str, str], change: dict[str, str], message: str
) -> None:
    response = employee_client.post(NEW, typed | {"action": "create"} | change)
    assert response.status_code == 200
    text = response.content.decode().replace("&#x27;", "'")
    assert message in text
    assert "Merci !" in text or "note" in change
    assert not Invoice.objects.exists()


def test_without_javascript_the_server_adds_a_line_and_computes_the_total(
    employee_client: Client, typed: dict[str, str]
) -> None:
    response = employee_client.post(NEW, typed | {"action": "add_line", "clientId": ""})
    text = response.content.decode()
    assert 'name="lines-2-product"' in text
    assert 'value="2,5"' in text
    assert 'class="error"' not in text
    assert response.context["totals"].total == Decimal("19.22")
    assert not Invoice.objects.exists()


def test_lines_are_limited(employee_client: Client, typed: dict[str, str]) -> None:
    response = employee_client.post(NEW, typed | {"action": "add_line", "lines-TOTAL_FORMS": "100000"})
    assert len(response.context["lines"].forms) == 50


def test_editing_a_draft_replaces_its_lines(
    employee_client: Client, typed: dict[str, str], customer: Customer, product: Product
) -> None:
    draft = make_draft(customer, product)
    page = reverse("demo:invoice_edit", args=[draft.pk])
    assert 'value="8,10"' in employee_client.get(page).content.decode()
    employee_client.post(page, typed | {"action": "draft"})
    assert [line.quantity for line in draft.lines.all()] == [Decimal("2.5")]


def test_an_issued_invoice_is_not_editable_any_more(
    employee_client: Client, typed: dict[str, str], customer: Customer, product: Product
) -> None:
    issued = make_draft(customer, product, issue=True)
    employee_client.post(reverse("demo:invoice_edit", args=[issued.pk]), typed | {"action": "draft"})
    assert issued.lines.get().quantity == 1
    with pytest.raises(services.RefusedError):
        services.invoice_issue(invoice=issued)


def test_a_draft_past_its_due_date_is_not_issued(customer: Customer, product: Product) -> None:
    draft = make_draft(customer, product, due_on=timezone.localdate() - dt.timedelta(days=1))
    with pytest.raises(services.RefusedError, match="échéance"):
        services.invoice_issue(invoice=draft)


def test_only_an_issued_invoice_is_paid_and_only_once(
    employee_client: Client, customer: Customer, product: Product
) -> None:
    draft = make_draft(customer, product)
    page = draft.get_absolute_url()
    assert "Seule une facture émise" in employee_client.post(page, {"action": "pay"}, follow=True).content.decode()
    services.invoice_issue(invoice=draft)
    assert "marquée comme payée" in employee_client.post(page, {"action": "pay"}, follow=True).content.decode()
    draft.refresh_from_db()
    assert (draft.status, draft.paid_on) == (InvoiceStatus.PAID, timezone.localdate())
    with pytest.raises(services.RefusedError):
        services.invoice_mark_paid(invoice=draft)


def test_an_issued_invoice_past_its_due_date_is_late(customer: Customer, product: Product) -> None:
    invoice = make_draft(customer, product, issue=True)
    assert not invoice.is_overdue(invoice.due_on)
    assert invoice.is_overdue(invoice.due_on + dt.timedelta(days=1))
    services.invoice_mark_paid(invoice=invoice)
    invoice.refresh_from_db()
    assert not invoice.is_overdue(invoice.due_on + dt.timedelta(days=1))


def test_lists_filter_by_status_and_words(employee_client: Client, customer: Customer, product: Product) -> None:
    make_draft(customer, product)
    issued = make_draft(customer, product, issue=True)
    found = employee_client.get(reverse("demo:invoice_list"), {"statut": "Émise", "q": "vaubrun fac-"}).context["rows"]
    assert [invoice for invoice, _ in found] == [issued]
