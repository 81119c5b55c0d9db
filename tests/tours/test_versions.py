"""Versions stay as they are, differ word by word, and come back as new ones."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, InternalError, connection, transaction

from moderation.models import Decision
from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from tests.tours.test_editing import decide, edit, without_discount
from tours.models import Tour, TourVersion
from tours.selectors import published_for_path
from tours.services import version_restore
from tours.versions import versions_compare, words_compare

PAGE = "/factures/nouvelle"


@pytest.fixture
def tour(ask):
    return ask().tour


def step(name: str, text: str = "", **more: str) -> dict[str, str]:
    return {
        "intent_id": name,
        "title": name.title(),
        "text": text or f"Le champ {name} attend votre saisie.",
        "selector": f"#{name}",
        "fallback_selector": "",
        "fingerprint": "",
        "placement": "bottom",
        "action_type": "fill",
        "picked": "",
        **more,
    }


def compare(before: list[dict[str, str]], after: list[dict[str, str]], titles: tuple[str, str] = ("Guide", "Guide")):
    older, newer = (TourVersion(title=title, steps=steps) for title, steps in zip(titles, (before, after), strict=True))
    return versions_compare(older, newer, name_of=lambda step: f"le {step['intent_id']}")


def kinds(changes) -> list[tuple[str, int | None, int | None]]:
    return [(change.kind, change.before, change.after) for change in changes.steps]


def told(words) -> str:
    marks = {"added": "+", "removed": "-", "kept": ""}
    return "|".join(marks[run.mark] + run.text.strip() for run in words if run.text.strip())


def restore(tenant, tour, verb=Verb.RESTORE, actor=None):
    tour.refresh_from_db()
    decision = review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=tenant.organization,
        actor=actor or tenant.author,
        verb=verb,
        seen_digest=tour.digest,
    )
    tour.refresh_from_db()
    return decision


# What is different


def test_the_same_twice_is_no_difference():
    assert compare([step("client")], [step("client")]).are_none


def test_steps_that_come_and_go_are_told_from_those_that_stay():
    changes = compare(
        [step("client"), step("remise", "Un.")], [step("client"), step("tva", "Deux."), step("date", "Trois.")]
    )
    assert kinds(changes) == [("same", 1, 1), ("added", None, 2), ("added", None, 3), ("removed", 2, None)]


def test_a_removed_step_is_told_where_it_was():
    changes = compare([step("client"), step("remise"), step("tva")], [step("client"), step("tva")])
    assert kinds(changes) == [("same", 1, 1), ("removed", 2, None), ("same", 3, 2)]


def test_only_the_step_that_moved_is_said_to_have_moved():
    before = [step("client"), step("remise"), step("tva")]
    changes = compare(before, [before[2], before[0], before[1]])
    assert kinds(changes) == [("moved", 3, 1), ("same", 1, 2), ("same", 2, 3)]


def test_the_words_that_changed_are_marked_and_no_other():
    [change] = compare(
        [step("remise", "Saisissez le pourcentage accordé, puis validez.")],
        [step("remise", "Saisissez le taux accordé, puis validez.")],
    ).steps
    assert change.kind == "changed"
    assert told(change.text) == "Saisissez le|-pourcentage|+taux|accordé, puis validez."
    assert told(change.title) == "Remise"


def test_words_that_have_nothing_in_common_are_shown_whole():
    assert told(words_compare("Choisissez un client", "Ici va la date")) == "-Choisissez un client|+Ici va la date"


@pytest.mark.parametrize(("before", "after"), [("", "Bonjour"), ("Bonjour", ""), ("", ""), ("a  b", "a b")])
def test_words_put_together_again_are_the_two_texts(before, after):
    words = words_compare(before, after)
    assert "".join(run.text for run in words if run.mark != "added").split() == before.split()
    assert "".join(run.text for run in words if run.mark != "removed").split() == after.split()


def test_a_step_that_points_elsewhere_says_from_what_to_what():
    text = "Choisissez ce qu'il faut, puis passez à la suite."
    [change] = compare([step("client", text)], [step("fournisseur", text, title="Client")]).steps
    assert (change.target.before, change.target.after) == ("le client", "le fournisseur")


def test_the_same_element_found_otherwise_is_no_other_element():
    [change] = compare([step("client")], [step("client", selector="#autre")]).steps
    assert change.target is None
    assert (change.found_by.before, change.found_by.after) == ("#client", "#autre")


def test_two_steps_on_one_element_are_told_apart_by_their_words():
    first, second = step("client", "Ouvrez la liste des clients."), step("client", "Choisissez enfin le bon nom.")
    changes = compare([first, second], [second])
    assert kinds(changes) == [("removed", 1, None), ("same", 2, 1)]


def test_a_picked_element_is_another_than_the_intent_it_serves():
    [change] = compare([step("client")], [step("client", selector="#ici", picked="Ici")]).steps
    assert change.target is not None


def test_a_new_title_is_told_word_by_word():
    changes = compare([step("client")], [step("client")], ("Accorder une remise", "Accorder une grande remise"))
    assert changes.retitled
    assert told(changes.title) == "Accorder une|+grande|remise"


# What stays


@pytest.mark.parametrize("change", [{"title": "Autre"}, {"steps": []}, {"digest": "0" * 64}, {"number": 9}])
def test_the_database_refuses_to_change_a_version(oree, tour, change):
    with pytest.raises((IntegrityError, InternalError), match="never changes"), transaction.atomic():
        TourVersion.objects.filter(tour=tour).update(**change)


def test_an_author_who_leaves_is_forgotten_and_their_words_stay(oree, tour):
    version = edit(oree, tour)
    oree.author.delete()
    version.refresh_from_db()
    assert (version.author, version.title) == (None, "Accorder une remise")


def test_a_tour_publishes_no_version_of_another(oree, ask):
    one, other = ask().tour, ask(text="Choisir le client").tour
    assert one != other
    Tour.objects.filter(pk=one.pk).update(published_version=other.current_version)
    with pytest.raises(IntegrityError, match="tour_publishes_its_own_version"):
        connection.check_constraints()


def test_numbers_of_versions_and_of_decisions_are_the_same(oree, ask):
    """A second asker's version takes a number of its own: what is edited after it is the third."""
    tour = ask().tour
    ask()
    version = edit(oree, tour)
    decide(oree, tour, Verb.APPROVE)
    assert tour.version == version.number == tour.published_version.number
    assert Decision.objects.get(subject_id=tour.pk, verb=Verb.APPROVE).version == version.number


