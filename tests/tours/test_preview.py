"""A member tries one version of a tour on the page, with a signed token; nobody else sees it."""

import time

import pytest
from django.core import signing

from moderation.services import review_decide
from moderation.states import Status, Verb
from organizations.errors import ServiceError
from organizations.models import Role
from tests.tours.test_editing import decide, edit
from tours.models import Tour
from tours.preview import TOKEN_LIFETIME, preview_read, preview_token_create


@pytest.fixture
def tour(ask):
    return ask().tour


def address(tour):
    return f"/v1/tours/{tour.pk}"


def token_for(tour, actor, version=None):
    return preview_token_create(version=version or tour.current_version, actor=actor)


def tried(tenant, tour, token):
    return tenant.api().get(address(tour), {"preview": token})


def test_the_version_under_review_is_there_to_be_tried(oree, tour):
    answer = tried(oree, tour, token_for(tour, oree.reviewer))
    assert answer.status_code == 200
    body = answer.json()
    assert [step["attachTo"]["element"] for step in body["steps"]] == ["[data-testid='invoice-discount-input']"]
    assert (body["status"], body["preview"]["version"], body["preview"]["editable"]) == ("ephemeral", 1, True)
    assert body["preview"]["review_url"].endswith(f"/admin/tours/tour/{tour.pk}/review/")
    assert answer["Cache-Control"] == "no-store"


def test_a_step_says_on_which_page_it_is_for_a_reviewer_who_is_on_another(oree, tour):
    [step] = tried(oree, tour, token_for(tour, oree.reviewer)).json()["steps"]
    assert step["route"] == "/factures/nouvelle"


def test_exactly_the_version_of_the_token_is_given_whatever_was_saved_since(oree, tour):
    token = token_for(tour, oree.reviewer)
    edit(oree, tour, title="Un autre titre")
    body = tried(oree, tour, token).json()
    assert (body["title"] != "Un autre titre", body["preview"]["version"]) == (True, 1)
    assert body["preview"]["editable"] is False
    newest = tried(oree, tour, token_for(Tour.objects.get(pk=tour.pk), oree.reviewer)).json()
    assert (newest["title"], newest["preview"]["version"]) == ("Un autre titre", 2)


@pytest.mark.parametrize("verb", [Verb.REJECT, Verb.REQUEST_CHANGES])
def test_a_version_can_be_tried_whatever_was_decided_about_it(oree, tour, verb):
    token = token_for(tour, oree.author)
    decide(oree, tour, verb)
    body = tried(oree, tour, token).json()
    assert body["preview"]["editable"] is (tour.status != Status.REJECTED)


def test_without_the_token_the_same_request_finds_nothing(oree, tour):
    assert oree.api().get(address(tour)).status_code == 404


@pytest.mark.parametrize("token", ["", "x", "a.b", "0190c0de-0000-7000-8000-000000000001.x:y:z"])
def test_a_forged_token_is_refused_with_a_sentence(oree, tour, token):
    api = oree.api(**{"Accept-Language": "fr"})
    answer = api.get(address(tour), {"preview": token or "."})
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "preview_token_invalid"
    assert "une demi-heure" in answer.json()["detail"]


def test_a_token_of_another_key_is_refused(oree, tour):
    real = token_for(tour, oree.reviewer)
    named, signed = real.split(".", 1)
    other = signing.dumps(signing.loads(signed, salt="circuy.preview"), salt="circuy.recorder")
    assert tried(oree, tour, f"{named}.{other}").status_code == 401


def test_a_token_lasts_half_an_hour(oree, tour, monkeypatch):
    token = token_for(tour, oree.reviewer)
    later = time.time() + TOKEN_LIFETIME.total_seconds() + 5
    monkeypatch.setattr(time, "time", lambda: later)
    assert tried(oree, tour, token).json()["code"] == "preview_token_invalid"


def test_a_token_opens_no_other_tour(oree, ask):
    one, other = ask().tour, ask(text="Comment changer le taux de TVA ?").tour
    assert one != other
    assert tried(oree, other, token_for(one, oree.reviewer)).status_code == 404
    renamed = f"{other.pk}.{token_for(one, oree.reviewer).split('.', 1)[1]}"
    assert tried(oree, other, renamed).status_code == 404
    assert tried(oree, one, renamed).status_code == 404


def test_a_token_is_worth_nothing_on_another_organization_s_pages(oree, stranger, tour):
    assert tried(stranger, tour, token_for(tour, oree.reviewer)).status_code == 404


def test_a_member_who_only_reads_gets_no_token(oree, tour):
    with pytest.raises(ServiceError) as refused:
        token_for(tour, oree.viewer)
    assert refused.value.code == "forbidden"


@pytest.mark.parametrize(("role", "status"), [(Role.VIEWER, 403), (None, 404)])
def test_a_token_ends_when_its_member_may_no_longer_write(oree, tour, role, status):
    token = token_for(tour, oree.author)
    if role is None:
        oree.author.memberships.all().delete()
    else:
        oree.author.memberships.update(role=role)
    assert tried(oree, tour, token).status_code == status


def test_a_token_ends_with_its_member_s_account(oree, tour):
    token = token_for(tour, oree.author)
    oree.author.delete()
    with pytest.raises(ServiceError) as refused:
        preview_read(token, organization=oree.organization, tour_id=tour.pk)
    assert refused.value.status == 404


def test_what_is_published_is_tried_as_published(oree, tour):
    review_decide(
        model=Tour,
        subject_id=tour.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=tour.digest,
    )
    tour.refresh_from_db()
    assert tried(oree, tour, token_for(tour, oree.reviewer)).json()["status"] == "published"
