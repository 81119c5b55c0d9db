"""What people type, choose or attach never leaves the page: not in what is sent, and not even read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from bench.browser.chromium import offline_context
from bench.browser.corpus import CORPUS, QUESTIONS, VERSIONS, SavedPage, question_pages, releases, version_pages
from tests.scan.scanning import Scan, evaluate, scan

HERE = Path(__file__).parent
PAGES = sorted((HERE / "pages").glob("*.html"))
TYPING = (HERE / "pages" / "type_secrets.js").read_text(encoding="utf-8")
SPIES = (HERE / "pages" / "spies.js").read_text(encoding="utf-8")
HAS_CORPUS = QUESTIONS.is_dir() and VERSIONS.is_dir()


def _corpus() -> list[SavedPage]:
    if not HAS_CORPUS:
        return []
    versions = [SavedPage(f"{name}/{page.name}", page.file) for name in releases() for page in version_pages(name)]
    return [*question_pages(), *versions]


def _type_secrets(page: Page, *, into_attributes: bool) -> list[str]:
    """Put a word or a number of its own into every control, and return them all."""
    typed: list[str] = evaluate(page, f"({TYPING})({'true' if into_attributes else 'false'})")
    for number, chooser in enumerate(page.locator("input[type=file]").all()):
        name = f"zqf{number}xk.pdf"
        if chooser.get_attribute("webkitdirectory") is None and chooser.is_enabled():
            chooser.set_input_files({"name": name, "mimeType": "application/pdf", "buffer": b"x"})
            typed.append(name.removesuffix(".pdf"))
    return typed


def _leaks(scanned: Scan, secrets: list[str]) -> list[str]:
    present = re.findall("|".join(map(re.escape, secrets)), scanned.text, re.IGNORECASE)
    return [place for secret in sorted(set(present)) for place in scanned.around(secret)]


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
@pytest.mark.parametrize("into_attributes", [False, True], ids=["typed", "written by the server"])
def test_no_secret_typed_into_a_small_page_leaves_it(open_page, file, into_attributes):
    page = open_page(file.read_text(encoding="utf-8"))
    secrets = _type_secrets(page, into_attributes=into_attributes)
    page.evaluate("document.querySelector('[data-shown]')?.setAttribute('type', 'text')")
    scanned = scan(page)
    assert len(secrets) >= 6
    assert len(scanned.nodes) >= 4
    assert _leaks(scanned, secrets) == []


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_typing_changes_nothing_in_what_a_small_page_gives(open_page, file):
    page = open_page(file.read_text(encoding="utf-8"))
    # An editor is one before anybody types in it.
    page.evaluate("document.querySelectorAll('[data-design]').forEach((one) => one.contentDocument.designMode = 'on')")
    before = scan(page)
    _type_secrets(page, into_attributes=False)
    assert scan(page) == before


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_no_reader_of_values_is_ever_called(open_page, file):
    page = open_page(file.read_text(encoding="utf-8"), first=SPIES)
    _type_secrets(page, into_attributes=True)
    evaluate(page, "void (top.spied = [])")
    scan(page)
    assert evaluate(page, "[...new Set(top.spied)]") == []


def test_the_spies_see_a_value_that_is_read(open_page):
    page = open_page("<input id=a value=x><textarea id=b>x</textarea><p contenteditable id=c>x</p>", first=SPIES)
    evaluate(
        page,
        "top.spied = []; a.value; a.getAttribute('value'); b.textContent; c.firstChild.nodeValue; c.innerText;"
        "new FormData(); a.attributes.value.value; undefined",
    )
    assert sorted(set(evaluate(page, "top.spied"))) == [
        "Attr.value of value",
        "FormData",
        "HTMLInputElement.value",
        "getAttribute value",
        "innerText of something editable",
        "nodeValue of something editable",
        "textContent of something editable",
    ]


def test_the_choice_in_a_list_changes_nothing_in_what_the_page_gives(open_page):
    page = open_page(
        "<label>Pays <select name=pays><option>France<option>Belgique<option>Suisse</select></label>"
        "<select multiple aria-label=Langues><option>fr<option>de</select><button aria-labelledby=s>x</button>"
        "<label>Payer en <select id=s><option>euros<option>francs</select> demain</label>"
    )
    before = scan(page)
    page.locator("[name=pays]").select_option("Suisse")
    page.locator("[multiple]").select_option(["de"])
    page.locator("#s").select_option("francs")
    assert scan(page) == before


def test_addresses_lose_record_ids_query_values_and_fragments(open_page):
    links = [
        "/clients/81723/factures?jeton=zqxquery&amp;page=2#zqxfragment",
        "/clients/3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "/commandes/CMD-81723",
        "/clients/dupont@example.com",
        "https://zqxuser:zqxpass@ailleurs.example/a?jeton=zqxquery",
        "mailto:dupont@example.com",
        "tel:+33612345678",
        "javascript:open('zqxscript81723')",
        "data:text/html,zqxdata81723",
    ]
    page = open_page(
        "".join(f'<p><a href="{link}">Lien</a></p>' for link in links)
        + "<form action='/clients/81723/envoi?jeton=zqxquery'><button formaction='/clients/81723?jeton=zqxquery'>x"
        "</button></form><iframe src='/inner/81723?jeton=zqxquery' title=Cadre></iframe>"
        "<area href='/clients/81723?jeton=zqxquery'><img src='/clients/81723.png?jeton=zqxquery' alt=Photo>",
        path="/clients/81723/factures?jeton=zqxquery#zqxfragment",
        files={"/inner/81723": "<a href='/clients/81723'>Dedans</a>", "/clients/81723.png": ""},
    )
    scanned = scan(page)
    assert scanned.payload["urlPattern"] == "/clients/*/factures"
    assert scanned.labels.count("Lien") == len(links)
    assert [scanned.around(word) for word in ("zqx", "81723", "3f2504e0", "dupont", "33612345678")] == [[]] * 5


@pytest.mark.skipif(not HAS_CORPUS, reason=f"no pages at {CORPUS}: set CORPUS to the folder of the saved pages")
@pytest.mark.parametrize("saved", _corpus(), ids=lambda saved: saved.name)
def test_no_secret_typed_into_a_real_page_leaves_it(browser, bundle, saved):
    context = offline_context(browser)
    context.add_init_script(SPIES)
    page = context.new_page()
    page.goto(saved.url, wait_until="load")
    evaluate(page, f"{bundle}\n;undefined")
    secrets = _type_secrets(page, into_attributes=True)
    evaluate(page, "void (top.spied = [])")
    scanned = scan(page)
    read: Any = evaluate(page, "[...new Set(top.spied)]")
    context.close()
    assert len(scanned.nodes) > 0
    assert read == []
    assert secrets == [] or _leaks(scanned, secrets) == []
