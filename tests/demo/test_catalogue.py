"""The back-office is written in French; what it says in English is in demo/locale/en."""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator
from pathlib import Path

import django
import polib
import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation.template import templatize

from demo.models import Customer, Employee, Invoice, InvoiceStatus, Order, OrderStatus, Product

from .reading import Outline, every_page

DEMO = Path(apps.get_app_config("demo").path)
ENGLISH = DEMO / "locale" / "en" / "LC_MESSAGES"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%")
CALL = re.compile(r"""\b(?:_|gettext|ngettext)\(\s*u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
# What is nobody's language: numbers of orders and invoices, languages by their own names, the house.
NAMES = re.compile(
    r"(CMD|FAC|EPI|PAT|COF)-[\d-]+|FR( – Français)?|EN( – English)?|Maison Orée|4 rue de l'Orée|45000 Orléans|oree2026"
)


@pytest.fixture(scope="module")
def english() -> polib.POFile:
    return polib.pofile(str(ENGLISH / "django.po"))


def messages_of_the_sources() -> Iterator[str]:
    for file in DEMO.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"_", "gettext"}:
                yield ast.literal_eval(call.args[0])
    for file in DEMO.rglob("*.html"):
        for match in CALL.finditer(templatize(file.read_text(encoding="utf-8"), origin=str(file))):
            yield ast.literal_eval(match[1])


def test_the_catalogue_has_the_messages_of_the_sources_and_no_others(english):
    assert {entry.msgid for entry in english} == set(messages_of_the_sources())


def test_every_message_is_translated_with_the_same_placeholders(english):
    for entry in english:
        assert not entry.fuzzy, entry.msgid
        translations = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        for translation in translations:
            assert translation, entry.msgid
            assert sorted(PLACEHOLDER.findall(translation)) == sorted(PLACEHOLDER.findall(entry.msgid)), entry.msgid


def test_the_compiled_file_is_that_of_the_sources(english):
    def content(file: polib.POFile | polib.MOFile) -> set[tuple[str, ...]]:
        return {(entry.msgid, entry.msgstr, *entry.msgstr_plural.values()) for entry in file}

    assert content(polib.mofile(str(ENGLISH / "django.mo"))) == content(english)


def test_no_message_of_the_rest_of_the_site_is_changed_by_it(english):
    """Django puts the catalogues of all that is installed together: nobody's message may be said otherwise by ours."""
    changed = [entry for entry in english if entry.msgstr != entry.msgid]
    ours = {text for entry in changed for text in (entry.msgid, entry.msgid_plural) if text}
    rooms = [Path(django.__file__).parent / "conf", *(Path(app.path) for app in apps.get_app_configs())]
    catalogues = [folder / "locale" / "fr" / "LC_MESSAGES" / "django.mo" for folder in rooms]
    catalogues += [Path(folder) / "fr" / "LC_MESSAGES" / "django.mo" for folder in settings.LOCALE_PATHS]
    found = [file for file in catalogues if file.is_file()]
    assert len(found) > 5
    for file in found:
        theirs = {text for entry in polib.mofile(str(file)) for text in (entry.msgid, entry.msgid_plural) if text}
        assert ours & theirs == set(), file


def said_in(language: str, client: Client, address: str, data: dict[str, str] | None = None) -> set[str]:
    headers = {"accept-language": language}
    answer = client.get(address, headers=headers) if data is None else client.post(address, data, headers=headers)
    if answer.status_code == 302:
        answer = client.get(answer.headers["Location"], headers=headers)
    return Outline(answer.content.decode()).texts


def mistakes_and_changes() -> list[tuple[str, dict[str, str] | None]]:
    """Addresses and forms that make the house say its errors and its confirmations."""
    new = Order.objects.filter(status=OrderStatus.NEW, paid_amount__gt=0).first()
    done = Order.objects.filter(status=OrderStatus.DELIVERED).first()
    draft = Invoice.objects.filter(status=InvoiceStatus.DRAFT).first()
    customer, product = Customer.objects.first(), Product.objects.first()
    assert new
    assert done
    assert draft
    assert customer
    assert product
    refund = {"action": "remboursement", "reason": "abime", "confirm": "on"}
    invoice = {
        "clientId": str(customer.pk),
        "due_on": timezone.localdate().isoformat(),
        "vat_rate": "5.5",
        "lines-TOTAL_FORMS": "1",
        "lines-INITIAL_FORMS": "0",
        "lines-0-product": str(product.pk),
        "lines-0-quantity": "1",
        "lines-0-unit_price": "8",
    }
    person = {"name": "A", "kind": "particulier", "street": "1", "postal_code": "1", "city": "B", "email": "b"}
    form = reverse("demo:invoice_create")
    customers = reverse("demo:customer_create")
    return [
        (f"{reverse('demo:order_list')}?du=2026-03-03&au=2026-03-01", None),
        (f"{reverse('demo:order_list')}?du=x&statut=x", None),
        (f"{reverse('demo:invoice_list')}?q=rien-de-tel", None),
        (f"{reverse('demo:customer_list')}?q=rien-de-tel", None),
        ("/maison-oree/rien", None),
        (new.get_absolute_url(), {"action": "statut", "seen": "Nouvelle", "status": "Livrée"}),
        (new.get_absolute_url(), {"action": "statut", "seen": "Expédiée", "status": "Livrée"}),
        (new.get_absolute_url(), {"action": "statut", "seen": "Nouvelle", "status": "En préparation"}),
        (new.get_absolute_url(), refund | {"amount": "99999"}),
        (new.get_absolute_url(), refund | {"amount": "0"}),
        (new.get_absolute_url(), {"action": "remboursement", "amount": "1.234"}),
        (new.get_absolute_url(), refund | {"amount": "1"}),
        (new.get_absolute_url(), {"action": "note", "note": ""}),
        (done.get_absolute_url(), {"action": "offrir"}),
        (form, {"action": "create", "lines-TOTAL_FORMS": "1", "lines-INITIAL_FORMS": "0"}),
        (form, invoice | {"action": "create", "discount": "101", "due_on": "2020-01-01", "clientId": "0"}),
        (form, invoice | {"action": "create", "discount": "-1", "lines-0-product": "", "lines-0-quantity": "0"}),
        (form, invoice | {"action": "create", "discount": "x", "lines-0-quantity": "", "lines-0-unit_price": ""}),
        (form, invoice | {"action": "create", "discount": "0", "lines-0-unit_price": "-1"}),
        (form, invoice | {"action": "draft"}),
        (form, invoice | {"action": "create"}),
        (draft.get_absolute_url(), {"action": "pay"}),
        (draft.get_absolute_url(), {"action": "issue"}),
        (draft.get_absolute_url(), {"action": "issue"}),
        (draft.get_absolute_url(), {"action": "pay"}),
        (draft.get_absolute_url(), {"action": "x"}),
        (reverse("demo:invoice_edit", args=[draft.pk]), None),
        (customers, person | {"phone": "x"}),
        (customers, person | {"postal_code": "75011", "email": customer.email}),
        (customers, person | {"postal_code": "75011", "email": "c@example.com"}),
    ]


def words_of_people() -> set[str]:
    """What was typed by someone, or names something: it stays as it is in every language."""
    written = [
        *Customer.objects.values_list("name", "email", "street", "city", "note"),
        *Employee.objects.values_list("full_name", "email"),
        *Product.objects.values_list("name"),
        *Order.objects.values_list("customer_message", "internal_note"),
        *Invoice.objects.values_list("note"),
    ]
    words = {text for texts in written for text in texts}
    words |= {f"{customer.postal_code} {customer.city}" for customer in Customer.objects.all()}
    return words | {employee.initials for employee in Employee.objects.all()}


def test_no_french_is_left_on_english_pages(camille: Client, english: polib.POFile) -> None:
    typed = words_of_people()
    said = said_in("en", Client(), reverse("demo:sign_in"))
    said |= said_in("en", Client(), reverse("demo:sign_in"), {"email": "a@example.com", "password": "non"})
    for address, data in [*((page, None) for page in every_page()), *mistakes_and_changes()]:
        said |= said_in("en", camille, address, data)

    def pattern(message: str) -> str:
        parts = PLACEHOLDER.split(html.unescape(message).replace("%%", "%"))
        return ".+".join(re.escape(part) for part in parts)

    french: dict[str, str] = {}
    expected: dict[str, str] = {}
    for entry in english:
        pairs = [(entry.msgid, entry.msgstr_plural[0] if entry.msgid_plural else entry.msgstr)]
        if entry.msgid_plural:
            pairs.append((entry.msgid_plural, entry.msgstr_plural[1]))
        for message, translation in pairs:
            if message != translation:
                french[pattern(message)] = message
                expected[pattern(translation)] = translation
    left = {text for text in said - typed if any(re.fullmatch(known, text) for known in french)}
    assert left == set()
    heard = [known for known in expected if any(re.fullmatch(known, text) for text in said)]
    assert len(heard) > 0.85 * len(expected), sorted(set(expected) - set(heard))


def test_pages_say_the_same_in_both_languages_only_where_it_is_a_name(camille: Client, english: polib.POFile) -> None:
    """Catches what no catalogue knows: a text that nobody marked."""
    same = {entry.msgid for entry in english if entry.msgid == entry.msgstr} | words_of_people()
    for address in [*every_page(), "/maison-oree/rien"]:
        both = said_in("fr", camille, address) & said_in("en", camille, address)
        assert {text for text in both - same if not NAMES.fullmatch(text)} == set(), address
    both = said_in("fr", Client(), reverse("demo:sign_in")) & said_in("en", Client(), reverse("demo:sign_in"))
    assert {text for text in both - same if not NAMES.fullmatch(text)} == set()
