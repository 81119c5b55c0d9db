"""The desk: deciding from the inbox, narrowing it, and deciding on several things after a look at each."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from moderation import checks
from moderation.checks import Fault, Finding, register_check
from moderation.models import Decision, Reviewable
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.models import User
from skills.models import PageSkill
from tests.admin.conftest import ask, browser_of, text_of
from tests.fixtures import Tenant, invoice_scan, node
from tours.models import Tour, TourEvent
from tours.services import tour_edit

INBOX, DECIDE, SELECTED = "/admin/inbox/", "/admin/inbox/decide/", "/admin/inbox/selected/"
TEXTS = ("Comment ajouter une remise ?", "Choisir le client", "Changer le taux de TVA")


@pytest.fixture
def tours(oree: Tenant) -> list[Tour]:
    """Three tours that wait, the most asked for first."""
    oree.learn()
    for again, text in enumerate(TEXTS):
        for _time in range(len(TEXTS) - again):
            ask(oree, text)
    return list(Tour.objects.order_by("-asked_count"))


def pick(subject: Reviewable) -> str:
    kind = "tour" if isinstance(subject, Tour) else "page_skill"
    return f"{kind}:{subject.pk}:{subject.digest}"


def other_words(tour: Tour, actor: User) -> None:
    """Have somebody save other words meanwhile."""
    now = Tour.objects.select_related("current_version", "organization", "page_skill").get(pk=tour.pk)
    assert now.current_version is not None
    steps = [{**step, "text": "Mots d'une autre."} for step in now.current_version.steps]
    tour_edit(tour=now, actor=actor, seen_digest=now.digest, title=now.title, steps=steps)


def statuses(tours: list[Tour]) -> list[str]:
    by_id = dict(Tour.objects.values_list("pk", "status"))
    return [by_id[tour.pk] for tour in tours]


def shown(response: Any) -> list[str]:
    return [row.item.card.question or row.item.card.title for row in response.context["rows"]]


def test_a_row_shows_the_steps_that_its_button_approves(oree: Tenant, tours: list[Tour]) -> None:
    body = browser_of(oree.reviewer).get(INBOX).content.decode()

    for tour in tours:
        assert tour.current_version is not None
        assert all(step["text"].replace("'", "&#x27;") in body for step in tour.current_version.steps)
        assert pick(tour) in body


def test_a_decision_in_the_inbox_says_what_was_done_and_goes_on_to_the_next(oree: Tenant, tours: list[Tour]) -> None:
    browser = browser_of(oree.reviewer)
    after = browser.get(INBOX).context["rows"][0].after

    response = browser.post(DECIDE, {"pick": pick(tours[0]), "do": "approve", "after": after}, follow=True)

    assert statuses(tours) == [Status.PUBLISHED, Status.PENDING_REVIEW, Status.PENDING_REVIEW]
    assert f"{tours[0].title} — Approuvé : la version 1 est en ligne" in text_of(response)
    [focused] = re.findall(r'<a href="([^"]+)" data-open autofocus>', response.content.decode())
    assert focused == reverse("admin:tours_tour_review", args=[tours[1].pk])
    assert shown(response) == list(TEXTS[1:])


def test_a_refusal_without_a_reason_asks_for_it_in_its_row(oree: Tenant, tours: list[Tour]) -> None:
    response = browser_of(oree.reviewer).post(DECIDE, {"pick": pick(tours[1]), "do": "reject", "reason": " "})

    assert response.status_code == 422
    assert "Dites pourquoi" in text_of(response)
    assert response.context["at"] == str(tours[1].pk)
    assert statuses(tours) == [Status.PENDING_REVIEW] * 3


def test_what_changed_since_is_not_decided_on_and_shows_what_it_is_now(oree: Tenant, tours: list[Tour]) -> None:
    seen = pick(tours[0])
    other_words(tours[0], oree.author)

    response = browser_of(oree.reviewer).post(DECIDE, {"pick": seen, "do": "approve"})

    assert response.status_code == 409
    assert "Mots d'une autre." in text_of(response).replace("&#x27;", "'")
    assert statuses(tours)[0] == Status.PENDING_REVIEW


def test_nobody_is_offered_to_approve_their_own_words(oree: Tenant, tours: list[Tour]) -> None:
    other_words(tours[0], oree.reviewer)
    browser = browser_of(oree.reviewer)

    rows = browser.get(INBOX).context["rows"]

    assert [row.may_approve for row in rows] == [False, True, True]
    tours[0].refresh_from_db()
    assert browser.post(DECIDE, {"pick": pick(tours[0]), "do": "approve"}).status_code == 403
    assert browser.post(DECIDE, {"pick": pick(tours[0]), "do": "reject", "reason": "non"}).status_code == 302


def test_who_does_not_review_is_offered_nothing(oree: Tenant, tours: list[Tour]) -> None:
    response = browser_of(oree.author).get(INBOX)

    body = response.content.decode()
    assert shown(response) == list(TEXTS)
    assert 'value="approve"' not in body
    assert 'type="checkbox" form="selection"' not in body


def test_a_long_page_is_approved_where_all_of_it_is_read(oree: Tenant) -> None:
    many = [node(100 + n, "button", f"Exporter la ligne {n}", f"#export-{n}") for n in range(14)]
    oree.learn(invoice_scan(nodes=[*invoice_scan()["nodes"], *many]), approve=False)

    [row] = browser_of(oree.reviewer).get(INBOX).context["rows"]

    assert row.may_decide
    assert not row.may_approve
    assert "Trop long" in row.hindrance


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"kind": "page_skill"}, ["Création de facture"]),
        ({"kind": "tour"}, list(TEXTS)),
        ({"page": "/factures/nouvelle"}, [*TEXTS, "Création de facture"]),
        ({"page": "/clients/nouveau"}, []),
        ({"origin": "ai"}, list(TEXTS)),
        ({"origin": "recorder"}, ["Création de facture"]),
        ({"health": "bad"}, [TEXTS[1]]),
        ({"health": "quiet"}, [TEXTS[0], TEXTS[2]]),
        ({"health": "quiet", "kind": "page_skill"}, []),
        ({"page": "/nowhere", "health": "'"}, [*TEXTS, "Création de facture"]),
    ],
    ids=str,
)
def test_filters_leave_what_they_say(
    oree: Tenant, tours: list[Tour], query: dict[str, str], expected: list[str]
) -> None:
    oree.learn(approve=False)
    oree.learn(invoice_scan(urlPattern="/clients/nouveau"))
    tours[1].refresh_from_db()
    ill = [oree.visitor() for _person in range(6)]
    review_decide(
        model=Tour,
        subject_id=tours[1].pk,
        organization=oree.organization,
        actor=oree.owner,
        verb=Verb.APPROVE,
        seen_digest=tours[1].digest,
    )
    for person in ill:
        now = timezone.now()
        for kind in (TourEvent.Type.STARTED, TourEvent.Type.TARGET_MISSING):
            step = 0 if kind == TourEvent.Type.TARGET_MISSING else None
            TourEvent.objects.create(
                organization=oree.organization, tour=tours[1], end_user=person, type=kind, step=step, happened_at=now
            )
    other_words(tours[1], oree.author)

    response = browser_of(oree.owner).get(INBOX, query)

    assert shown(response) == expected


def test_several_are_approved_after_a_page_that_shows_each_of_them_whole(oree: Tenant, tours: list[Tour]) -> None:
    browser = browser_of(oree.reviewer)
    picked = [pick(tour) for tour in tours[:2]]

    asked = browser.post(SELECTED, {"pick": picked, "do": "approve"})

    body = asked.content.decode()
    assert "Approuver 2 éléments" in text_of(asked)
    for tour in tours[:2]:
        assert tour.current_version is not None
        assert all(step["text"].replace("'", "&#x27;") in body for step in tour.current_version.steps)
    assert re.findall(r'name="pick" value="([^"]+)"', body) == picked
    assert statuses(tours) == [Status.PENDING_REVIEW] * 3
    done = browser.post(SELECTED, {"pick": picked, "do": "approve", "confirmed": "yes"}, follow=True)
    assert statuses(tours) == [Status.PUBLISHED, Status.PUBLISHED, Status.PENDING_REVIEW]
    assert "2 éléments ont été approuvés" in text_of(done)


def test_of_several_what_changed_before_the_press_is_named_and_the_rest_is_done(
    oree: Tenant, tours: list[Tour]
) -> None:
    picked = [pick(tour) for tour in tours]
    other_words(tours[1], oree.author)

    data = {"pick": picked, "do": "reject", "reason": "hors sujet", "confirmed": "yes"}
    response = browser_of(oree.reviewer).post(SELECTED, data, follow=True)

    assert statuses(tours) == [Status.REJECTED, Status.PENDING_REVIEW, Status.REJECTED]
    text = text_of(response)
    assert "2 éléments ont été refusés" in text
    assert f"{tours[1].title} — Le contenu a changé" in text
    assert set(Decision.objects.filter(verb=Verb.REJECT).values_list("reason", flat=True)) == {"hors sujet"}


def test_what_cannot_be_decided_on_with_the_rest_is_left_out_by_name(
    oree: Tenant, tours: list[Tour], monkeypatch: pytest.MonkeyPatch
) -> None:
    picked = [pick(tour) for tour in tours]
    other_words(tours[0], oree.author)
    other_words(tours[1], oree.reviewer)
    tours[1].refresh_from_db()
    picked[1] = pick(tours[1])
    skill = oree.learn(approve=False)
    monkeypatch.setattr(checks, "_checks", {})
    fault = Finding("lost", "", "", token="t", refusal="Trois questions seraient perdues.", faults=[Fault("a", "b")])
    register_check(PageSkill, lambda _subject, *, deciding: None if deciding else fault)

    response = browser_of(oree.reviewer).post(SELECTED, {"pick": [*picked, pick(skill)], "do": "approve"})

    left_out = {one.item.subject.pk: one.why for one in response.context["left_out"]}
    assert [one.item.subject for one in response.context["ready"]] == [tours[2]]
    assert "a changé depuis" in left_out[tours[0].pk]
    assert "vous-même" in left_out[tours[1].pk]
    assert left_out[skill.pk] == "Trois questions seraient perdues."


def test_a_refusal_of_several_needs_a_reason(oree: Tenant, tours: list[Tour]) -> None:
    data = {"pick": [pick(tours[0])], "do": "reject", "confirmed": "yes"}
    response = browser_of(oree.reviewer).post(SELECTED, data)

    assert response.status_code == 422
    assert "Dites pourquoi" in text_of(response)
    assert statuses(tours) == [Status.PENDING_REVIEW] * 3


@pytest.mark.parametrize("picked", [[], ["tour:x"], ["tour:" + "g" * 36 + ":" + "0" * 64], ["nothing:at:all"]])
def test_a_selection_of_nothing_leads_back(oree: Tenant, tours: list[Tour], picked: list[str]) -> None:
    response = browser_of(oree.reviewer).post(SELECTED, {"pick": picked, "do": "approve", "confirmed": "yes"})

    assert response.headers["Location"] == INBOX
    assert statuses(tours) == [Status.PENDING_REVIEW] * 3


def test_a_stranger_decides_on_nothing_by_its_name(oree: Tenant, stranger: Tenant, tours: list[Tour]) -> None:
    browser = browser_of(stranger.owner)

    assert browser.post(DECIDE, {"pick": pick(tours[0]), "do": "approve"}).status_code == 404
    response = browser.post(SELECTED, {"pick": [pick(tours[0])], "do": "approve", "confirmed": "yes"})

    assert response.headers["Location"] == INBOX
    assert statuses(tours) == [Status.PENDING_REVIEW] * 3


def test_the_first_of_two_approvals_is_told_as_such(oree: Tenant, tours: list[Tour]) -> None:
    oree.organization.two_approvals = True
    oree.organization.save()
    browser = browser_of(oree.reviewer)
    data = {"pick": [pick(tours[0])], "do": "approve", "confirmed": "yes"}

    response = browser.post(SELECTED, data, follow=True)

    assert "Un élément a votre approbation" in text_of(response)
    assert statuses(tours)[0] == Status.PENDING_REVIEW
    rows = {row.pick.pk: row for row in browser.get(INBOX).context["rows"]}
    assert not rows[tours[0].pk].may_approve
    browser_of(oree.owner).post(SELECTED, data)
    assert statuses(tours)[0] == Status.PUBLISHED


def test_a_fragile_locator_is_said_in_the_inbox_and_at_its_step(oree: Tenant) -> None:
    path = {"selector": "form > input:nth-of-type(3)", "fallbackSelector": ""}
    nodes = [{**seen, **path} if seen["label"] == "Remise (%)" else seen for seen in invoice_scan()["nodes"]]
    oree.learn(invoice_scan(nodes=nodes))
    tour = ask(oree)
    assert tour is not None
    browser = browser_of(oree.reviewer)

    assert "repère fragile : étape 1" in text_of(browser.get(INBOX))
    review = browser.get(reverse("admin:tours_tour_review", args=[tour.pk]))
    assert [card.is_fragile for card in review.context["cards"]] == [True]
