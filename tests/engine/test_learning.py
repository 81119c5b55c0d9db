from __future__ import annotations

from dataclasses import replace

import pytest

from engine.service import propose_skill
from engine.types import EngineConfig, Scan, ScanNode
from tests.engine.scans import learn, read_scan

LOCAL = EngineConfig()


def goals(page_name: str) -> dict[str, str]:
    return {intent.intent_id: intent.user_goal for intent in learn(page_name).intents}


def test_the_invoice_form_is_learnt_in_the_words_of_its_users():
    assert goals("nouvelle_facture") == {
        "go_to_commandes": "Aller à «\u00a0Commandes\u00a0»",
        "go_to_factures": "Aller à «\u00a0Factures\u00a0»",
        "go_to_clients": "Aller à «\u00a0Clients\u00a0»",
        "select_client": "Choisir le client",
        "date_echeance": "Choisir la date d’échéance",
        "select_article": "Choisir l’article",
        "quantite": "Saisir la quantité",
        "prix_unitaire_ht": "Saisir le prix unitaire HT",
        "supprimer_ligne": "Supprimer la ligne",
        "ajouter_ligne": "Ajouter une ligne",
        "remise": "Appliquer une remise",
        "select_taux_tva": "Choisir le taux de TVA",
        "options_avancees": "Afficher «\u00a0Options avancées\u00a0»",
        "ref_interne": "Remplir «\u00a0Réf. interne\u00a0»",
        "note_client": "Saisir la note pour le client",
        "check_envoyer_facture_e_mail": "Cocher «\u00a0Envoyer la facture par e-mail\u00a0»",
        "enregistrer_brouillon": "Enregistrer le brouillon",
        "creer_facture": "Créer la facture",
    }


def test_the_orders_list_is_learnt_with_each_of_its_rows():
    learnt = goals("commandes")
    assert learnt["exporter_csv"] == "Exporter les commandes en CSV"
    assert learnt["select_statut"] == "Filtrer par statut"
    assert learnt["nouvelle_commande"] == "Créer une commande"
    assert learnt["ouvrir_commande"] == "Ouvrir une commande"
    assert learnt["rembourser_commande"] == "Rembourser une commande"
    later = learnt["rembourser_commande_cmd_1041_atelier_brume_expediee"]
    assert later == "Rembourser une commande («\u00a0CMD-1041 Atelier Brume Expédiée\u00a0»)"
    assert len(learnt) == 18


def test_summaries_say_what_a_page_is_for():
    assert learn("nouvelle_facture").summary == (
        "Formulaire «\u00a0Nouvelle facture\u00a0»\u00a0: choisir le client, choisir la date d’échéance, "
        "appliquer une remise et créer la facture."
    )
    assert learn("commandes").summary.startswith("Liste «\u00a0Commandes\u00a0»\u00a0: exporter les commandes en CSV")


def test_actions_follow_the_kind_of_element():
    kinds = {intent.intent_id: intent.action_type for intent in learn("nouvelle_facture").intents}
    assert kinds["select_client"] == "select"
    assert kinds["remise"] == "input"
    assert kinds["check_envoyer_facture_e_mail"] == "check"
    assert kinds["creer_facture"] == "submit"
    assert kinds["enregistrer_brouillon"] == "click"
    assert kinds["go_to_clients"] == "navigate"


def test_every_selector_is_one_of_the_scan_and_every_id_is_unique():
    for name in ("nouvelle_facture", "commandes"):
        scan = read_scan(name)
        skill = propose_skill(scan, locale="fr", config=LOCAL)
        assert {intent.selector for intent in skill.intents} <= {node.selector for node in scan.nodes}
        ids = [intent.intent_id for intent in skill.intents]
        assert len(ids) == len(set(ids))
        assert all(one.isascii() and one.isidentifier() and one == one.lower() for one in ids)


