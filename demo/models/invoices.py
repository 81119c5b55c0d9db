"""Invoices to businesses, prices before tax."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from demo.money import ZERO, InvoiceTotals, invoice_totals, line_amount

from .parties import Customer, Product


class InvoiceStatus(models.TextChoices):
    DRAFT = "Brouillon", _("Brouillon")
    ISSUED = "Émise", _("Émise")
    PAID = "Payée", _("Payée")


class VatRate(models.TextChoices):
    """Percentages as they are typed in forms; food mostly goes at the reduced rate."""

    REDUCED = "5.5", _("5,5 % (produits alimentaires)")
    INTERMEDIATE = "10", _("10 % (vente à emporter)")
    STANDARD = "20", _("20 % (taux normal)")


class NumberSeries(models.Model):
    """The last number given in a series (`FAC-2026`): its row is locked while the next one is taken."""

    code = models.CharField(max_length=20, primary_key=True)
    last = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "number series"

    def __str__(self) -> str:
        return f"{self.code}-{self.last:04d}"


class Invoice(models.Model):
    """An invoice; it gets its number (FAC-2026-0012) on the day it is issued, because series may have no gap."""

    number = models.CharField(max_length=20, unique=True, null=True, blank=True)
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="invoices")
    status = models.CharField(max_length=20, choices=InvoiceStatus.choices, default=InvoiceStatus.DRAFT)
    discount_percent = models.DecimalField(max_digits=5, decimal_places=2, default=ZERO)
    vat_rate = models.DecimalField(max_digits=4, decimal_places=2, default=Decimal("5.5"))
    due_on = models.DateField()
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    issued_on = models.DateField(null=True, blank=True)
    paid_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(discount_percent__gte=0, discount_percent__lte=100),
                name="demo_invoice_discount_is_a_percentage",
            ),
            models.CheckConstraint(
                condition=models.Q(status=InvoiceStatus.DRAFT, number__isnull=True, issued_on__isnull=True)
                | models.Q(
                    status__in=[InvoiceStatus.ISSUED, InvoiceStatus.PAID],
                    number__isnull=False,
                    issued_on__isnull=False,
                ),
                name="demo_invoice_numbered_once_issued",
            ),
            models.CheckConstraint(
                condition=models.Q(status=InvoiceStatus.PAID, paid_on__isnull=False)
                | (~models.Q(status=InvoiceStatus.PAID) & models.Q(paid_on__isnull=True)),
                name="demo_invoice_paid_has_a_day",
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    def get_absolute_url(self) -> str:
        return reverse("demo:invoice_detail", args=[self.pk])

    @property
    def reference(self) -> str:
        """What to call it on screen: its number, or its place among drafts."""
        return self.number or gettext("Brouillon %(number)s") % {"number": self.pk}

    @property
    def totals(self) -> InvoiceTotals:
        lines = ((line.quantity, line.unit_price) for line in self.lines.all())
        return invoice_totals(lines, discount_percent=self.discount_percent, vat_rate=self.vat_rate)

    @property
    def is_draft(self) -> bool:
        return self.status == InvoiceStatus.DRAFT

    @property
    def is_issued(self) -> bool:
        return self.status == InvoiceStatus.ISSUED

    def is_overdue(self, today: dt.date) -> bool:
        return self.is_issued and self.due_on < today


class InvoiceLine(models.Model):
    """An article on an invoice; quantities may be fractions (1,5 kg)."""

    invoice = models.ForeignKey(Invoice, on_delete=models.CASCADE, related_name="lines")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    quantity = models.DecimalField(max_digits=8, decimal_places=2)
    unit_price = models.DecimalField(max_digits=8, decimal_places=2)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(quantity__gt=0, unit_price__gte=0), name="demo_invoice_line_amounts_make_sense"
            )
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.product}"

    @property
    def amount(self) -> Decimal:
        return line_amount(self.quantity, self.unit_price)
