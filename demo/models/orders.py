"""Orders taken by the shop, and what happened to them since."""

from __future__ import annotations

from decimal import Decimal

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from demo.formats import euros
from demo.money import ZERO, line_amount

from .parties import Customer, Employee, Product


class OrderStatus(models.TextChoices):
    """Stored under the French words, which addresses share in every language (`?statut=Livrée`)."""

    NEW = "Nouvelle", _("Nouvelle")
    PREPARING = "En préparation", _("En préparation")
    SHIPPED = "Expédiée", _("Expédiée")
    DELIVERED = "Livrée", _("Livrée")
    CANCELLED = "Annulée", _("Annulée")
    REFUNDED = "Remboursée", _("Remboursée")


# An order becomes "Remboursée" only by refunding all that was paid, never by hand.
ALLOWED_TRANSITIONS: dict[str, tuple[OrderStatus, ...]] = {
    OrderStatus.NEW: (OrderStatus.PREPARING, OrderStatus.CANCELLED),
    OrderStatus.PREPARING: (OrderStatus.SHIPPED, OrderStatus.CANCELLED),
    OrderStatus.SHIPPED: (OrderStatus.DELIVERED,),
    OrderStatus.DELIVERED: (),
    OrderStatus.CANCELLED: (),
    OrderStatus.REFUNDED: (),
}


class DeliveryMethod(models.TextChoices):
    PICKUP = "retrait", _("Retrait en boutique")
    CHILLED = "frais", _("Livraison réfrigérée")
    PARCEL = "colis", _("Colis à domicile")


class PaymentMethod(models.TextChoices):
    CARD = "carte", _("Carte bancaire")
    TRANSFER = "virement", _("Virement")


class Order(models.Model):
    """One order; prices include tax. `paid_amount` is what the house has really received for it."""

    number = models.CharField(max_length=20, unique=True)
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="orders")
    placed_at = models.DateTimeField(db_index=True)
    status = models.CharField(max_length=20, choices=OrderStatus.choices, default=OrderStatus.NEW, db_index=True)
    delivery_method = models.CharField(max_length=20, choices=DeliveryMethod.choices)
    delivery_fee = models.DecimalField(max_digits=8, decimal_places=2, default=ZERO)
    payment_method = models.CharField(max_length=20, choices=PaymentMethod.choices)
    paid_amount = models.DecimalField(max_digits=10, decimal_places=2, default=ZERO)
    customer_message = models.TextField(blank=True)
    internal_note = models.TextField(blank=True)

    class Meta:
        ordering = ["-placed_at", "-number"]
        constraints = [
            models.CheckConstraint(condition=models.Q(status__in=OrderStatus.values), name="demo_order_status_known"),
            models.CheckConstraint(
                condition=models.Q(paid_amount__gte=0, delivery_fee__gte=0), name="demo_order_amounts_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("demo:order_detail", args=[self.number])

    @property
    def lines_total(self) -> Decimal:
        return sum((line.amount for line in self.lines.all()), ZERO)

    @property
    def total(self) -> Decimal:
        return self.lines_total + self.delivery_fee

    @property
    def refunded_amount(self) -> Decimal:
        return sum((refund.amount for refund in self.refunds.all()), ZERO)

    @property
    def refundable_amount(self) -> Decimal:
        return self.paid_amount - self.refunded_amount

    @property
    def next_statuses(self) -> tuple[OrderStatus, ...]:
        return ALLOWED_TRANSITIONS[self.status]


class OrderLine(models.Model):
    """An article in an order, at the price of that day."""

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    quantity = models.PositiveIntegerField()
    unit_price = models.DecimalField(max_digits=8, decimal_places=2)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(quantity__gt=0, unit_price__gte=0), name="demo_order_line_amounts_make_sense"
            )
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.product}"

    @property
    def amount(self) -> Decimal:
        return line_amount(Decimal(self.quantity), self.unit_price)


class RefundReason(models.TextChoices):
    DAMAGED = "abime", _("Produit abîmé")
    MISTAKE = "erreur", _("Erreur de préparation")
    LATE = "retard", _("Retard de livraison")
    GESTURE = "geste", _("Geste commercial")
    CANCELLED = "annulation", _("Commande annulée")


class Refund(models.Model):
    """Money given back on an order."""

    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="refunds")
    amount = models.DecimalField(max_digits=10, decimal_places=2)
    reason = models.CharField(max_length=20, choices=RefundReason.choices)
    made_by = models.ForeignKey(Employee, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["made_at"]
        constraints = [models.CheckConstraint(condition=models.Q(amount__gt=0), name="demo_refund_amount_positive")]

    def __str__(self) -> str:
        return f"{self.amount} € · {self.order}"


class OrderEvent(models.Model):
    """A line of an order's history; without an employee, the shop's website wrote it.

    Kept as what happened, and told in the language of whoever reads it: a change of status, a refund or, with neither,
    the coming in of the order.
    """

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField()
    employee = models.ForeignKey(Employee, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    before = models.CharField(max_length=20, choices=OrderStatus.choices, blank=True)
    after = models.CharField(max_length=20, choices=OrderStatus.choices, blank=True)
    refund = models.OneToOneField(Refund, on_delete=models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(before="", after="")
                | models.Q(before__in=OrderStatus.values, after__in=OrderStatus.values, refund__isnull=True),
                name="demo_order_event_tells_one_thing",
            )
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        if self.refund:
            amount, reason = euros(self.refund.amount), self.refund.get_reason_display().lower()
            return gettext("Remboursement de %(amount)s : %(reason)s") % {"amount": amount, "reason": reason}
        if self.after:
            change = {"before": self.get_before_display(), "after": self.get_after_display()}
            return gettext("Statut : %(before)s → %(after)s") % change
        return gettext("Commande reçue sur le site")
