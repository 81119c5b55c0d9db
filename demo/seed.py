"""A believable house to look at: a catalogue, customers, three months of orders and invoices.

Numbers, people and amounts are the same every time; only dates follow the day of seeding.
"""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from .models import (
    Customer,
    CustomerKind,
    DeliveryMethod,
    Employee,
    Invoice,
    InvoiceLine,
    InvoiceStatus,
    Order,
    OrderEvent,
    OrderLine,
    OrderStatus,
    PaymentMethod,
    Product,
    Refund,
    RefundReason,
)
from .money import ZERO
from .seed_data import CUSTOMER_MESSAGES, CUSTOMERS, EMPLOYEES, INTERNAL_NOTES, INVOICE_NOTES, PRODUCTS
from .selectors import PARIS
from .services import next_number

DEMO_PASSWORD = "oree2026"  # noqa: S105 (demonstration accounts, shown on the sign-in page)
DEMO_USERNAMES = [username for username, _, _ in EMPLOYEES]

HOUSE = 1964
ORDER_COUNT = 60
FIRST_ORDER_NUMBER = 1001
ORDER_DAYS = 90
INVOICE_COUNT = 18
DELIVERY_FEES = {
    DeliveryMethod.PICKUP: ZERO,
    DeliveryMethod.CHILLED: Decimal("14.90"),
    DeliveryMethod.PARCEL: Decimal("6.90"),
}


@transaction.atomic
def seed_maison_oree(*, now: dt.datetime | None = None) -> bool:
    """Fill an empty back-office; one that has employees is left as it is. Says whether it wrote anything."""
    if Employee.objects.exists():
        return False
    now = now or timezone.now()
    draw = random.Random(HOUSE)  # noqa: S311 (the same house every time, nothing secret)
    employees = _employees()
    products = Product.objects.bulk_create(
        Product(reference=reference, name=name, shop_price=Decimal(shop), business_price=Decimal(business))
        for reference, name, shop, business in PRODUCTS
    )
    customers = _customers(draw)
    _orders(draw, now, customers, products, employees)
    _invoices(draw, now, customers, products)
    return True


def _employees() -> list[Employee]:
    employees = []
    for username, full_name, role in EMPLOYEES:
        employee = Employee(username=username, full_name=full_name, role=role, email=f"{username}@example.com")
        employee.set_password(DEMO_PASSWORD)
        employee.save()
        employees.append(employee)
    return employees


def _customers(draw: random.Random) -> list[Customer]:
    # 06 39 98 is one of the ranges the French regulator keeps for fiction.
    return Customer.objects.bulk_create(
        Customer(
            name=name,
            kind=kind,
            email=f"{slugify(name)}@example.com",
            phone=f"06 39 98 {draw.randrange(100):02d} {draw.randrange(100):02d}",
            street=street,
            postal_code=postal_code,
            city=city,
        )
        for name, kind, street, postal_code, city in CUSTOMERS
    )


def _orders(
    draw: random.Random,
    now: dt.datetime,
    customers: list[Customer],
    products: list[Product],
    employees: list[Employee],
) -> None:
    for index in range(ORDER_COUNT):
        age = ORDER_DAYS * (ORDER_COUNT - 1 - index) / (ORDER_COUNT - 1)
        day = timezone.localtime(now - dt.timedelta(days=age), PARIS)
        placed_at = min(day.replace(hour=draw.randrange(8, 20), minute=draw.randrange(60), second=0), now)
        delivery = draw.choice(list(DeliveryMethod))
        order = Order.objects.create(
            number=f"CMD-{FIRST_ORDER_NUMBER + index}",
            customer=draw.choice(customers),
            placed_at=placed_at,
            status=_order_status(draw, age),
            delivery_method=delivery,
            delivery_fee=DELIVERY_FEES[delivery],
            payment_method=draw.choices(list(PaymentMethod), weights=[5, 1])[0],
            customer_message=draw.choice(CUSTOMER_MESSAGES) if draw.random() < 0.3 else "",
            internal_note=draw.choice(INTERNAL_NOTES) if draw.random() < 0.15 else "",
        )
        OrderLine.objects.bulk_create(
            OrderLine(order=order, product=product, quantity=draw.randint(1, 4), unit_price=product.shop_price)
            for product in draw.sample(products, draw.randint(1, 4))
        )
        _pay(order)
        _tell_history(order, now, employees)


