"""From what was shown to a workflow, a competence, its file, and a tour that its users find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.models import EndUser, Membership, Role
from shadow.models import Competence
from shadow.workflow_ir import WorkflowIR, schema_text
from tests.fixtures import LOCAL, Tenant, invoice_scan
from tests.shadow.showing import LIST, ORDER, Shower, browser_of_author, event, refund, server_of, target
from tours.admin.draft import TourDraft
from tours.answering.asking import question_ask
from tours.answering.making import question_answer
from tours.answering.presenting import question_answer_payload
from tours.models import Question, Tour
from tours.services import tour_edit

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(settings, tmp_path: Path) -> Path:
    folder = tmp_path / "competences"
    settings.COMPETENCES_DIR = folder
    return folder


@pytest.fixture
def shower(oree: Tenant, folder: Path) -> Shower:
    return browser_of_author(oree)


def learnt(shower: Shower, name: str = "Rembourser une commande") -> Tour:
    """Show, build and keep the task; return its tour."""
    shower.show()
    answer = shower.persist(shower.build(name))
    assert answer.status_code == 201, answer.content
    return Tour.objects.get(pk=answer.json()["tour_id"])


def approve(tenant: Tenant, tour: Tour) -> None:
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=tenant.organization,
        actor=tenant.reviewer,
        verb=Verb.APPROVE,
        seen_digest=tour.digest,
    )
    tour.refresh_from_db()


def asked(tenant: Tenant, text: str, route: str, end_user: EndUser | None = None) -> tuple[Question, dict[str, Any]]:
    """Have somebody ask, as a web process and a worker answer."""
    question = question_ask(
        organization=tenant.organization,
        end_user=end_user or tenant.visitor(),
        text=text,
        route=route,
        page_title="",
        locale="fr",
    )
    if question.outcome == Question.Outcome.WAITING:
        question_answer(question_id=question.pk, config=LOCAL)
        question.refresh_from_db()
    answer = question_answer_payload(question)
    assert answer is not None
    return question, answer


def test_a_workflow_names_its_pages_its_locators_and_what_changes(shower: Shower) -> None:
    shower.show()
    workflow = shower.build()
    assert (workflow["version"], workflow["name"], workflow["locale"]) == ("1.0", "Rembourser une commande", "fr")
    assert [page["route"] for page in workflow["pages"]] == ["/commandes", "/commandes/*", "/commandes/*/remboursement"]
    fill = next(step for step in workflow["steps"] if step["kind"] == "fill")
    assert fill["target"]["locators"][0] == {"kind": "css", "value": "input[name='amount']"}
    assert (fill["value"], fill["parameter"]) == ("45,00", "montant")
    (parameter,) = workflow["parameters"]
    assert parameter == {
        "name": "montant",
        "label": "Montant",
        "kind": "amount",
        "example": "45,00",
        "confirmed": False,
    }
    assert workflow["steps"][0]["effect"] == {"kind": "navigation", "route": "/commandes/*"}
    assert shower.post("build", name="Rembourser une commande").json()["workflow_ir"] == workflow


def test_what_was_said_of_a_value_counts(shower: Shower) -> None:
    shower.show()
    number = next(step["step"] for step in shower.understanding().json()["steps"] if step.get("parameter"))
    named = shower.build(parameters=[{"step": number, "confirmed": True, "name": "Somme rendue"}])
    assert [(one["name"], one["confirmed"]) for one in named["parameters"]] == [("somme_rendue", True)]
    fixed = shower.build_again(parameters=[{"step": number, "confirmed": False}])
    assert fixed["parameters"] == []
    wrong = shower.post("build", name="Rembourser", parameters=[{"step": number, "name": "!!!"}])
    assert wrong.status_code == 422


def test_the_schema_in_the_documentation_is_the_workflows() -> None:
    kept = (ROOT / "docs/schemas/workflow-ir.schema.json").read_text(encoding="utf-8")
    assert kept == schema_text(), "run: manage.py workflow_schema --write"


def test_a_competence_is_kept_with_a_file_that_reads_back(shower: Shower, folder: Path, oree: Tenant) -> None:
    shower.show()
    workflow = shower.build("Rembourser : l'« été » ../../etc")
    answer = shower.persist(workflow).json()
    assert answer["status"] == "persisted"
    competence = Competence.objects.get(pk=answer["competence_id"])
    file = folder.parent / answer["path"]
    assert file.parent == folder / "candidate" / "oree"
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    assert WorkflowIR.from_yaml(file.read_text(encoding="utf-8")) == WorkflowIR.read(workflow)
    assert yaml.safe_load(competence.yaml_text)["name"] == workflow["name"]
    assert (competence.status, competence.member, competence.domain) == ("candidate", oree.author, "generic")


@pytest.mark.parametrize("name", ["yes", "0123", "- a: [b", "日本語", "null", "😀 # non", "a'\"b", "1e3", "🜁" * 120])
def test_yaml_keeps_any_name(shower: Shower, name: str) -> None:
    shower.show()
    ir = WorkflowIR.read(shower.build(name))
    assert WorkflowIR.from_yaml(ir.to_yaml()) == ir
    assert shower.persist(ir.to_json()).status_code == 201


def test_keeping_twice_keeps_once(shower: Shower) -> None:
    shower.show()
    workflow = shower.build()
    assert shower.persist(workflow).json() == shower.persist(workflow).json()
    assert (Competence.objects.count(), Tour.objects.count()) == (1, 1)


def test_what_is_no_workflow_is_refused_without_repeating_it(shower: Shower) -> None:
    shower.show()
    workflow = shower.build()
    wrongs: list[Any] = [
        {**workflow, "secret": "hunter2"},
        {**workflow, "version": "9"},
        {**workflow, "steps": workflow["steps"][:2] * 2},
        {**workflow, "steps": [{**workflow["steps"][0], "page": "page_9"}]},
        {**workflow, "steps": [{**workflow["steps"][0], "secret": True, "value": "hunter2"}]},
        [],
    ]
    for wrong in wrongs:
        answer = shower.persist(wrong)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_workflow")
        assert "hunter2" not in answer.content.decode()
    assert not Competence.objects.exists()


def test_a_file_that_cannot_be_written_leaves_nothing_behind(shower: Shower, folder: Path) -> None:
    shower.show()
    workflow = shower.build()
    folder.write_text("no folder")
    answer = shower.persist(workflow)
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_unavailable")
    assert (Competence.objects.count(), Tour.objects.count()) == (0, 0)
    folder.unlink()
    assert shower.persist(workflow).status_code == 201


def test_a_machine_that_nobody_heard_of_keeps_nothing(shower: Shower) -> None:
    shower.show()
    body = {"workflow_ir": shower.build(), "machine_id": "OTHER"}
    answer = shower.client.post("/api/v1/lea/competences/candidate/persist", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (404, "machine_not_found")


def test_its_tour_waits_for_a_review_like_any_other(shower: Shower, oree: Tenant) -> None:
    tour = learnt(shower)
    assert (tour.status, tour.origin, tour.submitted_by) == (Status.PENDING_REVIEW, "demonstration", oree.author)
    assert tour.routes == ["/commandes", "/commandes/*", "/commandes/*/remboursement"]
    # Whoever shows is not asked to review it; the reviewers are, as for any tour.
    assert [one.kind for one in Decision.objects.filter(subject_id=tour.pk)] == ["tour"]
    assert tour.current_version is not None
    texts = [step["text"] for step in tour.current_version.steps]
    assert texts[:2] == ["Ouvrez l’élément voulu, par exemple « Commande 1042 ».", "Cliquez sur « Rembourser »."]
    assert "Remplissez « Montant ». Par exemple : 45,00." in texts
    assert "Choisissez « Article abîmé » dans « Motif »." in texts
    competence = Competence.objects.get()
    approve(oree, tour)
    competence.refresh_from_db()
    assert competence.status == "approved"


def test_who_shows_does_not_approve_it_alone(shower: Shower, oree: Tenant) -> None:
    tour = learnt(shower)
    Membership.objects.filter(user=oree.author).update(role=Role.REVIEWER)
    with pytest.raises(ServiceError, match="soumis"):
        review_decide(
            model=Tour,
            subject_id=tour.pk,
            organization=oree.organization,
            actor=oree.author,
            verb=Verb.APPROVE,
            seen_digest=tour.digest,
        )


def test_an_approved_task_is_found_on_any_page_in_other_words(shower: Shower, oree: Tenant) -> None:
    tour = learnt(shower)
    assert asked(oree, "Rembourser une commande", LIST)[0].outcome == Question.Outcome.UNKNOWN_PAGE
    approve(oree, tour)
    for text, route in (
        ("Rembourser une commande", LIST),
        ("Comment rembourser une commande ?", ORDER),
        ("je voudrais faire un remboursement", "/nulle/part"),
    ):
        question, answer = asked(oree, text, route)
        assert (question.outcome, question.tour) == (Question.Outcome.PUBLISHED, tour), text
        assert answer["steps"][0]["route"] == "/commandes"
        assert answer["steps"][-1]["route"] == "/commandes/*/remboursement"
    assert "« Rembourser une commande » commence sur la page « Commandes »" in answer["message"]
    assert asked(oree, "Comment changer la langue ?", LIST)[0].outcome == Question.Outcome.UNKNOWN_PAGE
    assert Tour.objects.get(pk=tour.pk).asked_count == 3


def test_a_task_that_is_called_by_a_thing_alone_does_not_answer_all_that_is_asked_of_it(
    shower: Shower, oree: Tenant
) -> None:
    approve(oree, learnt(shower, "Commandes"))
    assert asked(oree, "Comment exporter les commandes ?", LIST)[0].outcome == Question.Outcome.UNKNOWN_PAGE
    assert asked(oree, "Commandes", LIST)[0].outcome == Question.Outcome.PUBLISHED


def test_a_learnt_page_still_answers_what_it_knows(shower: Shower, oree: Tenant) -> None:
    approve(oree, learnt(shower))
    oree.learn(invoice_scan())
    question, _answer = asked(oree, "Comment ajouter une remise ?", "/factures/nouvelle")
    assert question.outcome == Question.Outcome.GENERATED
    question, answer = asked(oree, "Comment rembourser une commande ?", "/factures/nouvelle")
    assert question.outcome == Question.Outcome.PUBLISHED
    assert answer["steps"][0]["route"] == "/commandes"


def test_a_task_that_begins_on_one_of_many_pages_waits_for_who_opens_one(shower: Shower, oree: Tenant) -> None:
    shower.show(refund()[2:])
    tour = Tour.objects.get(pk=shower.persist(shower.build()).json()["tour_id"])
    approve(oree, tour)
    _question, answer = asked(oree, "Rembourser une commande", LIST)
    assert (answer["tour_id"], answer["steps"]) == (None, [])
    assert "commence sur une page comme « Commande 1042 »" in answer["message"]
    assert asked(oree, "Rembourser une commande", "/commandes/7")[1]["steps"]


def test_an_editor_changes_a_shown_tour_and_each_step_stays_on_its_page(shower: Shower, oree: Tenant) -> None:
    events = [
        event(1, "click", LIST, target=target("button", "Suivant", "main button")),
        event(2, "navigate", ORDER, cause="push"),
        event(3, "click", ORDER, target=target("button", "Terminer", "main button")),
    ]
    shower.show(events)
    tour = Tour.objects.get(pk=shower.persist(shower.build()).json()["tour_id"])
    draft = TourDraft.of(tour)
    draft.steps[1].title = "Finir"
    version = tour_edit(
        tour=tour, actor=oree.reviewer, seen_digest=tour.digest, title=tour.title, steps=draft.contents()
    )
    assert version is not None
    assert [(step["route"], step["picked"]) for step in version.steps] == [
        ("/commandes", "Suivant"),
        ("/commandes/*", "Terminer"),
    ]


def test_opening_pages_by_hand_is_said_where_the_next_step_is(shower: Shower, oree: Tenant) -> None:
    events = [
        event(1, "navigate", LIST, cause="typed"),
        event(2, "click", LIST, target=target("button", "Exporter", "#export")),
        event(3, "fill", LIST, target=target("input", "Mot de passe", "#pw", type="password"), secret=True),
    ]
    shower.show(events)
    tour = Tour.objects.get(pk=shower.persist(shower.build("Exporter les commandes")).json()["tour_id"])
    assert tour.current_version is not None
    assert [step["text"] for step in tour.current_version.steps] == [
        "Ouvrez la page « Commandes ». Cliquez sur « Exporter ».",
        "Saisissez votre mot de passe.",
    ]


def test_a_server_of_the_organization_keeps_for_nobody_in_particular(oree: Tenant, folder: Path) -> None:
    tour = learnt(server_of(oree))
    assert (tour.submitted_by, Competence.objects.get().member) == (None, None)
    assert json.loads(json.dumps(Competence.objects.get().workflow_ir))["steps"]