def test_learning_twice_gives_the_same():
    scan = read_scan("commandes")
    assert propose_skill(scan, locale="fr", config=LOCAL) == propose_skill(scan, locale="fr", config=LOCAL)


def test_the_name_given_by_the_admin_wins():
    scan = replace(read_scan("commandes"), name="Suivi des ventes")
    assert propose_skill(scan, locale="fr", config=LOCAL).name == "Suivi des ventes"


def test_rows_that_a_reference_tells_apart_are_kept_up_to_a_number():
    rows = tuple(
        ScanNode(id=f"n{i}", tag="button", selector=f"#b{i}", label="Supprimer", row=f"FAC-{i} Client {i}")
        for i in range(50)
    )
    skill = propose_skill(Scan("/factures", "Factures", rows, "fr"), locale="fr", config=LOCAL)
    assert [intent.selector for intent in skill.intents] == [f"#b{i}" for i in range(25)]
    assert skill.intents[0].user_goal == "Supprimer une facture"
    assert skill.intents[7].user_goal == "Supprimer une facture («\u00a0FAC-7 Client 7\u00a0»)"


@pytest.mark.parametrize("row", ["[EMAIL]", "Ligne {i}", "[EMAIL] [SENSITIVE]"])
def test_rows_that_nothing_tells_apart_are_one_goal_on_the_first_row(row):
    rows = tuple(
        ScanNode(id=f"n{i}", tag="button", selector=f"#b{i}", label="Supprimer", row=row.format(i=i)) for i in range(9)
    )
    skill = propose_skill(Scan("/factures", "Factures", rows, "fr"), locale="fr", config=LOCAL)
    assert [(intent.user_goal, intent.selector) for intent in skill.intents] == [("Supprimer une facture", "#b0")]


def test_what_stands_beside_a_masked_address_names_the_row():
    rows = tuple(
        ScanNode(id=f"n{i}", tag="a", selector=f"#a{i}", label="Voir", row=f"[EMAIL] {name}")
        for i, name in enumerate(("Paul Garnier", "Sarah Nguyen"))
    )
    skill = propose_skill(Scan("/clients", "Clients", rows, "fr"), locale="fr", config=LOCAL)
    assert [intent.selector for intent in skill.intents] == ["#a0", "#a1"]


def test_the_same_link_in_two_parts_that_fold_is_told_apart():
    def part(number: int, name: str) -> tuple[ScanNode, ...]:
        path = f"#filters > details:nth-of-type({number})"
        return (
            ScanNode(f"s{number}", "summary", f"{path} > summary", label=name, role="button", heading="Filtre"),
            ScanNode(f"a{number}", "a", f"{path} > ul > li:nth-of-type(2) > a", label="Non", heading="Filtre"),
        )

    nodes = (*part(1, "Par statut équipe"), *part(2, "Par actif"))
    skill = propose_skill(Scan("/comptes", "Comptes", nodes, "fr"), locale="fr", config=LOCAL)
    goals = [intent.user_goal.replace("\u00a0", " ") for intent in skill.intents if intent.element.tag == "a"]
    assert goals == ["Aller à « Non » (« Par statut équipe »)", "Aller à « Non » (« Par actif »)"]


def test_the_same_button_in_two_forms_is_told_apart():
    nodes = (
        ScanNode(id="n1", tag="button", type="submit", selector="#a", label="Enregistrer", form="Profil"),
        ScanNode(id="n2", tag="button", type="submit", selector="#b", label="Enregistrer", form="Sécurité"),
    )
    skill = propose_skill(Scan("/moi", "Mon compte", nodes, "fr"), locale="fr", config=LOCAL)
    assert [intent.user_goal for intent in skill.intents] == [
        "Enregistrer les modifications («\u00a0Profil\u00a0»)",
        "Enregistrer les modifications («\u00a0Sécurité\u00a0»)",
    ]
    assert len({intent.intent_id for intent in skill.intents}) == 2


