"""Reads that several pages share."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.utils import timezone

from .models import Customer, CustomerKind, Invoice, InvoiceStatus, Order, OrderLine, OrderStatus, Refund
from .money import ZERO

PARIS = ZoneInfo("Europe/Paris")


@dataclass(frozen=True)
class OrderFilters:
    """What a list or an export of orders is limited to; both days are included."""

    search: str = ""
    status: str = ""
    first_day: dt.date | None = None
    last_day: dt.date | None = None


def start_of_day(day: dt.date) -> dt.datetime:
    """Midnight in Paris, where the house keeps its books."""
    return dt.datetime.combine(day, dt.time.min, tzinfo=PARIS)


def orders(filters: OrderFilters | None = None) -> QuerySet[Order]:
    """Orders, newest first, with customers, lines and refunds at hand (a constant number of queries)."""
    found = Order.objects.select_related("customer").prefetch_related("lines", "refunds")
    if filters is None:
        return found
    for word in filters.search.split():
        found = found.filter(
            Q(number__icontains=word) | Q(customer__name__icontains=word) | Q(customer__email__icontains=word)
        )
    if filters.status:
        found = found.filter(status=filters.status)
    if filters.first_day:
        found = found.filter(placed_at__gte=start_of_day(filters.first_day))
    if filters.last_day:
        found = found.filter(placed_at__lt=start_of_day(filters.last_day + dt.timedelta(days=1)))
    return found


def invoices(*, search: str = "", status: str = "") -> QuerySet[Invoice]:
    """Invoices and drafts, newest first, with customers and lines at hand."""
    found = Invoice.objects.select_related("customer").prefetch_related("lines")
    for word in search.split():
        found = found.filter(Q(number__icontains=word) | Q(customer__name__icontains=word))
    return found.filter(status=status) if status else found


def customers(*, search: str = "", kind: str = "") -> QuerySet[Customer]:
    """Customers by name, with `order_count` and `last_order_at`."""
    found = Customer.objects.annotate(order_count=Count("orders"), last_order_at=Max("orders__placed_at"))
    found = found.order_by("name", "pk")
    for word in search.split():
        found = found.filter(
            Q(name__icontains=word) | Q(email__icontains=word) | Q(city__icontains=word) | Q(phone__icontains=word)
        )
    return found.filter(kind=kind) if kind in CustomerKind.values else found


@dataclass(frozen=True)
class StatusCount:
    status: OrderStatus
    count: int


@dataclass(frozen=True)
class DashboardFigures:
    """The figures of the first page; amounts in euros."""

    revenue: Decimal
    orders_to_prepare: int
    unpaid_count: int
    unpaid_amount: Decimal
    overdue_count: int
    by_status: list[StatusCount]
    orders_total: int


def dashboard_figures(*, now: dt.datetime) -> DashboardFigures:
    """Revenue is what was sold over the last thirty days, cancelled orders left out, less refunds made meanwhile."""
    since = now - dt.timedelta(days=30)
    sold = Order.objects.filter(placed_at__gte=since).exclude(status=OrderStatus.CANCELLED)
    line_sum = OrderLine.objects.filter(order__in=sold).aggregate(total=Sum(F("quantity") * F("unit_price")))["total"]
    fee_sum = sold.aggregate(total=Sum("delivery_fee"))["total"]
    refund_sum = Refund.objects.filter(made_at__gte=since, order__in=sold).aggregate(total=Sum("amount"))["total"]
    counts = dict(Order.objects.order_by().values_list("status").annotate(Count("pk")))
    unpaid = list(invoices(status=InvoiceStatus.ISSUED))
    today = timezone.localdate(now, PARIS)
    return DashboardFigures(
        revenue=(line_sum or ZERO) + (fee_sum or ZERO) - (refund_sum or ZERO),
        orders_to_prepare=counts.get(OrderStatus.NEW, 0) + counts.get(OrderStatus.PREPARING, 0),
        unpaid_count=len(unpaid),
        unpaid_amount=sum((invoice.totals.total for invoice in unpaid), ZERO),
        overdue_count=sum(invoice.is_overdue(today) for invoice in unpaid),
        by_status=[StatusCount(status, counts.get(status, 0)) for status in OrderStatus],
        orders_total=sum(counts.values()),
    )