def test_deleting_a_tour_takes_its_versions_along(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    tour.delete()
    connection.check_constraints()
    assert TourVersion.objects.count() == 0


def test_a_version_that_a_tour_shows_cannot_be_deleted_from_under_it(oree, tour):
    from django.db.models import RestrictedError

    decide(oree, tour, Verb.APPROVE)
    with pytest.raises(RestrictedError):
        tour.published_version.delete()


# What comes back


def test_an_older_version_comes_back_as_a_new_one_under_review_and_what_is_live_stays(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    first = tour.published_version
    edit(oree, tour)
    decide(oree, tour, Verb.APPROVE)
    second = tour.published_version

    third = version_restore(tour=tour, actor=oree.author, seen_digest=tour.digest, number=first.number)

    tour.refresh_from_db()
    assert (third.number, third.title, third.steps) == (3, first.title, first.steps)
    assert (tour.status, tour.current_version, tour.published_version) == (Status.PENDING_REVIEW, third, second)
    decide(oree, tour, Verb.APPROVE)
    assert tour.published_version == third


def test_the_version_at_work_has_nothing_to_come_back_from(oree, tour):
    assert version_restore(tour=tour, actor=oree.author, seen_digest=tour.digest, number=1) is None
    assert TourVersion.objects.count() == 1


def test_a_version_that_points_at_what_left_the_page_does_not_come_back(oree, tour):
    vat = next(i["intent_id"] for i in tour.page_skill.actions_json["intents"] if i["selector"] == "#vat")
    edit(oree, tour, steps=[{**tour.current_version.steps[0], "intent_id": vat}])
    decide(oree, tour, Verb.APPROVE)
    oree.learn(without_discount())
    tour.refresh_from_db()
    with pytest.raises(ServiceError) as refused:
        version_restore(tour=tour, actor=oree.author, seen_digest=tour.digest, number=1)
    assert "steps[0].intent_id" in refused.value.fields


def test_who_may_not_write_brings_nothing_back(oree, stranger, tour):
    edit(oree, tour)
    tour.refresh_from_db()
    for actor, code in ((oree.viewer, "forbidden"), (stranger.owner, "not_found")):
        with pytest.raises(ServiceError) as refused:
            version_restore(tour=tour, actor=actor, seen_digest=tour.digest, number=1)
        assert refused.value.code == code


def test_another_tours_version_does_not_come_back_here(oree, ask, tour):
    with pytest.raises(ServiceError) as refused:
        version_restore(tour=tour, actor=oree.author, seen_digest=tour.digest, number=7)
    assert refused.value.code == "not_found"


def test_an_archived_tour_comes_back_under_review_not_to_everybody(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    decide(oree, tour, Verb.ARCHIVE)
    restore(oree, tour)
    assert (tour.status, tour.published_version, tour.submitted_by) == (Status.PENDING_REVIEW, None, oree.author)
    assert published_for_path(PAGE) == []
    decide(oree, tour, Verb.APPROVE)
    assert [found.pk for found in published_for_path(PAGE)] == [tour.pk]


def test_who_brings_it_back_does_not_approve_it(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    decide(oree, tour, Verb.ARCHIVE)
    restore(oree, tour, actor=oree.reviewer)
    with pytest.raises(ServiceError) as refused:
        decide(oree, tour, Verb.APPROVE)
    assert refused.value.code == "self_approval"


def test_an_out_of_date_tour_whose_target_is_still_gone_stays_so(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    oree.learn(without_discount())
    with pytest.raises(ServiceError) as refused:
        restore(oree, tour)
    assert refused.value.code == "target_gone"
    tour.refresh_from_db()
    assert tour.status == Status.STALE


def test_an_out_of_date_tour_whose_target_is_back_may_be_approved_as_it_was(oree, tour):
    decide(oree, tour, Verb.APPROVE)
    version = tour.published_version
    oree.learn(without_discount())
    oree.learn()
    restore(oree, tour)
    decide(oree, tour, Verb.APPROVE)
    assert (tour.status, tour.published_version) == (Status.PUBLISHED, version)


def test_what_was_rejected_does_not_come_back(oree, tour):
    decide(oree, tour, Verb.REJECT)
    with pytest.raises(ServiceError) as refused:
        restore(oree, tour)
    assert refused.value.code == "already_decided"


def test_the_space_after_a_word_that_came_is_not_marked():
    assert [(run.mark, run.text) for run in words_compare("Le taux", "Le bon taux")] == [
        ("kept", "Le "),
        ("added", "bon"),
        ("kept", " "),
        ("kept", "taux"),
    ]
