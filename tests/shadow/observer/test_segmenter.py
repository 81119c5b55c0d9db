"""Which events make one step, which make none."""

from __future__ import annotations

from dataclasses import replace

from shadow.observer import Segmenter, segment
from tests.shadow.observer.made import Demonstration


def test_a_field_is_filled_once_however_often_one_stops_typing():
    shown = Demonstration().does("click", "reason").does("fill", "reason", value="Colis")
    shown.does("scroll").does("fill", "reason", value="Colis abîmé", wait=20)
    [step] = shown.steps()
    assert (step.kind, step.value, step.events) == ("fill", "Colis abîmé", (0, 1, 3))
    assert [reason.code for reason in step.reasons] == ["idle_boundary"]


def test_the_clients_order_counts_when_input_is_stamped_after_its_submit():
    shown = (
        Demonstration().does("fill", "search", value="1042").does("key", "search", key="Enter").does("submit", "search")
    )
    typed, *sent = shown.events
    late = replace(typed, at=sent[-1].at + 0.1)
    assert [step.kind for step in segment([*sent, late])] == ["fill", "submit"]


def test_a_value_told_just_after_the_enter_that_sends_it_comes_before_it():
    shown = Demonstration().does("fill", "search", value="10").does("key", "search", key="Enter")
    shown.does("fill", "search", value="1042", wait=0.01).does("submit", "search", wait=0.01)
    assert [(step.kind, step.value) for step in shown.steps()] == [("fill", "1042"), ("submit", None)]


def test_two_recorders_in_one_frame_record_one_click():
    shown = Demonstration().does("click", "refund", detail=1).does("click", "refund", detail=1, wait=0.01)
    assert shown.told() == ["Cliquer sur Rembourser"]
    again = shown.does("click", "refund", detail=1, wait=0.6)
    assert len(again.steps()) == 2


def test_next_is_a_click_and_the_page_it_opens_its_effect():
    shown = Demonstration().does("click", "next", detail=1).goes("/commandes/2", "link", wait=3)
    [step] = shown.steps()
    assert (step.intent, step.effect) == ("Cliquer sur Suivant", "https://maison-oree.test/commandes/2")


def test_an_interaction_has_one_effect_and_a_typed_address_is_a_step():
    shown = Demonstration().does("click", "next").goes("/connexion", "link").goes("/commandes/2", "script", wait=0.1)
    shown.goes("/clients", "typed").goes("/clients", "reload")
    steps = shown.steps()
    assert [step.kind for step in steps] == ["click", "navigate", "navigate"]
    assert steps[0].effect == "https://maison-oree.test/commandes/2"
    assert steps[2].intent == "Recharger la page"


def test_an_address_rewritten_after_a_search_invents_no_navigation():
    shown = Demonstration().does("fill", "search", value="1042").goes("/commandes?q=", "replace", wait=0.2)
    shown.goes("/commandes?q=&page=", "replace", wait=8)
    [step] = shown.steps()
    assert (step.kind, step.effect) == ("fill", None)


def test_a_route_pushed_by_the_page_is_kept():
    clicked = Demonstration().does("click", "refund").goes("/remboursements", "push")
    assert clicked.steps()[0].effect == "https://maison-oree.test/remboursements"
    assert [step.kind for step in clicked.goes("/clients", "push", wait=9).steps()] == ["click", "navigate"]


def test_back_stays_back():
    shown = Demonstration().does("click", "next").goes("/commandes/2", "push", wait=0.1).goes("/commandes", "back")
    assert shown.told() == ["Cliquer sur Suivant", "Revenir à la page précédente"]


def test_what_cannot_be_seen_is_told_and_makes_the_next_step_less_sure():
    shown = Demonstration().does("unseen", reason="cross_origin_frame").does("click", "refund")
    segmenter = Segmenter("fr")
    for event in shown.events:
        segmenter.observe(event)
    [notice] = segmenter.notices
    assert "autre site" in notice.message
    assert segmenter.current is not None
    assert [reason.code for reason in segmenter.current.reasons] == ["unknown_frame"]


def test_a_dropdown_that_the_page_draws_is_one_choice():
    shown = Demonstration().does("click", "country").does("fill", "search", value="fra")
    shown.does("click", "france", option="France")
    [step] = shown.steps()
    assert (step.kind, step.option, step.intent) == ("select", "France", "Choisir « France » dans Pays")


def test_a_secret_stays_one_when_the_password_is_shown():
    shown = Demonstration().does("fill", "password", value="hunter2", secret=True).does("click", "refund")
    shown.does("fill", "password", value="hunter22", target={"type": "text"})
    steps = shown.steps()
    assert [(step.secret, step.value) for step in steps if step.kind == "fill"] == [(True, None)] * 2
    assert "hunter" not in repr(steps)