def _order_status(draw: random.Random, age_days: float) -> OrderStatus:
    if age_days < 4:
        return OrderStatus.NEW
    if age_days < 10:
        return OrderStatus.PREPARING
    if age_days < 15:
        return draw.choices([OrderStatus.SHIPPED, OrderStatus.CANCELLED], weights=[5, 1])[0]
    return draw.choices([OrderStatus.DELIVERED, OrderStatus.CANCELLED, OrderStatus.REFUNDED], weights=[16, 2, 1])[0]


def _pay(order: Order) -> None:
    """Cards pay at once; transfers arrive before the order is prepared."""
    if order.payment_method == PaymentMethod.TRANSFER and order.status in {OrderStatus.NEW, OrderStatus.CANCELLED}:
        return
    order.paid_amount = order.total
    order.save(update_fields=["paid_amount"])


def _tell_history(order: Order, now: dt.datetime, employees: list[Employee]) -> None:
    """What must have happened for the order to be where it is."""
    preparer, _, support = employees
    told = [OrderEvent(order=order)]
    path = {
        OrderStatus.PREPARING: [OrderStatus.PREPARING],
        OrderStatus.SHIPPED: [OrderStatus.PREPARING, OrderStatus.SHIPPED],
        OrderStatus.DELIVERED: [OrderStatus.PREPARING, OrderStatus.SHIPPED, OrderStatus.DELIVERED],
        OrderStatus.REFUNDED: [OrderStatus.PREPARING, OrderStatus.SHIPPED, OrderStatus.DELIVERED],
        OrderStatus.CANCELLED: [OrderStatus.CANCELLED],
    }.get(OrderStatus(order.status), [])
    before = OrderStatus.NEW
    for status in path:
        actor = support if status == OrderStatus.CANCELLED else preparer
        told.append(OrderEvent(order=order, employee=actor, before=before, after=status))
        before = status
    moments = [min(order.placed_at + dt.timedelta(hours=22 * step), now) for step in range(len(told) + 1)]
    if order.status == OrderStatus.REFUNDED:
        refund = Refund.objects.create(
            order=order,
            amount=order.paid_amount,
            reason=RefundReason.DAMAGED,
            made_by=support,
            made_at=moments[len(told)],
        )
        told.append(OrderEvent(order=order, employee=support, refund=refund))
    for event, at in zip(told, moments, strict=False):
        event.at = at
    OrderEvent.objects.bulk_create(told)


def _invoices(draw: random.Random, now: dt.datetime, customers: list[Customer], products: list[Product]) -> None:
    """Old invoices are paid but one, which is overdue; recent ones wait; the last three are drafts."""
    businesses = [customer for customer in customers if customer.kind == CustomerKind.BUSINESS]
    for index in range(INVOICE_COUNT):
        created_at = now - dt.timedelta(days=88 - 5 * index, hours=draw.randrange(6))
        day = timezone.localdate(created_at, PARIS)
        invoice = Invoice(
            customer=draw.choice(businesses),
            discount_percent=Decimal(draw.choice(["0", "0", "0", "5", "7.5", "10"])),
            vat_rate=Decimal(draw.choice(["5.5", "5.5", "5.5", "10", "20"])),
            due_on=day + dt.timedelta(days=30),
            note=draw.choice(INVOICE_NOTES) if draw.random() < 0.4 else "",
            created_at=created_at,
        )
        if index < INVOICE_COUNT - 3:
            invoice.number, invoice.issued_on, invoice.status = (
                next_number(f"FAC-{day.year}"),
                day,
                InvoiceStatus.ISSUED,
            )
        if index < INVOICE_COUNT - 7 and index != 8:
            invoice.status, invoice.paid_on = InvoiceStatus.PAID, day + dt.timedelta(days=draw.randint(8, 28))
        invoice.save()
        InvoiceLine.objects.bulk_create(
            InvoiceLine(
                invoice=invoice,
                product=product,
                quantity=Decimal(draw.randint(2, 24)),
                unit_price=product.business_price,
            )
            for product in draw.sample(products, draw.randint(2, 5))
        )
