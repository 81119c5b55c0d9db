"""
Render the demonstration's pages in some languages, over a scratch database: `render_demo.py FOLDER LANG…`.
The same house stands behind every language; scripts and style sheets are left out, as of Django's administration.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from demo.models import Customer, Employee, Invoice, InvoiceStatus, Order, OrderStatus  # noqa: E402
from demo.seed import seed_maison_oree  # noqa: E402
from demo.signin import SESSION_KEY  # noqa: E402

HOME = "/maison-oree/"


def main(folder: Path, languages: list[str]) -> None:
    call_command("migrate", verbosity=0)
    seed_maison_oree()
    pages = _pages()
    for language in languages:
        place = folder / language
        place.mkdir(parents=True)
        for name, url in pages.items():
            client = Client(headers={"accept-language": language, "host": "localhost"})
            if name != "sign_in":
                _sign_in(client)
            answer = client.get(url)
            assert answer.status_code == 200, f"{url}: {answer.status_code}"  # noqa: S101 - a script
            html = re.sub(r"<script\b.*?</script>|<link\b[^>]*>", "", answer.content.decode(), flags=re.DOTALL)
            (place / f"{name}.html").write_text(html, encoding="utf-8")


def _pages() -> dict[str, str]:
    """Addresses by name; of orders, one that can be both moved on and refunded, so that its page shows all it can."""
    order = Order.objects.filter(status=OrderStatus.SHIPPED, paid_amount__gt=0).earliest("number")
    draft = Invoice.objects.filter(status=InvoiceStatus.DRAFT).earliest("pk")
    issued = Invoice.objects.filter(status=InvoiceStatus.ISSUED).earliest("pk")
    customer = Customer.objects.earliest("pk").get_absolute_url()
    return {
        "sign_in": f"{HOME}connexion",
        "dashboard": HOME,
        "orders": f"{HOME}commandes",
        "order": order.get_absolute_url(),
        "invoices": f"{HOME}factures",
        "invoice_add": f"{HOME}factures/nouvelle",
        "invoice": issued.get_absolute_url(),
        "draft": draft.get_absolute_url(),
        "draft_change": f"{draft.get_absolute_url()}/modifier",
        "customers": f"{HOME}clients",
        "customer_add": f"{HOME}clients/nouveau",
        "customer": customer,
        "customer_change": f"{customer}/modifier",
    }


def _sign_in(client: Client) -> None:
    session = client.session
    session[SESSION_KEY] = Employee.objects.earliest("pk").pk
    session.save()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
