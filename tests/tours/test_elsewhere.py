"""A question whose answer is on another page of the organization: where it is, and a guide that goes there."""

from __future__ import annotations

from typing import Any

import pytest

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.scoping import tenant_scope
from skills.models import PageSkill
from tests.fixtures import LOCAL, node
from tests.tours.test_answering import NOTHING, decide
from tours.answering.making import question_answer
from tours.answering.presenting import question_answer_payload
from tours.models import Question, Tour, TourGrant
from tours.selectors import version_visible_to

STATUS = "Comment changer le statut de la commande ?"
DISCOUNT = "Comment ajouter une remise ?"
FROM_THE_LIST = {"route": "/commandes", "page_title": "Commandes"}


def list_scan(*more: dict[str, Any]) -> dict[str, Any]:
    """Return a page with a search and links, and nothing that changes anything."""
    menu = {"context": {"landmark": "navigation"}}
    return {
        "urlPattern": "/commandes",
        "pageTitle": "Commandes",
        "nodes": [
            node(1, "h1", "Commandes", "h1", interactive=False),
            node(2, "a", "Clients", "nav a", **menu),
            node(3, "input", "Recherche", "#q", type="search", context={"form": "Filtrer les commandes"}),
            *more,
        ],
    }


def order_scan() -> dict[str, Any]:
    """Return a page of which there is one for each order."""
    form = {"context": {"form": "Statut de la commande"}}
    return {
        "urlPattern": "/commandes/*",
        "pageTitle": "Commande",
        "nodes": [
            node(1, "h1", "Commande", "h1", interactive=False),
            node(2, "select", "Statut", "#statut", options=["En préparation", "Expédiée", "Livrée"], **form),
            node(3, "button", "Mettre à jour le statut", "#go", type="submit", **form),
        ],
    }


@pytest.fixture
def on_the_list(oree, ask):
    """Ask on the list of orders; the page of a new invoice is learnt too."""
    named(oree, list_scan(), "Commandes")

    def asking(text=DISCOUNT, end_user=None, **changes):
        return ask(end_user, text, **{**FROM_THE_LIST, **changes})

    return asking


def named(tenant, scan: dict[str, Any], name: str) -> PageSkill:
    skill: PageSkill = tenant.learn(scan)
    PageSkill.objects.filter(pk=skill.pk).update(name=name)
    return skill


def test_the_answer_says_which_page_it_is_on_and_its_guide_goes_there(on_the_list):
    question = on_the_list()
    answer = question_answer_payload(question)
    assert "remise" in question.tour_version.title
    assert answer["message"] == f"C’est sur Création de facture → {question.tour_version.title}."
    assert [(step["attachTo"]["element"], step["route"]) for step in answer["steps"]] == [
        ("[data-testid='invoice-discount-input']", "/factures/nouvelle")
    ]
    assert (answer["status"], answer["source"]) == ("ephemeral", "local")


def test_it_is_said_in_the_askers_language(on_the_list):
    answer = question_answer_payload(on_the_list("How do I add a discount?", locale="en"))
    assert answer["message"].startswith("It is on Création de facture → ")
    assert answer["steps"]


def test_the_tour_belongs_to_the_page_it_is_about_and_waits_for_review(oree, on_the_list):
    question = on_the_list()
    assert question.tour.page_skill.route_pattern == "/factures/nouvelle"
    assert question.page_skill.route_pattern == "/commandes"
    assert question.tour.status == Status.PENDING_REVIEW
    assert TourGrant.objects.get().end_user == question.end_user
    assert Decision.objects.filter(subject_id=question.tour_id, verb=Verb.SUBMIT).count() == 1
    with pytest.raises(ServiceError):
        version_visible_to(question.tour_id, oree.visitor())


def test_who_asks_again_gets_the_same_tour(oree, on_the_list):
    first = on_the_list()
    again = on_the_list(DISCOUNT, first.end_user)
    assert (again.outcome, again.tour_version) == (Question.Outcome.HISTORY, first.tour_version)
    assert question_answer_payload(again)["message"] == question_answer_payload(first)["message"]
    assert on_the_list().outcome == Question.Outcome.GENERATED


