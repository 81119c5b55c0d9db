"""Two versions side by side, the way back, and what the review page says of both."""

from __future__ import annotations

import pytest
from django.urls import reverse

from moderation.states import Status, Verb
from tests.admin.conftest import browser_of, text_of
from tests.admin.test_tour_review import form_of, fresh
from tests.admin.test_tour_review import url_of as review_url
from tests.fixtures import Tenant
from tests.tours.test_editing import decide, edit
from tours.models import Tour


def url_of(tour: Tour, query: str = "") -> str:
    return reverse("admin:tours_tour_versions", args=[tour.pk]) + query


@pytest.fixture
def revised(oree: Tenant, waiting_tour: Tour) -> Tour:
    """A live tour with a revision of its first step under review."""
    decide(oree, waiting_tour, Verb.APPROVE)
    edit(oree, waiting_tour)
    return fresh(waiting_tour)


def test_the_review_page_says_what_would_change_for_everybody(oree: Tenant, revised: Tour) -> None:
    response = browser_of(oree.reviewer).get(review_url(revised))

    text = text_of(response)
    assert "Ce qui change par rapport à la version 1, en ligne" in text
    assert "<ins>" in response.content.decode()
    assert "Saisissez le pourcentage accordé." in text
    assert url_of(revised) in response.content.decode()


def test_a_tour_that_was_never_live_is_compared_with_nothing(oree: Tenant, waiting_tour: Tour) -> None:
    response = browser_of(oree.reviewer).get(review_url(waiting_tour))

    assert response.context["changes"] is None
    assert "Ce qui change" not in text_of(response)


def test_any_two_versions_are_compared_either_way(oree: Tenant, revised: Tour) -> None:
    browser = browser_of(oree.viewer)

    forth = browser.get(url_of(revised, "?from=1&to=2"))
    back = browser.get(url_of(revised, "?from=2&to=1"))

    assert (forth.context["before"].number, forth.context["after"].number) == (1, 2)
    assert "De la version 1 à la version 2" in text_of(forth)
    assert "<del>" in forth.content.decode()
    assert (back.context["before"].number, back.context["after"].number) == (2, 1)


@pytest.mark.parametrize("query", ["", "?from=x&to=", "?from=99&to=-1", "?to=1" + "0" * 400, "?from=²"])
def test_an_address_that_names_no_version_shows_the_last_two(oree: Tenant, revised: Tour, query: str) -> None:
    response = browser_of(oree.viewer).get(url_of(revised, query))

    assert response.status_code == 200
    assert (response.context["before"].number, response.context["after"].number) == (1, 2)


def test_an_only_version_is_the_same_as_itself(oree: Tenant, waiting_tour: Tour) -> None:
    response = browser_of(oree.viewer).get(url_of(waiting_tour))

    assert "les deux disent la même chose" in text_of(response)


def test_an_author_brings_an_older_version_back_and_what_is_live_stays(oree: Tenant, revised: Tour) -> None:
    decide(oree, revised, Verb.APPROVE)
    browser = browser_of(oree.author)
    page = browser.get(url_of(revised))
    assert [version.number for version in page.context["restorable"]] == [1]

    form = {"number": "1", "seen_digest": fresh(revised).digest}
    response = browser.post(url_of(revised), form, follow=True)

    tour = fresh(revised)
    assert "La version 1 est de retour, sous le numéro 3" in text_of(response)
    assert tour.status == Status.PENDING_REVIEW
    assert tour.published_version is not None
    assert tour.current_version is not None
    assert (tour.published_version.number, tour.current_version.number) == (2, 3)


def test_bringing_back_from_a_page_that_is_out_of_date_is_refused(oree: Tenant, revised: Tour) -> None:
    seen = revised.digest
    edit(oree, revised, title="Entre-temps")

    response = browser_of(oree.author).post(url_of(revised), {"number": "1", "seen_digest": seen})

    assert response.status_code == 409
    assert response.context["error"].code == "changed_since"
    assert revised.versions.count() == 3


