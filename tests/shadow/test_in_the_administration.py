"""Demonstrations and competences, as members see them."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from moderation.services import review_decide
from moderation.states import Verb
from organizations.models import Organization
from organizations.tasks import purge_expired
from shadow.models import Competence, Conversation, Feedback, ObservationSession, ObservedEvent, UnderstoodStep
from tests.admin.conftest import browser_of, text_of
from tests.fixtures import Tenant
from tests.shadow.showing import SESSION, Shower, browser_of_author, event, presence, server_of
from tours.models import Tour


@pytest.fixture
def shower(oree: Tenant, settings, tmp_path: Path) -> Shower:
    settings.COMPETENCES_DIR = tmp_path
    one = browser_of_author(oree)
    one.show()
    one.post("feedback", action="correct", step_index=1, new_intent="Ouvrir la commande à rembourser")
    return one


def page_of(session: ObservationSession) -> str:
    return reverse("admin:shadow_observationsession_change", args=[session.pk])


def test_a_member_sees_what_was_understood_and_said(oree: Tenant, shower: Shower) -> None:
    session = ObservationSession.objects.get()
    browser = browser_of(oree.viewer)
    listed = text_of(browser.get(reverse("admin:shadow_observationsession_changelist")))
    assert "Démonstration du " in listed
    said = text_of(browser.get(page_of(session)))
    assert "Ouvrir la commande à rembourser" in said
    assert "Corrigée" in said
    assert "Supprimer cette démonstration" not in said


def test_a_competence_shows_its_steps_what_changes_and_its_tour(oree: Tenant, shower: Shower) -> None:
    shower.persist(shower.build())
    competence = Competence.objects.get()
    browser = browser_of(oree.viewer)
    assert "Rembourser une commande" in text_of(browser.get(reverse("admin:shadow_competence_changelist")))
    answer = browser.get(reverse("admin:shadow_competence_change", args=[competence.pk]))
    said = text_of(answer)
    assert "Ouvrir la commande à rembourser" in said
    assert "montant" in said
    assert reverse("admin:tours_tour_review", args=[competence.tour_id]) in answer.content.decode()
    file = browser.get(reverse("admin:shadow_competence_yaml", args=[competence.pk]))
    assert file["Content-Disposition"].startswith('attachment; filename="rembourser-une-commande-')
    assert yaml.safe_load(file.content)["name"] == "Rembourser une commande"


def test_the_review_of_its_tour_names_its_pages(oree: Tenant, shower: Shower) -> None:
    shower.persist(shower.build())
    tour = Competence.objects.get().tour
    assert tour is not None
    said = text_of(browser_of(oree.reviewer).get(reverse("admin:tours_tour_review", args=[tour.pk])))
    assert "Montré par un membre" in said
    assert "Rembourser, sur /commandes/*" in said


@pytest.mark.parametrize(("who", "may"), [("author", True), ("owner", True), ("reviewer", False), ("viewer", False)])
def test_who_showed_it_and_an_administrator_may_delete_it(oree: Tenant, shower: Shower, who: str, may: bool) -> None:
    shower.persist(shower.build())
    url = reverse("admin:shadow_observationsession_forget", args=[ObservationSession.objects.get().pk])
    answer = browser_of(getattr(oree, who)).post(url)
    assert answer.status_code == (302 if may else 403)
    for model in (ObservationSession, ObservedEvent, UnderstoodStep, Feedback):
        assert model._default_manager.exists() is not may
    assert Competence.objects.get().session_id is None or not may


def test_what_is_older_than_the_organization_keeps_is_deleted(oree: Tenant, shower: Shower) -> None:
    shower.persist(shower.build())
    server_of(oree).send(presence(), session_id="sess_new")
    Organization.objects.filter(pk=oree.organization.pk).update(retention_days=30)
    purge_expired()
    assert ObservationSession.objects.count() == 2
    long_ago = timezone.now() - timedelta(days=31)
    ObservationSession.objects.filter(session_id=SESSION).update(last_event_at=long_ago)
    said = {"organization": oree.organization, "member": oree.author}
    Conversation.objects.create(**said, key="old")
    Conversation.objects.update(spoken_at=long_ago)
    Conversation.objects.create(**said, key="new")
    purge_expired()
    assert [one.key for one in Conversation.objects.all()] == ["new"]
    assert [one.session_id for one in ObservationSession.objects.all()] == ["sess_new"]
    assert ObservedEvent.objects.count() == 1
    assert Competence.objects.count() == 1


def test_steps_whose_events_are_too_old_are_not_taken_apart(oree: Tenant, shower: Shower) -> None:
    ObservedEvent.objects.all().delete()
    answer = shower.post("feedback", action="merge_next", step_index=1).json()
    assert (answer["status"], "trop ancien" in answer["result"]["reason"]) == ("feedback_rejected", True)


def test_a_session_of_twenty_four_steps_is_a_task_and_one_of_more_is_not(oree: Tenant) -> None:
    shower = server_of(oree)
    shower.show([event(one, "key", key="F2", target={"tag": "body"}) for one in range(1, 26)])
    shower.post("feedback", action="validate")
    count = len(shower.understanding().json()["steps"])
    assert count == 25
    assert shower.post("build", name="Longue").json()["code"] == "too_many_steps"
    shower.post("feedback", action="undo", step_index=1)
    assert shower.post("build", name="Longue").json()["status"] == "workflow_built"


def test_a_tour_that_was_shown_is_listed_on_the_pages_it_goes_through(oree: Tenant, shower: Shower) -> None:
    shower.persist(shower.build())
    tour = Tour.objects.get()
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=tour.digest,
    )
    for route, titles in (("/commandes/7", ["Rembourser une commande"]), ("/factures", [])):
        listed = oree.api().get(f"/v1/tours?route={route}").json()["tours"]
        assert [one["title"] for one in listed] == titles
    whole = oree.api().get(f"/v1/tours/{tour.pk}").json()
    assert [step["route"] for step in whole["steps"]][:2] == ["/commandes", "/commandes/*"]


def test_a_recording_of_another_tool_is_imported_and_learnt(oree: Tenant, settings, tmp_path: Path) -> None:
    settings.COMPETENCES_DIR = tmp_path
    browser = browser_of(oree.author)
    recording = {
        "title": "Rembourser",
        "steps": [
            {"type": "navigate", "url": "https://app.oree.example/commandes"},
            {"type": "click", "selectors": [["aria/Rembourser"], ["#refund"]], "offsetX": 1, "offsetY": 1},
            {"type": "change", "value": "hunter2-hunter2", "selectors": [["aria/Mot de passe"], ["#password"]]},
        ],
    }
    add = reverse("admin:shadow_observationsession_add")
    answer = browser.post(add, {"file": SimpleUploadedFile("r.json", json.dumps(recording).encode())})
    assert answer.status_code == 302, text_of(answer)
    session = ObservationSession.objects.get()
    assert (session.member, session.status) == (oree.author, "stopped")
    assert "hunter2" not in str(list(ObservedEvent.objects.values_list("payload")))
    learn = reverse("admin:shadow_observationsession_learn", args=[session.pk])
    assert "Nom de la tâche" in text_of(browser.get(page_of(session)))
    assert browser.post(learn, {"name": " "}).status_code == 302
    assert not Competence.objects.exists()
    answer = browser.post(learn, {"name": "Rembourser une commande"})
    tour = Tour.objects.get()
    assert answer["Location"] == reverse("admin:tours_tour_review", args=[tour.pk])
    assert tour.status == "pending_review"


def test_a_competence_and_its_tour_are_downloaded_in_every_form(oree: Tenant, shower: Shower) -> None:
    shower.persist(shower.build())
    competence, browser = Competence.objects.get(), browser_of(oree.viewer)
    page = browser.get(reverse("admin:shadow_competence_change", args=[competence.pk])).content.decode()
    for form, holds in (("guide", "<h1>Rembourser une commande"), ("chrome", '"steps"'), ("shepherd", "attachTo")):
        url = reverse("admin:shadow_competence_export", args=[competence.pk, form])
        assert url in page
        whole = browser.get(url)
        assert whole["Content-Disposition"].startswith('attachment; filename="rembourser-une-commande')
        assert holds in whole.content.decode()
        tour = browser.get(reverse("admin:shadow_tour_export", args=[competence.tour_id, form]))
        assert tour.status_code == 200
    nothing = reverse("admin:shadow_competence_export", args=[competence.pk, "docx"])
    assert browser.get(nothing).status_code == 404


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"steps": "x"}', b"[" * 9000])
def test_a_file_that_is_no_recording_is_refused_with_the_reason(oree: Tenant, content: bytes) -> None:
    add = reverse("admin:shadow_observationsession_add")
    answer = browser_of(oree.author).post(add, {"file": SimpleUploadedFile("r.json", content)})
    assert answer.status_code == 422
    assert not ObservationSession.objects.exists()


def test_who_only_looks_imports_nothing(oree: Tenant) -> None:
    assert browser_of(oree.viewer).get(reverse("admin:shadow_observationsession_add")).status_code == 403
