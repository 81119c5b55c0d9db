"""What Maison Orée keeps: its people, its catalogue, its orders and its invoices."""

from .invoices import Invoice, InvoiceLine, InvoiceStatus, NumberSeries, VatRate
from .orders import (
    DeliveryMethod,
    Order,
    OrderEvent,
    OrderLine,
    OrderStatus,
    PaymentMethod,
    Refund,
    RefundReason,
)
from .parties import Customer, CustomerKind, Employee, EmployeeRole, Product

__all__ = [
    "Customer",
    "CustomerKind",
    "DeliveryMethod",
    "Employee",
    "EmployeeRole",
    "Invoice",
    "InvoiceLine",
    "InvoiceStatus",
    "NumberSeries",
    "Order",
    "OrderEvent",
    "OrderLine",
    "OrderStatus",
    "PaymentMethod",
    "Product",
    "Refund",
    "RefundReason",
    "VatRate",
]
