"""Addresses of the back-office, in French whatever the page's language and without trailing slashes."""

from __future__ import annotations

from django.urls import path, register_converter

from .views import customers, dashboard, invoices, orders, session

app_name = "demo"


class OrderNumberConverter:
    regex = r"CMD-\d{1,12}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(OrderNumberConverter, "order_number")

urlpatterns = [
    path("", dashboard.dashboard, name="dashboard"),
    path("connexion", session.sign_in, name="sign_in"),
    path("deconnexion", session.sign_out, name="sign_out"),
    path("langue", session.choose_language, name="language"),
    path("commandes", orders.order_list, name="order_list"),
    path("commandes/export.csv", orders.order_export, name="order_export"),
    path("commandes/<order_number:number>", orders.order_detail, name="order_detail"),
    path("factures", invoices.invoice_list, name="invoice_list"),
    path("factures/nouvelle", invoices.invoice_create, name="invoice_create"),
    path("factures/<int:pk>", invoices.invoice_detail, name="invoice_detail"),
    path("factures/<int:pk>/modifier", invoices.invoice_edit, name="invoice_edit"),
    path("clients", customers.customer_list, name="customer_list"),
    path("clients/nouveau", customers.customer_create, name="customer_create"),
    path("clients/<int:pk>", customers.customer_detail, name="customer_detail"),
    path("clients/<int:pk>/modifier", customers.customer_edit, name="customer_edit"),
    path("<path:anything>", session.not_found, name="not_found"),
]
