from __future__ import annotations

import itertools
import threading
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client

from demo import services
from demo.models import Employee, Order, OrderStatus, Refund, RefundReason

from .conftest import OrderMaker


@pytest.fixture
def order(make_order: OrderMaker) -> Order:
    return make_order("CMD-1042")


def change(order: Order, actor: Employee, seen: OrderStatus, new: OrderStatus) -> None:
    services.order_change_status(order=order, seen=seen, new=new, actor=actor)


def refund(order: Order, actor: Employee, amount: str) -> None:
    services.order_refund(order=order, amount=Decimal(amount), reason=RefundReason.DAMAGED, actor=actor)


def test_an_order_goes_from_new_to_delivered_and_remembers_who_did_it(order: Order, employee: Employee) -> None:
    path = [OrderStatus.NEW, OrderStatus.PREPARING, OrderStatus.SHIPPED, OrderStatus.DELIVERED]
    for seen, new in itertools.pairwise(path):
        change(order, employee, seen, new)
    order.refresh_from_db()
    assert order.status == OrderStatus.DELIVERED
    assert [(event.employee, event.text) for event in order.events.order_by("pk")][-1] == (
        employee,
        "Statut : Expédiée → Livrée",
    )


@pytest.mark.parametrize(
    ("status", "new"),
    [
        (OrderStatus.NEW, OrderStatus.DELIVERED),
        (OrderStatus.SHIPPED, OrderStatus.CANCELLED),
        (OrderStatus.DELIVERED, OrderStatus.NEW),
        (OrderStatus.CANCELLED, OrderStatus.PREPARING),
        (OrderStatus.DELIVERED, OrderStatus.REFUNDED),
    ],
)
def test_steps_the_house_does_not_know_are_refused(
    make_order: OrderMaker, employee: Employee, status: OrderStatus, new: OrderStatus
) -> None:
    order = make_order("CMD-7", status=status)
    with pytest.raises(services.RefusedError):
        change(order, employee, status, new)
    order.refresh_from_db()
    assert order.status == status
    assert not order.events.exists()


def test_a_status_that_changed_meanwhile_is_not_overwritten(order: Order, employee: Employee) -> None:
    change(order, employee, OrderStatus.NEW, OrderStatus.CANCELLED)
    with pytest.raises(services.RefusedError, match="entre-temps"):
        change(order, employee, OrderStatus.NEW, OrderStatus.PREPARING)
    order.refresh_from_db()
    assert order.status == OrderStatus.CANCELLED


def test_refunds_never_exceed_what_was_paid(order: Order, employee: Employee) -> None:
    refund(order, employee, "30.00")
    with pytest.raises(services.RefusedError, match="3,60"):
        refund(order, employee, "3.61")
    assert order.refunds.count() == 1


@pytest.mark.parametrize("amount", ["0", "-5"])
def test_a_refund_gives_something(order: Order, employee: Employee, amount: str) -> None:
    with pytest.raises(services.RefusedError):
        refund(order, employee, amount)


def test_an_unpaid_order_has_nothing_to_refund(make_order: OrderMaker, employee: Employee) -> None:
    order = make_order("CMD-8", paid_amount=Decimal("0"))
    with pytest.raises(services.RefusedError, match="rien à rembourser"):
        refund(order, employee, "1.00")


def test_an_order_refunded_in_full_says_so(order: Order, employee: Employee) -> None:
    refund(order, employee, "13.60")
    order.refresh_from_db()
    assert order.status == OrderStatus.NEW
    refund(order, employee, "20.00")
    order.refresh_from_db()
    assert order.status == OrderStatus.REFUNDED
    assert order.refundable_amount == 0


@pytest.mark.django_db(transaction=True)
def test_two_refunds_at_once_give_the_money_back_once(order: Order, employee: Employee) -> None:
    outcomes: list[str] = []
    start = threading.Barrier(2)

    def give_all_back() -> None:
        start.wait()
        try:
            refund(order, employee, "33.60")
            outcomes.append("done")
        except services.RefusedError:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=give_all_back) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["done", "refused"]
    assert Refund.objects.count() == 1


def test_the_page_changes_the_status_then_shows_it(employee_client: Client, order: Order) -> None:
    page = order.get_absolute_url()
    response = employee_client.post(
        page, {"action": "statut", "seen": "Nouvelle", "status": "En préparation"}, follow=True
    )
    assert response.redirect_chain == [(page, 302)]
    assert "est passée à « En préparation »" in response.content.decode()


def test_the_page_explains_a_refused_step(employee_client: Client, order: Order) -> None:
    response = employee_client.post(
        order.get_absolute_url(), {"action": "statut", "seen": "Nouvelle", "status": "Livrée"}
    )
    assert response.status_code == 200
    assert "ne peut pas passer à « Livrée »" in response.content.decode()


def test_the_page_keeps_what_was_typed_in_a_refused_refund(employee_client: Client, order: Order) -> None:
    data = {"action": "remboursement", "amount": "99,99", "reason": "abime", "confirm": "on"}
    text = employee_client.post(order.get_absolute_url(), data).content.decode()
    assert "ne peut pas dépasser" in text
    assert 'value="99,99"' in text
    assert '<details class="disclosure no-print" open>' in text
    assert not order.refunds.exists()


def test_a_refund_must_be_confirmed(employee_client: Client, order: Order) -> None:
    data = {"action": "remboursement", "amount": "5", "reason": "abime"}
    assert "Cochez la case" in employee_client.post(order.get_absolute_url(), data).content.decode()
    employee_client.post(order.get_absolute_url(), data | {"confirm": "on"})
    assert order.refunds.get().amount == 5


def test_the_internal_note_is_kept_as_text(employee_client: Client, order: Order) -> None:
    note = "<script>alert(1)</script>"
    text = employee_client.post(
        order.get_absolute_url(), {"action": "note", "note": note}, follow=True
    ).content.decode()
    order.refresh_from_db()
    assert order.internal_note == note
    assert note not in text
    assert "&lt;script&gt;" in text


def test_an_unknown_action_is_refused(employee_client: Client, order: Order) -> None:
    assert employee_client.post(order.get_absolute_url(), {"action": "offrir"}).status_code == 400