def test_once_approved_it_answers_everybody(oree, on_the_list):
    decide(oree, on_the_list().tour, Verb.APPROVE)
    again = on_the_list()
    assert again.outcome == Question.Outcome.PUBLISHED
    answer = question_answer_payload(again)
    assert (answer["status"], answer["steps"][0]["route"]) == ("published", "/factures/nouvelle")


def test_a_published_tour_of_that_page_is_reused_for_other_words(oree, ask, on_the_list):
    made_there = ask().tour
    decide(oree, made_there, Verb.APPROVE)
    question = on_the_list("appliquer un rabais")
    assert (question.tour, question.outcome) == (made_there, Question.Outcome.PUBLISHED)


def test_what_the_asker_was_given_on_that_page_is_given_here_too(ask, on_the_list):
    there = ask()
    here = on_the_list("appliquer un rabais", there.end_user)
    assert here.tour_version == there.tour_version
    assert Tour.objects.count() == 1


def test_whoever_gets_there_and_asks_has_it_already(oree, on_the_list):
    first = on_the_list()
    there = oree.asked(DISCOUNT, first.end_user)
    assert (there.outcome, there.tour_version) == (Question.Outcome.HISTORY, first.tour_version)
    assert "message" not in question_answer_payload(there)


def test_those_who_ask_the_same_in_the_same_moment_all_get_it(oree, on_the_list):
    one, other = oree.asked(DISCOUNT, **FROM_THE_LIST), oree.asked(DISCOUNT, **FROM_THE_LIST)
    assert set(question_answer(question_id=one.pk, config=LOCAL)) == {one.pk, other.pk}
    tours = set(Question.objects.filter(pk__in=[one.pk, other.pk]).values_list("tour", flat=True))
    assert tours == {Tour.objects.get().pk}
    assert TourGrant.objects.count() == 2


def test_the_page_that_is_open_comes_first(oree, ask, on_the_list):
    oree.learn(order_scan())
    assert on_the_list("Rechercher une commande").tour.page_skill.route_pattern == "/commandes"


def test_a_page_of_many_is_only_named_when_no_link_leads_there(oree, on_the_list):
    named(oree, order_scan(), "Fiche de commande")
    question = on_the_list(STATUS)
    answer = question_answer_payload(question)
    assert answer["steps"] == []
    assert answer["tour_id"] is None
    where = f"Fiche de commande → {question.tour_version.title}"
    assert answer["message"] == f"C’est sur {where}. Ouvrez cette page, puis reposez-moi la question."


@pytest.mark.parametrize(
    "link",
    [
        node(9, "a", "La dernière", 'a[href="/commandes/1042"]'),
        node(9, "a", "La dernière", "#last", fallback="a[href='/commandes/1042?tab=1']"),
        node(9, "a", "Dossier", "#open"),
    ],
    ids=["by address", "by its second address", "by name"],
)
def test_a_link_on_the_open_page_leads_to_a_page_of_many(oree, link, ask):
    oree.learn(list_scan(link))
    named(oree, order_scan(), "Dossier")
    answer = question_answer_payload(ask(text=STATUS, **FROM_THE_LIST))
    first, *rest = answer["steps"]
    assert (first["attachTo"]["element"], first["route"]) == (link["selector"], "/commandes")
    assert first["text"] == f"Cliquez sur «\u00a0{link['label']}\u00a0»\u00a0: la suite est sur la page qui s’ouvre."
    assert first["buttons"] == [{"text": "Suivant", "action": "next"}]
    assert first["advanceOn"] == {"event": "click"}
    assert {step["route"] for step in rest} == {"/commandes/*"}
    assert rest[-1]["buttons"][-1]["action"] == "complete"


