"""Every write of the back-office. A rule that says no raises `RefusedError`, whose message is for the employee."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from .formats import euros
from .models import (
    Customer,
    Employee,
    Invoice,
    InvoiceLine,
    InvoiceStatus,
    NumberSeries,
    Order,
    OrderEvent,
    OrderStatus,
    Product,
    Refund,
    RefundReason,
)
from .models.orders import ALLOWED_TRANSITIONS
from .money import ZERO


class RefusedError(Exception):
    """A rule of the house forbids the change; nothing was written."""


@dataclass(frozen=True)
class InvoiceLineInput:
    """One line of an invoice as typed: the unit price is before tax."""

    product: Product
    quantity: Decimal
    unit_price: Decimal


@transaction.atomic
def order_change_status(*, order: Order, seen: str, new: OrderStatus, actor: Employee) -> None:
    """Move an order from the status the employee saw to a new one, and write it in its history.

    Raises RefusedError if the house does not allow that step or if someone changed the status meanwhile.
    """
    if new not in ALLOWED_TRANSITIONS.get(seen, ()):
        was = dict(OrderStatus.choices).get(seen, seen)
        raise RefusedError(
            _("Une commande « %(was)s » ne peut pas passer à « %(new)s ».") % {"was": was, "new": new.label}
        )
    if not Order.objects.filter(pk=order.pk, status=seen).update(status=new):
        raise RefusedError(_("Le statut de cette commande a changé entre-temps : vérifiez-le avant de recommencer."))
    OrderEvent.objects.create(order=order, at=timezone.now(), employee=actor, before=seen, after=new)


def order_save_note(*, order: Order, note: str) -> None:
    """Replace the internal note, which customers never see."""
    Order.objects.filter(pk=order.pk).update(internal_note=note)


@transaction.atomic
def order_refund(*, order: Order, amount: Decimal, reason: RefundReason, actor: Employee) -> Refund:
    """Give money back on an order; once everything paid is given back, the order is "Remboursée".

    The order's row is locked first, so that two refunds at once cannot exceed what was paid.
    Raises RefusedError if nothing is left to give back, or less than `amount`.
    """
    locked = Order.objects.select_for_update().get(pk=order.pk)
    refunded = locked.refunds.aggregate(total=Sum("amount"))["total"] or ZERO
    left = locked.paid_amount - refunded
    if amount <= 0:
        raise RefusedError(_("Le montant à rembourser doit être supérieur à zéro."))
    if left <= 0:
        raise RefusedError(_("Il ne reste rien à rembourser sur cette commande."))
    if amount > left:
        raise RefusedError(
            _("Le remboursement ne peut pas dépasser %(left)s, le montant encore encaissé.") % {"left": euros(left)}
        )
    now = timezone.now()
    refund = Refund.objects.create(order=locked, amount=amount, reason=reason, made_by=actor, made_at=now)
    OrderEvent.objects.create(order=locked, at=now, employee=actor, refund=refund)
    if amount == left:
        locked.status = OrderStatus.REFUNDED
        locked.save(update_fields=["status"])
    return refund


@transaction.atomic
def customer_save(
    *,
    customer: Customer | None,
    name: str,
    kind: str,
    email: str,
    phone: str,
    street: str,
    postal_code: str,
    city: str,
    note: str,
) -> Customer:
    """Create a customer, or change the one given. Raises RefusedError if the e-mail belongs to another customer."""
    others = Customer.objects.filter(email__iexact=email)
    if customer is not None:
        others = others.exclude(pk=customer.pk)
    if others.exists():
        raise RefusedError(_("Un client utilise déjà cette adresse e-mail."))
    customer = customer or Customer()
    customer.name, customer.kind, customer.email, customer.phone = name, kind, email, phone
    customer.street, customer.postal_code, customer.city, customer.note = street, postal_code, city, note
    customer.save()
    return customer


@transaction.atomic
def invoice_save(
    *,
    invoice: Invoice | None,
    customer: Customer,
    lines: Sequence[InvoiceLineInput],
    discount_percent: Decimal,
    vat_rate: Decimal,
    due_on: dt.date,
    note: str,
    issue: bool,
) -> Invoice:
    """Write a draft, new or given, with these lines instead of those it had; `issue` also issues it.

    Raises RefusedError if there is no line, or if the invoice is no longer a draft.
    """
    if not lines:
        raise RefusedError(_("Ajoutez au moins une ligne à la facture."))
    if invoice is None:
        invoice = Invoice()
    else:
        invoice = Invoice.objects.select_for_update().get(pk=invoice.pk)
        if not invoice.is_draft:
            raise RefusedError(_("Cette facture est déjà émise : elle ne peut plus être modifiée."))
    invoice.customer = customer
    invoice.discount_percent, invoice.vat_rate = discount_percent, vat_rate
    invoice.due_on, invoice.note = due_on, note
    invoice.save()
    invoice.lines.all().delete()
    InvoiceLine.objects.bulk_create(
        InvoiceLine(invoice=invoice, product=line.product, quantity=line.quantity, unit_price=line.unit_price)
        for line in lines
    )
    return invoice_issue(invoice=invoice) if issue else invoice


@transaction.atomic
def invoice_issue(*, invoice: Invoice) -> Invoice:
    """Issue a draft today under the next number of the year.

    Raises RefusedError if it was issued already or if its due date has passed.
    """
    locked = Invoice.objects.select_for_update().get(pk=invoice.pk)
    today = timezone.localdate()
    if not locked.is_draft:
        raise RefusedError(_("Cette facture est déjà émise."))
    if locked.due_on < today:
        raise RefusedError(_("L'échéance est passée : modifiez le brouillon avant de l'émettre."))
    locked.number = next_number(f"FAC-{today.year}")
    locked.status = InvoiceStatus.ISSUED
    locked.issued_on = today
    locked.save(update_fields=["number", "status", "issued_on"])
    return locked


def invoice_mark_paid(*, invoice: Invoice) -> None:
    """Record that an issued invoice was paid today. Raises RefusedError for a draft or one already paid."""
    changed = Invoice.objects.filter(pk=invoice.pk, status=InvoiceStatus.ISSUED).update(
        status=InvoiceStatus.PAID, paid_on=timezone.localdate()
    )
    if not changed:
        raise RefusedError(_("Seule une facture émise et non réglée peut être marquée comme payée."))


def next_number(series: str) -> str:
    """The next number of a series, without gaps; to be called inside the transaction that uses it."""
    NumberSeries.objects.get_or_create(code=series)
    row = NumberSeries.objects.select_for_update().get(code=series)
    row.last += 1
    row.save(update_fields=["last"])
    return str(row)
