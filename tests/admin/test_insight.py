"""The overview, a tour's own figures, questions without an answer, and their downloads."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from moderation.states import Status
from organizations.models import Membership, Role
from organizations.scoping import tenant_scope
from tests.admin.conftest import ask, browser_of, text_of
from tests.fixtures import Tenant
from tests.tours.happenings import followed, missed, published_tour
from tests.tours.test_insight_health import people
from tests.tours.test_insight_unanswered import asked_in_vain
from tours.admin.insight_export import TABLES
from tours.insight.charts import Caption, Column, Part, round_up, stacked_bars
from tours.insight.exporting import cell
from tours.insight.stale import tour_expire_failing
from tours.models import Question, Tour

OVERVIEW = "admin:insight"
UNANSWERED = "admin:insight_unanswered"
SECRET = "Où cacher le trésor des Duval ?"


@pytest.fixture
def tour(oree: Tenant) -> Tour:
    oree.learn()
    made = published_tour(oree)
    Tour.objects.update(published_at=timezone.now() - timedelta(days=60))
    made.refresh_from_db()
    return made


def page_of(tenant: Tenant, name: str = OVERVIEW, *args: Any, role: str = "viewer", **query: Any) -> Any:
    return browser_of(getattr(tenant, role)).get(reverse(name, args=args), query)


def download(tenant: Tenant, name: str, role: str = "reviewer", **query: Any) -> list[dict[str, str]]:
    response = page_of(tenant, "admin:insight_export", name, role=role, **query)
    assert response.status_code == 200
    body = b"".join(response.streaming_content).decode()
    assert body.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(body.removeprefix("\ufeff")), delimiter=";"))


# The overview


def test_without_questions_the_page_says_what_to_do(oree: Tenant) -> None:
    response = page_of(oree)

    assert "Aucune question pour l’instant" in text_of(response)
    assert reverse("admin:learn") in response.content.decode()


def test_where_nobody_got_an_answer_no_time_is_told(oree: Tenant) -> None:
    oree.learn()
    asked_in_vain(oree, "Où est le stock ?")
    Question.objects.update(latency_ms=None)

    text = text_of(page_of(oree))

    assert "personne n’a eu de réponse" in text
    assert "95 % en moins de –" not in text


def test_the_figures_of_a_period_stand_beside_those_before(oree: Tenant, tour: Tour) -> None:
    asked_in_vain(oree, "Où est le stock ?")
    asked_in_vain(oree, "Où est le stock ?", days_ago=8)
    asked_in_vain(oree, "Où est le stock ?", days_ago=20)
    Question.objects.filter(tour=tour).update(latency_ms=1400)

    response = page_of(oree, days=7)

    figures = response.context["figures"]
    assert (figures.asked, figures.before, figures.answered, figures.settled, figures.askers) == (2, 1, 1, 2, 2)
    assert (figures.share, figures.share_before, figures.median_ms) == (50, 0, 1400)
    assert "1,4 s" in text_of(response)


def test_each_day_counts_its_outcomes_and_a_quiet_day_is_there_too(oree: Tenant, tour: Tour) -> None:
    asked_in_vain(oree, "Où est le stock ?", days_ago=2)
    asked_in_vain(oree, "Une autre ?", days_ago=2, outcome=Question.Outcome.UNKNOWN_PAGE)
    asked_in_vain(oree, "Attendre ?", outcome=Question.Outcome.WAITING)

    rows = page_of(oree, days=7).context["rows"]

    assert len(rows) == 7
    assert [counts for _when, counts, _median, _slow in rows][-3:] == [[0, 0, 0, 2, 0], [0] * 5, [0, 0, 1, 0, 0]]


def test_a_long_period_is_shown_by_weeks_that_hold_all_of_it(oree: Tenant, tour: Tour) -> None:
    for days_ago in (0, 40, 89, 90):
        asked_in_vain(oree, "Où est le stock ?", days_ago=days_ago)

    response = page_of(oree, days=90)

    rows = response.context["rows"]
    assert 13 <= len(rows) <= 14
    assert sum(sum(counts) for _when, counts, _median, _slow in rows) == response.context["figures"].settled == 4
    assert "semaine du" in rows[0][0]


def test_a_period_that_is_none_of_ours_is_the_usual_one(oree: Tenant, tour: Tour) -> None:
    assert page_of(oree, days="9999999999").context["choice"].period.days == 30


def test_tours_in_bad_health_come_first_with_the_reason(oree: Tenant, tour: Tour) -> None:
    well = published_tour(oree, "Comment choisir le client ?")
    for who in people(oree, 6):
        followed(well, who, 1)
    missed(tour, people(oree, 6))

    response = page_of(oree)

    assert [row.tour for row in response.context["ill"]] == [tour]
    assert {row.ranked.tour for row in response.context["most_run"]} == {tour, well}
    assert "introuvable pour 6 personnes sur 6" in text_of(response)


def test_what_waits_says_since_when(oree: Tenant, waiting_tour: Tour) -> None:
    Tour.objects.update(submitted_at=timezone.now() - timedelta(days=3))

    assert "le plus ancien est arrivé il y a 3" in text_of(page_of(oree))


def test_the_number_of_queries_depends_on_nothing(oree: Tenant, tour: Tour) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert page_of(oree).status_code == 200
        return len(queries)

    asked_in_vain(oree, "Où est le stock ?")
    missed(tour, people(oree, 6))
    few = count()
    for number in range(6):
        asked_in_vain(oree, f"Question numéro {number} ?", route=f"/page/{number}")
    for text in ("Comment choisir le client ?", "Changer la TVA"):
        other = published_tour(oree, text)
        missed(other, people(oree, 6))

    assert count() == few


def test_the_list_of_tours_shows_their_health_in_as_many_queries(oree: Tenant, tour: Tour) -> None:
    def count() -> tuple[int, str]:
        with CaptureQueriesContext(connection) as queries:
            response = page_of(oree, "admin:tours_tour_changelist")
        return len(queries), text_of(response)

    missed(tour, people(oree, 6))
    few, text = count()
    assert "En mauvaise santé" in text
    for words in ("Comment choisir le client ?", "Changer la TVA"):
        followed(published_tour(oree, words), oree.visitor(), 1)

    assert count()[0] == few


def test_pages_carry_no_inline_style_and_no_script(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    for response in (page_of(oree), page_of(oree, "admin:insight_tour", tour.pk)):
        body = response.content.decode()
        assert not re.search(r"<[^>]*\sstyle=", body)
        assert not re.search(r"<script(?![^>]*\ssrc=)", body)


# One tour


def test_a_tours_page_shows_its_funnel(oree: Tenant, tour: Tour) -> None:
    followed(tour, oree.visitor(), 1, completed=False)
    followed(tour, oree.visitor(), 1)

    text = text_of(page_of(oree, "admin:insight_tour", tour.pk))

    assert "2 personnes y sont arrivées" in text
    assert "1 s’est arrêtée là" in text
    assert "50 %" in text


def test_the_review_page_shows_the_health_too(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    response = page_of(oree, "admin:tours_tour_review", tour.pk)

    assert "En mauvaise santé" in text_of(response)
    assert reverse("admin:insight_tour", args=[tour.pk]) in response.content.decode()


def test_a_tour_that_nobody_ran_says_what_comes_next(oree: Tenant, tour: Tour) -> None:
    assert "Personne n’a suivi ce guide" in text_of(page_of(oree, "admin:insight_tour", tour.pk))


def test_a_tour_that_went_out_of_date_says_why_here_and_in_the_inbox(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    with translation.override("fr"):
        assert tour_expire_failing(tour_id=tour.pk)

    assert "introuvable pour 6 personnes sur 6 en 7 jours" in text_of(page_of(oree, "admin:insight_tour", tour.pk))
    inbox = page_of(oree, "admin:inbox")
    assert [item.subject for item in inbox.context["out_of_date"]] == [tour]
    assert "Périmés, à réparer" in text_of(inbox)
    assert "introuvable pour 6 personnes sur 6 en 7 jours" in text_of(inbox)


def test_what_lapsed_unreviewed_is_not_among_what_is_to_repair(oree: Tenant, waiting_tour: Tour) -> None:
    from moderation.services import review_lapse

    review_lapse(subject=waiting_tour, reason="Personne n’a relu")

    waiting_tour.refresh_from_db()
    assert waiting_tour.status == Status.STALE
    assert page_of(oree, "admin:inbox").context["out_of_date"] == []


# Questions without an answer


def test_a_pages_questions_offer_the_recorder_to_who_may_write(oree: Tenant, tour: Tour) -> None:
    asked_in_vain(oree, "Ajouter un contact", route="/clients/7")
    query = {"page": "/clients/7"}

    body = page_of(oree, UNANSWERED, role="author", **query).content.decode()
    assert "Montrer comment" in body
    assert 'value="https://app.oree.example/clients/7"' in body
    assert "Montrer comment" not in page_of(oree, UNANSWERED, role="viewer", **query).content.decode()


def test_show_how_opens_the_recorder_once_by_post(oree: Tenant, tour: Tour) -> None:
    asked_in_vain(oree, "Ajouter un contact", route="/clients/7")
    body = page_of(oree, UNANSWERED, role="author", page="/clients/7").content.decode()
    form = dict(re.findall(r'<input type="hidden" name="(url|organization)" value="([^"]+)"', body))

    response = browser_of(oree.author).post(reverse("admin:learn"), form)

    assert response.context["link"].startswith("https://app.oree.example/clients/7#circuy-record=")


def test_a_page_without_such_questions_says_so(oree: Tenant, tour: Tour) -> None:
    assert "Aucune question sans réponse" in text_of(page_of(oree, UNANSWERED, page="/nulle-part"))


# Downloads


def test_questions_come_with_french_headings_and_marks(oree: Tenant, tour: Tour) -> None:
    asked_in_vain(oree, "Où est le stock ; à Lyon ?")
    rows = download(oree, "questions")

    assert [row["Question"] for row in rows][-1] == "Où est le stock ; à Lyon ?"
    assert (rows[-1]["Page"], rows[-1]["Suite"]) == ("/factures/nouvelle", "Rien ne correspond")
    assert len(rows) == 2


def test_a_long_download_has_every_row_once(oree: Tenant, tour: Tour, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tours.insight.exporting._AT_ONCE", 3)
    for number in range(10):
        asked_in_vain(oree, f"Question {number}")

    assert len({row["Question"] for row in download(oree, "questions")}) == 11


def test_tours_and_groups_can_be_downloaded(oree: Tenant, tour: Tour) -> None:
    missed(tour, people(oree, 6))
    asked_in_vain(oree, "Où est le stock ?")
    asked_in_vain(oree, "ou est le stock")

    [line] = download(oree, "tours")
    assert (line["Santé"], line["Introuvable"]) == ("En mauvaise santé", "6")
    [group] = download(oree, "unanswered")
    assert (group["Personnes"], group["Nombre de fois"]) == ("2", "2")


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_run_as_a_formula(oree: Tenant, tour: Tour, begins: str) -> None:
    text = f'{begins}HYPERLINK("https://evil.example")'
    assert cell(text) == f"'{text}"
    asked_in_vain(oree, text)

    assert download(oree, "questions")[-1]["Question"].startswith("'")


def test_numbers_stay_numbers() -> None:
    assert [cell(value) for value in (-3, 2.5, None, "3")] == [-3, 2.5, "", "3"]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("role", "status"), [("owner", 200), ("reviewer", 200), ("author", 403), ("viewer", 403)])
def test_downloads_are_for_reviewers(oree: Tenant, name: str, role: str, status: int) -> None:
    assert page_of(oree, "admin:insight_export", name, role=role).status_code == status


def test_there_is_no_other_download(oree: Tenant) -> None:
    assert page_of(oree, "admin:insight_export", "members", role="owner").status_code == 404


# Walls


@pytest.fixture
def theirs(stranger: Tenant) -> Tour:
    with tenant_scope(stranger.organization.pk):
        stranger.learn()
        made = ask(stranger)
        assert made is not None
        Tour.objects.filter(pk=made.pk).update(title="Guide des Duval")
        missed(made, people(stranger, 6))
        asked_in_vain(stranger, SECRET, route="/duval/coffre")
        return made


def test_a_strangers_tour_and_organization_are_not_there(oree: Tenant, stranger: Tenant, theirs: Tour) -> None:
    assert page_of(oree, "admin:insight_tour", theirs.pk, role="owner").status_code == 404
    for name, args in ((OVERVIEW, ()), (UNANSWERED, ()), ("admin:insight_export", ("questions",))):
        query = {"organization": str(stranger.organization.pk)}
        assert page_of(oree, name, *args, role="owner", **query).status_code == 404
        assert page_of(oree, name, *args, role="owner", organization="x").status_code == 404


def test_nothing_of_a_stranger_is_on_any_page(oree: Tenant, theirs: Tour, tour: Tour) -> None:
    asked_in_vain(oree, "Où est le stock ?")
    pages = [page_of(oree, role="owner"), page_of(oree, UNANSWERED, role="owner")]
    pages.append(page_of(oree, UNANSWERED, role="owner", page="/duval/coffre"))

    for response in pages:
        body = response.content.decode()
        assert SECRET not in body
        assert "Duval" not in body
        assert "/duval/coffre" not in body.replace("page=%2Fduval%2Fcoffre", "")
    for name in TABLES:
        assert all("Duval" not in str(row) for row in download(oree, name))


def test_a_member_of_two_sees_both_chooses_one_and_downloads_where_they_review(
    oree: Tenant, stranger: Tenant, theirs: Tour, tour: Tour
) -> None:
    Membership.objects.create(organization=stranger.organization, user=oree.reviewer, role=Role.VIEWER)
    both = page_of(oree, role="reviewer")
    assert "Duval" in text_of(both)
    assert both.context["figures"].asked == 3

    one = page_of(oree, role="reviewer", organization=str(oree.organization.pk))
    assert one.context["figures"].asked == 1
    assert "/duval/coffre" not in text_of(one)

    assert all(row["Organisation"] == "Oree" for row in download(oree, "questions"))
    refused = page_of(
        oree, "admin:insight_export", "questions", role="reviewer", organization=str(stranger.organization.pk)
    )
    assert refused.status_code == 403


# Charts


def test_a_chart_says_what_it_shows_and_escapes_what_it_is_given() -> None:
    drawn = stacked_bars(Caption("x", "<b>", "d"), [Column("<i>", "said", [Part("published", 3), Part("failed", 1)])])

    assert 'aria-labelledby="x-title x-about"' in drawn
    assert "&lt;b&gt;" in drawn
    assert "<i>" not in drawn
    assert re.findall(r'height="([\d.]+)"/></g>', drawn) == ["40.5"]


@pytest.mark.parametrize(("value", "top"), [(0, 2), (2, 2), (3, 4), (7, 8), (9, 10), (10, 10), (11, 20), (801, 1000)])
def test_an_axis_ends_with_a_round_number(value: float, top: float) -> None:
    assert round_up(value) == top
