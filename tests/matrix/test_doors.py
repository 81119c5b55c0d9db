"""Every door of the server × everybody who may stand before it. Doors and forms are found, not listed."""

from __future__ import annotations

import pytest

from tests.admin.conftest import Browser
from tests.matrix.doors import Door, doors, owned_models, registered_models
from tests.matrix.world import World

pytestmark = pytest.mark.django_db

DOORS = doors()
PAGES = [door for door in DOORS if not door.is_api]
CALLS = [door for door in DOORS if door.is_api]
METHODS = ("get", "post", "put", "patch", "delete")
# What writing and deciding leaves behind; a person below administrator changes nothing else of the organization's.
WORK = {
    "page_skills",
    "skills_pagescan",
    "skills_recordercode",
    "skills_skillintent",
    "skills_skillvectors",
    "tours_tour",
    "tours_tourversion",
    "tours_question",
    "tours_referencequestion",
    "tours_evaluationrun",
    "tours_evaluationresult",
    "moderation_decision",
    "moderation_notification",
    # Whoever showed something may delete it.
    "shadow_machine",
    "shadow_observationsession",
    "shadow_observedevent",
    "shadow_understoodstep",
    "shadow_feedback",
    "shadow_competence",
}


def test_there_is_a_row_of_every_model_that_an_organization_owns(world: World) -> None:
    assert set(owned_models()) == set(world.rows)
    assert registered_models() <= set(world.rows)


def test_the_walk_finds_what_the_server_is_known_to_have() -> None:
    routes = {door.route for door in DOORS}
    assert {"admin/inbox/", "admin/tours/tour/<uuid:pk>/review/", "v1/tours/<uuid:tour_id>", "healthz"} <= routes
    assert {f"admin/{model._meta.app_label}/{model._meta.model_name}/" for model in registered_models()} <= routes


def test_the_owner_finds_forms_and_they_change_things(world: World) -> None:
    changing = [form for form in world.forms if world.changed_by("owner", form.action, form.data())]
    pressed = {dict(form.fields).get("do") for form in changing}
    assert {"approve", "reject", "request_changes", "archive", "restore"} <= pressed
    assert len({form.action for form in changing}) >= 15


@pytest.mark.parametrize("door", PAGES, ids=str)
def test_a_stranger_is_shown_nothing_of_an_organization(world: World, door: Door) -> None:
    for url in world.urls(door):
        for method in ("get", "post"):
            response = getattr(world.browsers["stranger"], method)(url)
            assert world.shown(response, url) == [], (method, url)
            if door.wants_a_row:
                assert response.status_code in (403, 404, 405) or _only_leads_on(response, url), (method, url)


@pytest.mark.parametrize("door", PAGES, ids=str)
def test_who_is_not_signed_in_is_shown_nothing_of_an_organization(world: World, door: Door) -> None:
    for url in world.urls(door):
        for method in ("get", "post"):
            response = getattr(world.browsers["nobody"], method)(url)
            assert world.shown(response, url) == [], (method, url)
            if door.wants_a_row:
                signs_in = response.status_code == 302 and "/login/" in response.headers["Location"]
                assert signs_in or response.status_code in (403, 404, 405), (method, url)


@pytest.mark.parametrize("door", PAGES, ids=str)
def test_an_administrator_elsewhere_is_shown_no_more_than_a_viewer(world: World, door: Door) -> None:
    for url in world.urls(door):
        shown = {who: set(world.shown(world.browsers[who].get(url), url)) for who in ("viewer", "visiting")}
        # Who has several organizations is told which one a row is of.
        assert shown["visiting"] <= shown["viewer"] | world.name_and_id(), url


@pytest.mark.parametrize("door", CALLS, ids=str)
@pytest.mark.parametrize("caller", ["nobody", "stranger"])
def test_the_api_tells_a_stranger_nothing_and_does_nothing_for_them(world: World, door: Door, caller: str) -> None:
    key = {"Authorization": f"Bearer {world.stranger.key_value}"} if caller == "stranger" else {}
    browser = Browser(headers={"Origin": "https://app.oree.example", **key})
    before = world.state()
    for url in world.urls(door):
        for method in METHODS:
            response = getattr(browser, method)(url)
            assert world.shown(response, url) == [], (method, url)
            assert response.status_code != 500
            if door.wants_a_row:
                assert response.status_code in (401, 403, 404, 405, 415, 422), (method, url)
    assert world.state() == before


@pytest.mark.parametrize("who", ["viewer", "visiting", "stranger", "nobody"])
def test_who_may_only_look_changes_nothing_whatever_they_send(world: World, who: str) -> None:
    """Every button that the owner is shown, and every door with next to nothing in hand."""
    pressed = [(form.action, form.data()) for form in world.forms]
    knocked = [(url, {"post": "yes", "do": "approve"}) for door in PAGES for url in world.urls(door)]
    assert world.changed_by_any(who, pressed + knocked) == []


@pytest.mark.parametrize("who", ["reviewer", "author"])
def test_who_writes_or_reviews_changes_no_setting(world: World, who: str) -> None:
    for form in world.forms:
        assert world.changed_by(who, form.action, form.data()) <= WORK, str(form)


def test_an_author_decides_nothing(world: World) -> None:
    verdicts = ("approve", "reject", "request_changes", "archive")
    pressed = [(form.action, form.data()) for form in world.forms if dict(form.fields).get("do") in verdicts]
    assert pressed
    assert world.changed_by_any("author", pressed) == []


def _only_leads_on(response: object, url: str) -> bool:
    """Whether Django answers a row's bare address with the address of its page, which is a door of its own."""
    return getattr(response, "status_code", 0) in (301, 302) and response["Location"].startswith(url)  # type: ignore[index]
