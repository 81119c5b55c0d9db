"""What the tests look at in pages, and which pages there are."""

from __future__ import annotations

from html.parser import HTMLParser

from django.urls import reverse

from demo.models import Customer, Invoice, InvoiceStatus, Order

SPOKEN = ("aria-label", "placeholder", "title", "alt")


class Outline(HTMLParser):
    """A page's tags with their attributes, and every text that is seen or read aloud."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        for name, value in attrs:
            if name in SPOKEN and value:
                self.handle_data(value)

    def handle_data(self, data: str) -> None:
        text = " ".join(data.removesuffix(" · Maison Orée").split()).removeprefix(", ")
        if any(character.isalpha() for character in text):
            self.texts.add(text)

    def all(self, *names: str) -> list[dict[str, str | None]]:
        return [attrs for tag, attrs in self.tags if tag in names]


def every_page() -> list[str]:
    draft = Invoice.objects.filter(status=InvoiceStatus.DRAFT).first()
    issued = Invoice.objects.filter(status=InvoiceStatus.ISSUED).first()
    customer = Customer.objects.first()
    assert draft
    assert issued
    assert customer
    return [
        reverse("demo:dashboard"),
        reverse("demo:order_list"),
        reverse("demo:order_list") + "?statut=Livr%C3%A9e&q=rien-de-tel",
        *(order.get_absolute_url() for order in Order.objects.order_by("status", "number").distinct("status")),
        reverse("demo:invoice_list"),
        reverse("demo:invoice_create"),
        issued.get_absolute_url(),
        draft.get_absolute_url(),
        reverse("demo:invoice_edit", args=[draft.pk]),
        reverse("demo:customer_list"),
        reverse("demo:customer_create"),
        customer.get_absolute_url(),
        reverse("demo:customer_edit", args=[customer.pk]),
    ]
