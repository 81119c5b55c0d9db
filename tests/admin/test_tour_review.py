"""Reviewing a tour: edit, approve, refuse, and what happens when two people do."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.models import User
from tests.admin.conftest import ask, browser_of, text_of
from tests.fixtures import QUESTION, Tenant
from tours.models import Tour
from tours.services import tour_edit


def url_of(tour: Tour) -> str:
    return reverse("admin:tours_tour_review", args=[tour.pk])


def form_of(tour: Tour, **changes: Any) -> dict[str, Any]:
    """Return what the page's form sends when nothing was touched, with changes."""
    assert tour.current_version is not None
    data: dict[str, Any] = {"seen_digest": tour.digest, "title": tour.title, "do": "save"}
    for index, step in enumerate(tour.current_version.steps):
        for name in ("intent_id", "title", "text", "placement"):
            data[f"steps-{index}-{name}"] = step[name]
        data[f"steps-{index}-order"] = index + 1
    data["steps-count"] = len(tour.current_version.steps)
    return data | changes


def allow_self_approval(tenant: Tenant) -> None:
    tenant.organization.allow_self_approval = True
    tenant.organization.save()


def fresh(tour: Tour) -> Tour:
    return Tour.objects.select_related("current_version", "published_version").get(pk=tour.pk)


def other_words(tour: Tour, actor: User, text: str = "Mots d'une autre.") -> None:
    """Have somebody else save their words meanwhile."""
    current = fresh(tour)
    assert current.current_version is not None
    steps = [{**step, "text": text} for step in current.current_version.steps]
    tour_edit(tour=current, actor=actor, seen_digest=current.digest, title=current.title, steps=steps)


def test_one_screen_says_what_was_asked_and_what_is_answered(oree: Tenant, waiting_tour: Tour) -> None:
    ask(oree)
    ask(oree, "où mettre une remise")

    response = browser_of(oree.reviewer).get(url_of(waiting_tour))

    text = text_of(response)
    assert QUESTION in text
    assert "3 personnes l’ont demandé" in text
    assert "/factures/nouvelle" in text
    assert "Approuver la version 1" in text
    assert waiting_tour.digest in response.content.decode()
    assert waiting_tour.current_version is not None
    assert waiting_tour.current_version.steps[0]["selector"].replace("'", "&#x27;") in response.content.decode()


def test_a_reviewer_edits_then_another_approves(oree: Tenant, waiting_tour: Tour) -> None:
    browser = browser_of(oree.reviewer)

    browser.post(url_of(waiting_tour), form_of(waiting_tour, **{"steps-0-text": "Entrez la remise ici."}))

    edited = fresh(waiting_tour)
    assert edited.status == Status.PENDING_REVIEW
    assert edited.version == 2
    response = browser_of(oree.owner).post(url_of(edited), form_of(edited, do="approve"), follow=True)

    published = fresh(waiting_tour)
    assert published.status == Status.PUBLISHED
    assert published.published_version is not None
    assert published.published_version.steps[0]["text"] == "Entrez la remise ici."
    assert "version 2 est en ligne" in text_of(response)


def test_who_edits_does_not_approve_their_own_words(oree: Tenant, waiting_tour: Tour) -> None:
    browser, url = browser_of(oree.reviewer), url_of(waiting_tour)
    assert 'value="save_approve"' not in browser.get(url).content.decode()

    response = browser.post(url, form_of(waiting_tour, do="save_approve", title="Mes mots"), follow=True)

    saved = fresh(waiting_tour)
    assert (saved.title, saved.status) == ("Mes mots", Status.PENDING_REVIEW)
    assert "Enregistré, mais pas approuvé" in text_of(response)
    assert 'value="approve"' not in response.content.decode()


def test_saving_and_approving_publishes_the_words_on_the_screen(oree: Tenant, waiting_tour: Tour) -> None:
    allow_self_approval(oree)
    form = form_of(waiting_tour, do="save_approve", **{"steps-0-title": "Votre remise"})

    browser_of(oree.reviewer).post(url_of(waiting_tour), form)

    published = fresh(waiting_tour)
    assert published.status == Status.PUBLISHED
    assert published.published_version is not None
    assert published.published_version.steps[0]["title"] == "Votre remise"