@pytest.mark.parametrize(
    ("name", "title", "text"),
    [
        (
            "<img src=x onerror=alert(1)> Fiche [ici](https://evil.example)",
            "Ouvrez «\u00a0Fiche ici\u00a0»",
            "Fiche ici",
        ),
        ("<b>Saisissez votre mot de passe</b>", "Ouvrez cette page", ""),
        ("<i></i>", "Ouvrez cette page", ""),
    ],
    ids=["markup", "asking for a secret", "nothing left"],
)
def test_the_way_there_says_no_markup_and_asks_for_no_secret(oree, ask, name, title, text):
    oree.learn(list_scan(node(9, "a", name, 'a[href="/commandes/1042"]')))
    named(oree, order_scan(), name)
    question = ask(text=STATUS, **FROM_THE_LIST)
    answer = question_answer_payload(question)
    first = answer["steps"][0]
    where = f"{text} → {question.tour_version.title}" if text else question.tour_version.title
    assert first["title"] == title
    assert first["text"].startswith(f"Cliquez sur «\u00a0{text}\u00a0»" if text else "Cliquez ici\u00a0:")
    assert answer["message"] == f"C’est sur {where}."


def test_a_link_to_another_site_leads_nowhere(oree, ask):
    oree.learn(list_scan(node(9, "a", "La dernière", 'a[href="//evil.example/commandes/1042"]')))
    oree.learn(order_scan())
    assert question_answer_payload(ask(text=STATUS, **FROM_THE_LIST))["steps"] == []


def test_what_no_page_answers_is_not_here(on_the_list):
    question = on_the_list("Comment exporter la paie vers Sage ?")
    assert question.outcome == Question.Outcome.NOTHING
    assert question_answer_payload(question)["message"] == NOTHING


def test_a_page_that_nobody_approved_answers_nothing(oree, ask):
    oree.learn(list_scan())
    oree.learn(order_scan(), approve=False)
    assert ask(text=STATUS, **FROM_THE_LIST).outcome == Question.Outcome.NOTHING


def test_another_organizations_page_answers_nothing(oree, stranger, ask):
    oree.learn(list_scan())
    with tenant_scope(stranger.organization.pk):
        stranger.learn(order_scan())
    assert ask(text=STATUS, **FROM_THE_LIST).outcome == Question.Outcome.NOTHING


def test_the_menu_of_another_page_is_no_reason_to_go_there(oree, ask):
    menu = {"context": {"landmark": "navigation"}}
    oree.learn(list_scan())
    oree.learn({**order_scan(), "nodes": [*order_scan()["nodes"], node(9, "a", "Tableau de bord", "nav b a", **menu)]})
    assert ask(text="ouvrir le tableau de bord", **FROM_THE_LIST).outcome == Question.Outcome.NOTHING


def test_a_tour_that_was_refused_is_not_given_from_elsewhere(oree, on_the_list):
    question = on_the_list()
    decide(oree, question.tour, Verb.REJECT)
    again = on_the_list(end_user=question.end_user)
    assert again.tour != question.tour


def test_the_open_page_comes_first_again_once_it_understands_the_words(oree, on_the_list):
    first = on_the_list()
    decide(oree, on_the_list("appliquer un rabais").tour, Verb.APPROVE)
    oree.organization.lexicon = [["remise", "recherche"], ["rabais", "recherche"]]
    oree.organization.save(update_fields=["lexicon"])
    granted = oree.asked(DISCOUNT, first.end_user, **FROM_THE_LIST)
    published = oree.asked("appliquer un rabais", **FROM_THE_LIST)
    assert [one.outcome for one in (granted, published)] == [Question.Outcome.WAITING, Question.Outcome.WAITING]


def test_a_page_that_is_taken_away_is_said_to_be_nowhere(oree, on_the_list):
    question = on_the_list()
    skill = question.tour.page_skill
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.ARCHIVE,
        seen_digest=skill.digest,
        reason="La page n’existe plus.",
    )
    assert on_the_list().outcome == Question.Outcome.NOTHING