def test_one_of_two_elements_of_a_name_is_told_by_its_row():
    row = {"matches": 2, "row": "commande 1042"}
    [step] = Demonstration().does("click", "refund", target=row).steps()
    assert step.intent == "Cliquer sur Rembourser — commande 1042"
    assert step.confidence == 0.9
    [lost] = Demonstration().does("click", "refund", target={"matches": 2}).steps("en")
    assert (lost.confidence, lost.reasons[0].sentence) == (0.8, "2 elements of the page have this name.")


def test_a_box_ticked_and_unticked_again_is_nothing():
    shown = Demonstration().does("check", "gift", checked=True).does("fill", "amount", value="12")
    shown.does("check", "gift", checked=False)
    assert shown.told() == ["Saisir « 12 » dans Montant"]
    acted = (
        Demonstration().does("check", "gift", checked=True).does("click", "refund").does("check", "gift", checked=False)
    )
    assert acted.told() == ["Cocher Cadeau", "Cliquer sur Rembourser", "Décocher Cadeau"]


def test_of_radio_buttons_the_last_one_counts():
    radio = {"type": "radio", "role": "radio", "group": "Livraison"}
    shown = Demonstration().does("check", "gift", checked=True, target=radio | {"name": "Colissimo", "selector": "#a"})
    shown.does("check", "gift", checked=True, target=radio | {"name": "Retrait", "selector": "#b"})
    assert shown.told() == ["Choisir « Retrait » dans Livraison"]


def test_an_option_is_named_by_its_text():
    shown = Demonstration().does("click", "status").does("select", "status", option="Payée", value="2")
    shown.does("select", "status", option="Livrée", value="3")
    assert shown.told() == ["Choisir « Livrée » dans Statut"]
    assert shown.told("en") == ["Choose “Livrée” in Statut"]


def test_a_button_pressed_with_the_keyboard_is_clicked():
    shown = Demonstration().does("key", "refund", key="Enter").does("click", "refund", detail=0, wait=0.01)
    shown.does("submit", "refund", wait=0.01).goes("/fait", "form")
    [step] = shown.steps()
    assert (step.kind, step.effect) == ("click", "https://maison-oree.test/fait")


def test_enter_in_a_field_sends_its_form_once():
    shown = Demonstration().does("fill", "search", value="1042").does("key", "search", key="Enter")
    shown.does("click", "refund", detail=0, wait=0.01).does("submit", "search", wait=0.01).goes("/r", "form")
    assert shown.told() == ["Saisir « 1042 » dans Rechercher", "Valider Rechercher avec la touche Entrée"]


def test_a_double_click_stands_for_its_clicks():
    shown = Demonstration().does("click", "refund", detail=1).does("click", "refund", detail=2, wait=0.1)
    shown.does("dblclick", "refund", wait=0.0)
    [step] = shown.steps()
    assert (step.kind, step.clicks, step.intent) == ("click", 2, "Double-cliquer sur Rembourser")


def test_looking_around_is_no_step():
    shown = Demonstration().does("hover", "refund").does("focus", "amount").does("scroll").does("click", "body")
    shown.does("key", "amount", key="Tab").does("click", "amount").does("fill", "search", value="x")
    assert shown.told() == ["Saisir « x » dans Rechercher"]


def test_a_click_on_what_looks_like_nothing_counts_when_the_page_moves():
    shown = Demonstration().does("click", "body", target={"tag": "tr", "role": "row", "name": "1042"})
    assert shown.goes("/commandes/1042", "push").told() == ["Cliquer sur 1042"]


def test_picking_a_file_is_one_step_however_long_it_takes():
    shown = Demonstration().does("click", "refund", target={"name": "Parcourir"})
    shown.does("upload", "amount", files=["facture.pdf"], wait=45, target={"type": "file", "name": "Pièce jointe"})
    assert shown.told() == ["Joindre facture.pdf dans Pièce jointe"]


def test_what_was_undone_is_taken_back():
    shown = Demonstration().does("click", "refund").does("fill", "amount", value="12").does("undo", undone=[1])
    assert shown.told() == ["Cliquer sur Rembourser"]


def test_what_a_script_did_is_dropped():
    assert Demonstration().does("click", "refund", trusted=False).steps() == []


def test_what_is_picked_from_suggestions_is_one_choice_though_the_page_says_it_of_no_element():
    item = {"tag": "li", "role": "", "name": "Anvers", "text": "Anvers", "selector": "ul > li:nth-of-type(2)"}
    shown = Demonstration().does("fill", "search", value="an").does("click", "france", target=item)
    # The page writes it into the field, which tells of it when it is left.
    shown.does("fill", "search", value="Anvers").does("click", "refund")
    assert shown.told() == ["Choisir « Anvers » dans Rechercher", "Cliquer sur Rembourser"]


def test_a_row_that_answers_a_search_is_opened_and_not_chosen():
    row = {"tag": "a", "role": "link", "name": "Commande 1042", "text": "Commande 1042"}
    shown = Demonstration().does("fill", "search", value="1042").does("click", "next", target=row)
    assert [step.kind for step in shown.steps()] == ["fill", "click"]