def test_approving_with_unsaved_words_is_refused_and_keeps_them(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, do="approve", **{"steps-0-title": "Pas encore enregistré"})

    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form)

    assert response.status_code == 409
    assert "Pas encore enregistré" in response.content.decode()
    assert fresh(waiting_tour).status == Status.PENDING_REVIEW


def test_a_stale_page_cannot_save_and_nothing_typed_is_lost(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, **{"steps-0-text": "Mes propres mots."})
    other_words(waiting_tour, oree.author)

    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form)

    assert response.status_code == 409
    body = response.content.decode()
    assert "Mes propres mots." in body
    assert "Mots d&#x27;une autre." in body
    assert 'value="continue"' in body
    assert fresh(waiting_tour).version == 2


def test_after_seeing_the_other_version_ones_own_words_can_be_saved(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, **{"steps-0-text": "Mes propres mots."})
    other_words(waiting_tour, oree.author)
    browser = browser_of(oree.reviewer)

    response = browser.post(url_of(waiting_tour), {**form, "do": "continue"})
    assert response.context["draft"].seen_digest == fresh(waiting_tour).digest
    browser.post(url_of(waiting_tour), {**form, "seen_digest": response.context["draft"].seen_digest})

    saved = fresh(waiting_tour)
    assert saved.version == 3
    assert saved.current_version is not None
    assert saved.current_version.steps[0]["text"] == "Mes propres mots."


def test_a_stale_page_cannot_approve_what_was_not_on_it(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, do="approve")
    other_words(waiting_tour, oree.author)

    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form)

    assert response.status_code == 409
    assert fresh(waiting_tour).status == Status.PENDING_REVIEW


def test_a_stale_page_on_which_nothing_was_typed_shows_what_is_there_now(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, do="approve", untouched="1")
    other_words(waiting_tour, oree.author)

    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form)

    assert response.status_code == 409
    text = text_of(response)
    assert "Vous avez modifié le contenu" not in text
    assert "Ce que vous avez saisi" not in text
    assert response.context["draft"].seen_digest == fresh(waiting_tour).digest
    assert "Mots d'une autre." in [step.text for step in response.context["draft"].steps]


def test_a_second_reviewer_is_told_that_it_was_decided(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, do="reject", reason="Trop tard")
    review_decide(
        model=Tour,
        subject_id=waiting_tour.pk,
        organization=oree.organization,
        actor=oree.owner,
        verb=Verb.APPROVE,
        seen_digest=waiting_tour.digest,
    )

    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form)

    assert response.status_code == 409
    assert "Une décision a déjà été prise" in text_of(response)
    assert fresh(waiting_tour).status == Status.PUBLISHED


@pytest.mark.parametrize("button", ["reject", "request_changes"])
def test_a_refusal_without_a_reason_asks_for_one(oree: Tenant, waiting_tour: Tour, button: str) -> None:
    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form_of(waiting_tour, do=button))

    assert response.status_code == 422
    assert "Dites pourquoi" in text_of(response)
    assert fresh(waiting_tour).status == Status.PENDING_REVIEW


def test_a_refusal_is_kept_with_its_reason(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, do="reject", reason="Le champ a changé de nom.")

    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form, follow=True)

    assert fresh(waiting_tour).status == Status.REJECTED
    assert Decision.objects.filter(subject_id=waiting_tour.pk, reason="Le champ a changé de nom.").exists()
    assert "Le champ a changé de nom." in text_of(response)


def test_what_is_wrong_is_said_at_the_step_it_is_wrong_in(oree: Tenant, waiting_tour: Tour) -> None:
    blank = {"steps-1-intent_id": "no_such", "steps-1-title": "", "steps-1-text": "T.", "steps-1-placement": "top"}
    form = form_of(waiting_tour, **{**blank, "steps-count": 2, "steps-0-text": "Gardé."})

    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form)

    assert response.status_code == 422
    first, second = response.context["draft"].steps
    assert first.errors == {}
    assert set(second.errors) == {"title", "intent_id"}
    assert first.text == "Gardé."
    assert fresh(waiting_tour).version == 1


