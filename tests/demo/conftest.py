from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from demo.models import (
    Customer,
    CustomerKind,
    DeliveryMethod,
    Employee,
    EmployeeRole,
    Order,
    OrderLine,
    PaymentMethod,
    Product,
)
from demo.seed import seed_maison_oree
from demo.signin import SESSION_KEY

PASSWORD = "fleur-de-sel"

OrderMaker = Callable[..., Order]


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    """A hash that costs nothing: these tests sign in often, and guard no one's secret."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def employee(db: None) -> Employee:
    employee = Employee(
        username="camille.roux", full_name="Camille Roux", role=EmployeeRole.ORDERS, email="camille.roux@example.com"
    )
    employee.set_password(PASSWORD)
    employee.save()
    return employee


@pytest.fixture
def employee_client(client: Client, employee: Employee) -> Client:
    """A browser in which the employee signed in."""
    session = client.session
    session[SESSION_KEY] = employee.pk
    session.save()
    return client


@pytest.fixture
def customer(db: None) -> Customer:
    return Customer.objects.create(
        name="Traiteur Vaubrun",
        kind=CustomerKind.BUSINESS,
        email="traiteur@example.com",
        street="8 rue des Halles",
        postal_code="37000",
        city="Tours",
    )


@pytest.fixture
def product(db: None) -> Product:
    return Product.objects.create(
        reference="EPI-110", name="Miel", shop_price=Decimal("11.20"), business_price=Decimal("8.10")
    )


@pytest.fixture
def make_order(customer: Customer, product: Product) -> OrderMaker:
    """Makes orders of three jars of honey (33,60 €), paid in full."""

    def make(number: str, *, placed_at: dt.datetime | None = None, **fields: object) -> Order:
        defaults: dict[str, object] = {
            "customer": customer,
            "delivery_method": DeliveryMethod.PICKUP,
            "payment_method": PaymentMethod.CARD,
            "paid_amount": Decimal("33.60"),
        }
        order = Order.objects.create(number=number, placed_at=placed_at or timezone.now(), **(defaults | fields))
        OrderLine.objects.create(order=order, product=product, quantity=3, unit_price=Decimal("11.20"))
        return order

    return make


@pytest.fixture
def house(db: None) -> None:
    """The whole demonstration house."""
    seed_maison_oree()


@pytest.fixture
def camille(client: Client, house: None) -> Client:
    """The browser of one of the house's people."""
    session = client.session
    session[SESSION_KEY] = Employee.objects.get(username="camille.roux").pk
    session.save()
    return client