@pytest.mark.parametrize("number", ["", "x", "99", "1" * 400])
def test_a_version_that_does_not_exist_is_not_found(oree: Tenant, revised: Tour, number: str) -> None:
    form = {"number": number, "seen_digest": revised.digest}

    assert browser_of(oree.author).post(url_of(revised), form).status_code == 404


def test_a_viewer_compares_and_brings_nothing_back(oree: Tenant, revised: Tour) -> None:
    browser = browser_of(oree.viewer)

    assert "seen_digest" not in browser.get(url_of(revised)).content.decode()
    form = {"number": "1", "seen_digest": revised.digest}
    assert browser.post(url_of(revised), form).status_code == 403
    assert revised.versions.count() == 2


def test_markup_in_a_version_is_shown_as_text(oree: Tenant, waiting_tour: Tour) -> None:
    form = form_of(waiting_tour, **{"steps-0-title": "a < b & <i>c</i>"})
    browser_of(oree.author).post(review_url(waiting_tour), form)

    body = browser_of(oree.viewer).get(url_of(waiting_tour)).content.decode()

    assert "<i>c" not in body


def test_an_archived_tour_is_put_under_review_again_from_its_page(oree: Tenant, waiting_tour: Tour) -> None:
    decide(oree, waiting_tour, Verb.APPROVE)
    decide(oree, waiting_tour, Verb.ARCHIVE)
    browser, url = browser_of(oree.author), review_url(waiting_tour)
    assert 'value="restore"' in browser.get(url).content.decode()

    response = browser.post(url, {"do": "restore", "seen_digest": fresh(waiting_tour).digest}, follow=True)

    assert fresh(waiting_tour).status == Status.PENDING_REVIEW
    assert "De nouveau en relecture" in text_of(response)


def test_the_first_of_two_approvals_is_shown_to_everybody(oree: Tenant, waiting_tour: Tour) -> None:
    oree.organization.two_approvals = True
    oree.organization.save()
    url, form = review_url(waiting_tour), form_of(waiting_tour, do="approve")

    first = browser_of(oree.reviewer)
    assert "Approuver la version 1 (1 sur 2)" in text_of(first.get(url))
    said = first.post(url, form, follow=True)

    assert "attend encore l’approbation d’une autre personne" in text_of(said)
    assert 'value="approve"' not in said.content.decode()
    assert "il faut maintenant une autre personne" in text_of(said)
    second = browser_of(oree.owner)
    seen = second.get(url)
    assert f"1 approbation sur 2, par {oree.reviewer}" in text_of(seen)
    assert "Approuver la version 1 (2 sur 2)" in text_of(seen)
    assert "Première approbation" in text_of(seen)
    assert "1 approbation sur 2" in text_of(second.get("/admin/inbox/"))
    second.post(url, form)
    assert fresh(waiting_tour).status == Status.PUBLISHED


def test_an_organization_with_one_reviewer_cannot_ask_for_two(oree: Tenant) -> None:
    from tests.admin.test_settings_pages import settings_form, settings_url

    oree.reviewer.is_active = False
    oree.reviewer.save()

    response = browser_of(oree.owner).post(settings_url(oree), settings_form(two_approvals="on"))

    assert response.status_code == 422
    assert "two_approvals" in response.context["form"].errors


@pytest.mark.parametrize(("remind", "expire", "wrong"), [(91, 0, "remind"), (3, 366, "expire"), (10, 20, "expire")])
def test_deadlines_that_make_no_sense_are_refused(oree: Tenant, remind: int, expire: int, wrong: str) -> None:
    from tests.admin.test_settings_pages import settings_form, settings_url

    form = settings_form(review_remind_days=remind, review_expire_days=expire)

    response = browser_of(oree.owner).post(settings_url(oree), form)

    assert list(response.context["form"].errors) == [f"review_{wrong}_days"]