def test_nameless_and_inert_nodes_are_left_out():
    nodes = (
        ScanNode(id="n1", tag="button", selector="#x", label="~"),
        ScanNode(id="n2", tag="h2", selector="h2", label="Titre", is_interactive=False),
        ScanNode(id="n3", tag="input", selector="", label="Nom"),
        ScanNode(id="n4", tag="form", selector="form", label="Formulaire"),
        ScanNode(id="n5", tag="input", selector="#ok", name="firstName"),
    )
    skill = propose_skill(Scan("/", "Page", nodes, "en"), locale="en", config=LOCAL)
    assert [(intent.selector, intent.intent_id) for intent in skill.intents] == [("#ok", "first_name")]


@pytest.mark.parametrize(
    ("node", "goal"),
    [
        (ScanNode("n", "input", "#s", label="Discount (%)"), "Apply a discount"),
        (ScanNode("n", "select", "#s", label="Customer"), "Choose the customer"),
        (ScanNode("n", "select", "#s", label="Status", form="Filters"), "Filter by status"),
        (ScanNode("n", "a", "#s", label="Orders"), "Go to “Orders”"),
        (ScanNode("n", "a", "#s", label="New order"), "Create an order"),
        (ScanNode("n", "a", "#s", label="Security", role="tab"), "Open the “Security” tab"),
        (ScanNode("n", "button", "#s", label="Save"), "Save the changes"),
        (ScanNode("n", "input", "#s", label="Receive e-mails", type="checkbox"), "Tick “Receive e-mails”"),
        (ScanNode("n", "input", "#s", label="Invoice", type="file"), "Attach the invoice"),
        (ScanNode("n", "button", "#s", label="Dark mode", role="switch"), "Turn on “Dark mode”"),
    ],
)
def test_english_pages_get_english_goals(node, goal):
    skill = propose_skill(Scan("/", "Page", (node,), "en"), locale="en", config=LOCAL)
    assert skill.intents[0].user_goal == goal


@pytest.mark.parametrize(
    ("label", "type_", "locale", "goal"),
    [
        ("Date du :", "text", "fr", "Saisir la date de début"),
        ("Date au :", "text", "fr", "Saisir la date de fin"),
        ("Du", "date", "fr", "Choisir la date de début"),
        ("Au", "time", "fr", "Choisir l’heure de fin"),
        ("À partir du", "date", "fr", "Choisir la date de début"),
        ("Jusqu’au", "date", "fr", "Choisir la date de fin"),
        ("From", "date", "en", "Choose the start date"),
        ("To date", "text", "en", "Enter the end date"),
        ("To", "text", "en", "Fill in “To”"),
        ("Date d’arrivée du", "date", "fr", "Choisir «\u00a0Date d’arrivée du\u00a0»"),
    ],
)
def test_the_ends_of_a_range_of_dates_are_called_by_what_they_are(label, type_, locale, goal):
    node = ScanNode("n", "input", "#n", label=label, type=type_)
    skill = propose_skill(Scan("/", "Page", (node,), locale), locale=locale, config=LOCAL)
    assert skill.intents[0].user_goal == goal


def test_a_text_field_takes_a_date_where_its_name_or_its_example_says_so():
    nodes = (
        ScanNode("n1", "input", "#a", label="From", type="text", name="date_from"),
        ScanNode("n2", "input", "#b", label="To", type="text", placeholder="mm/dd/yyyy"),
    )
    skill = propose_skill(Scan("/", "Page", nodes, "en"), locale="en", config=LOCAL)
    assert [intent.user_goal for intent in skill.intents] == ["Enter the start date", "Enter the end date"]


def test_synonyms_are_other_words_for_the_thing():
    remise = next(intent for intent in learn("nouvelle_facture").intents if intent.intent_id == "remise")
    assert "ristourne" in remise.synonyms
    assert "remise" not in remise.synonyms