def test_an_error_after_a_removed_step_lands_on_the_right_one(oree: Tenant, waiting_tour: Tour) -> None:
    assert waiting_tour.current_version is not None
    intent = waiting_tour.current_version.steps[0]["intent_id"]
    extra = {
        "steps-0-remove": "on",
        "steps-1-intent_id": intent,
        "steps-1-title": "",
        "steps-1-text": "Texte",
        "steps-1-placement": "left",
        "steps-1-order": 2,
        "steps-count": 2,
    }

    response = browser_of(oree.reviewer).post(url_of(waiting_tour), form_of(waiting_tour, **extra))

    removed, kept = response.context["draft"].steps
    assert removed.removed
    assert removed.errors == {}
    assert set(kept.errors) == {"title"}


def test_steps_are_added_moved_and_removed_without_a_script(oree: Tenant, waiting_tour: Tour) -> None:
    browser, url = browser_of(oree.reviewer), url_of(waiting_tour)
    assert waiting_tour.page_skill is not None
    intents = [intent["intent_id"] for intent in waiting_tour.page_skill.actions_json["intents"]]

    added = browser.post(url, form_of(waiting_tour, do="add"))
    assert len(added.context["draft"].steps) == 2
    assert fresh(waiting_tour).version == 1

    two = form_of(
        waiting_tour,
        **{
            "steps-count": 2,
            "steps-1-intent_id": intents[0],
            "steps-1-title": "D'abord",
            "steps-1-text": "Commencez ici.",
            "steps-1-placement": "top",
            "steps-1-order": 2,
        },
    )
    moved = browser.post(url, {**two, "do": "up:1"})
    assert moved.context["draft"].steps[0].title == "D'abord"

    browser.post(url, {**two, "steps-1-order": 1, "steps-0-order": 2})
    saved = fresh(waiting_tour)
    assert saved.current_version is not None
    assert saved.current_version.steps[0]["title"] == "D'abord"
    assert len(saved.current_version.steps) == 2


def test_editing_a_published_tour_leaves_it_live_until_the_new_version_is_approved(
    oree: Tenant, waiting_tour: Tour
) -> None:
    browser, url = browser_of(oree.reviewer), url_of(waiting_tour)
    browser.post(url, form_of(waiting_tour, do="approve"))
    live = fresh(waiting_tour)
    assert live.published_version is not None
    assert 'name="title"' not in browser.get(url).content.decode()
    assert 'name="title"' in browser.get(url + "?edit").content.decode()

    browser.post(url, form_of(live, title="Un meilleur titre"))

    edited = fresh(waiting_tour)
    assert edited.status == Status.PENDING_REVIEW
    assert edited.published_version == live.published_version
    assert "La version 1 est en ligne" in text_of(browser.get(url))


def test_a_published_tour_is_archived_from_its_read_only_page(oree: Tenant, waiting_tour: Tour) -> None:
    browser, url = browser_of(oree.reviewer), url_of(waiting_tour)
    browser.post(url, form_of(waiting_tour, do="approve"))

    browser.post(url, {"do": "archive", "seen_digest": fresh(waiting_tour).digest})

    assert fresh(waiting_tour).status == Status.ARCHIVED


def test_a_viewer_reads_and_is_offered_nothing(oree: Tenant, waiting_tour: Tour) -> None:
    browser, url = browser_of(oree.viewer), url_of(waiting_tour)

    body = browser.get(url).content.decode()
    assert 'name="do"' not in body
    assert 'name="title"' not in body

    assert browser.post(url, form_of(waiting_tour, title="Autre")).status_code == 403
    assert browser.post(url, form_of(waiting_tour, do="approve")).status_code == 403
    assert fresh(waiting_tour).status == Status.PENDING_REVIEW


def test_an_author_edits_but_does_not_decide(oree: Tenant, waiting_tour: Tour) -> None:
    browser, url = browser_of(oree.author), url_of(waiting_tour)

    assert 'value="approve"' not in browser.get(url).content.decode()
    browser.post(url, form_of(waiting_tour, title="Titre d'autrice", do="save_approve"))

    saved = fresh(waiting_tour)
    assert saved.title == "Titre d'autrice"
    assert saved.status == Status.PENDING_REVIEW


def test_markup_in_a_step_is_shown_as_text(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, **{"steps-0-text": "", "steps-0-title": "<img src=x onerror=alert(1)>"})

    body = browser_of(oree.reviewer).post(url_of(waiting_tour), form).content.decode()

    assert "<img src=x" not in body
