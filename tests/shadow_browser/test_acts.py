"""What is done on a page becomes events: the right ones, in their order, of what was there before the page reacted."""

from __future__ import annotations

import re
from pathlib import Path

from tests.shadow_browser.conftest import AddPage, Show
from tests.widget.acting import until

ORDER = """<h1>Commande 42</h1><form id=refund aria-label=Remboursement action=/done>
<p><label>Montant <input id=amount name=amount></label></p>
<p><label>Motif <select id=why name=why><option>Choisir<option>Article abîmé<option>Retard</select></label></p>
<p><label><input type=checkbox id=notify name=notify> Prévenir le client</label></p>
<p><label>Justificatif <input type=file id=proof name=proof></label></p>
<p><button id=save>Rembourser</button></p></form>"""


def test_a_form_is_told_field_by_field_before_its_submission(show: Show, add_page: AddPage, tmp_path: Path) -> None:
    add_page("/done", "<h1>Fait</h1>")
    shown = show(ORDER)
    page = shown.page
    page.locator("#amount").click()
    page.keyboard.type("12,50")
    page.locator("#why").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.locator("#notify").check()
    with page.expect_file_chooser() as chooser:
        page.locator("#proof").click()
    file = tmp_path / "reçu de 06 12 34 56 78.pdf"
    file.write_bytes(b"secret")
    chooser.value.set_files(file)
    page.locator("#amount").press("Enter")
    page.wait_for_url("**/done*")
    shown.wait_for("navigate")
    assert shown.told() == [
        "click Montant",
        "fill Montant 12,50",
        "select Motif Retard",
        "check Prévenir le client True",
        "upload Justificatif",
        "key Montant Enter",
        "submit Remboursement",
        "navigate form",
    ]
    fill, chosen = shown.events("fill")[0], shown.events("select")[0]
    assert fill["target"] | {"fingerprint": ""} == {
        "tag": "input",
        "role": "textbox",
        "name": "Montant",
        "type": "text",
        "selector": "#amount",
        "fallbackSelector": 'input[name="amount"]',
        "fingerprint": "",
        "heading": "Commande 42",
        "form": "Remboursement",
        "interactive": True,
        "matches": 1,
    }
    assert chosen["options"] == ["Choisir", "Article abîmé", "Retard"]
    assert shown.events("upload")[0]["files"] == ["reçu de [SENSITIVE_NUMERIC].pdf"]
    went = shown.events("navigate")[0]
    assert re.sub(r"^http://[^/]+", "", went["url"]) == "/done?amount=&why=&notify=&proof="
    assert re.sub(r"^http://[^/]+", "", went["from_url"]) == "/commandes/42"
    assert all(event["trusted"] for event in shown.events())


def test_one_press_of_a_label_is_one_action_and_what_scripts_do_is_none(show: Show) -> None:
    shown = show(
        "<label for=q>Chercher</label><input id=q><button id=go>Aller</button>",
        script="document.querySelector('#go').onclick = () => { q.focus(); q.value = 'script'; q.click(); "
        "q.dispatchEvent(new Event('input', {bubbles: true})); };",
    )
    shown.page.locator("label").click()
    shown.page.locator("#go").click()
    shown.wait_for("click", 2)
    assert shown.told() == ["click Chercher", "click Aller"]


def test_a_list_that_the_page_draws_gives_the_option_as_it_was_before_it_closed(show: Show) -> None:
    shown = show(
        "<button id=box role=combobox aria-label=Statut aria-haspopup=listbox>Livrée</button>"
        "<div id=list role=listbox><div role=option>En attente</div><div role=option>Livrée</div></div>",
        script="list.onmousedown = () => list.replaceChildren();",
    )
    shown.page.get_by_role("option", name="Livrée").click()
    (click,) = shown.wait_for("click")
    assert (click["target"]["role"], click["option"], click["options"]) == (
        "option",
        "Livrée",
        ["En attente", "Livrée"],
    )


def test_the_same_words_twice_are_told_apart_by_their_row(show: Show) -> None:
    rows = "".join(f"<tr><td>{name}</td><td><button>Appliquer</button></td></tr>" for name in ("Lin", "Coton"))
    shown = show(f"<table><thead><tr><th>Tissu</th><th>Remise</th></tr></thead><tbody>{rows}</tbody></table>")
    shown.page.get_by_role("button", name="Appliquer").nth(1).click()
    (click,) = shown.wait_for("click")
    assert (click["target"]["row"], click["target"]["matches"]) == ("Coton", 2)


def test_the_keyboard_alone_is_understood(show: Show) -> None:
    shown = show(
        "<button id=open>Ouvrir</button><div role=switch tabindex=0 aria-checked=false id=mail>E-mails</div>"
        "<input id=city role=combobox aria-label=Ville aria-activedescendant=o2><ul role=listbox>"
        "<li role=option id=o1>Lyon<li role=option id=o2>Lille</ul>",
        script="mail.onkeydown = () => mail.setAttribute('aria-checked', 'true');",
    )
    page = shown.page
    page.locator("#open").press("Enter")
    page.locator("#mail").press("Space")
    page.locator("#city").press("Enter")
    page.locator("#city").press("Escape")
    shown.wait_for("key")
    assert shown.told() == ["click Ouvrir", "check E-mails True", "click Lille Lille", "key Ville Escape"]
    assert [event["detail"] for event in shown.events("click")] == [0, 0]


def test_a_secret_stays_one_when_the_page_shows_it(show: Show) -> None:
    shown = show(
        "<form><label>Mot clé <input id=key type=password></label><button type=button id=eye>Montrer</button>"
        "<label>Code <input id=code autocomplete=one-time-code></label>"
        "<input type=hidden name=csrf value=h1dden><textarea id=note aria-label=Note></textarea>"
        "<div id=memo contenteditable aria-label=Mémo></div></form>",
        script="eye.onclick = () => { key.type = 'text'; };",
    )
    page = shown.page
    page.locator("#eye").click()
    page.locator("#key").click()
    page.keyboard.type("s3same-ouvre")
    page.locator("#code").click()
    page.keyboard.type("493817")
    page.locator("#note").click()
    page.keyboard.type("Appeler alice@example.com")
    page.locator("#memo").click()
    page.keyboard.type("Colis")
    page.locator("#eye").click()
    shown.wait_for("fill", 4)
    assert [(event.get("value"), event.get("secret")) for event in shown.events("fill")] == [
        (None, True),
        (None, True),
        ("Appeler [EMAIL]", None),
        ("Colis", None),
    ]
    assert not re.search("s3same|493817|h1dden|alice", shown.all_sent())


def test_what_the_author_keeps_private_has_no_words_and_what_is_ignored_is_nothing(show: Show) -> None:
    shown = show(
        "<div data-circuy-mask><button id=a>Dossier Dupont</button><input id=b aria-label=Dupont></div>"
        "<div data-circuy-ignore><button id=c>Rien</button></div><button id=d>Suite</button>"
    )
    page = shown.page
    page.locator("#a").click()
    page.locator("#b").click()
    page.keyboard.type("Dupont")
    page.locator("#c").click()
    page.locator("#d").click()
    until(lambda: "click Suite" in shown.told(), page)
    assert [event["target"].get("selector") for event in shown.events()] == ["#a", "#b", "#b", "#d"]
    assert "Dupont" not in shown.all_sent()
