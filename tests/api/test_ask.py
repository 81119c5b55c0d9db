"""POST /v1/ai/ask and what follows it, over the API."""

import hashlib
import hmac
import uuid

import pytest

from tests.fixtures import LOCAL, QUESTION, invoice_scan
from tours.answering.making import question_answer
from tours.models import Question, Tour


@pytest.fixture(autouse=True)
def no_wait(settings):
    settings.ASK_WAIT_MS = 0


@pytest.fixture
def learnt(oree):
    return oree.learn()


def post(client, path, body):
    return client.post(path, body, format="json")


def ask(client, **changes):
    return post(client, "/v1/ai/ask", {"question": QUESTION, "route": "/factures/nouvelle", **changes})


def test_a_new_question_says_where_its_answer_will_be(oree, learnt):
    client = oree.api()
    response = ask(client)
    assert response.status_code == 202
    body = response.json()
    assert response["Location"] == f"/v1/ai/questions/{body['question_id']}"
    headers = {"X-Circuy-Visitor": body["visitor"]}
    assert client.get(response["Location"], headers=headers).status_code == 202
    question_answer(question_id=uuid.UUID(body["question_id"]), config=LOCAL)
    answer = client.get(response["Location"], headers=headers)
    assert answer.status_code == 200
    assert answer.json()["steps"][0]["attachTo"]["element"] == "[data-testid='invoice-discount-input']"


def test_the_answer_and_the_tour_tell_the_guide_how_to_recognise_each_element(oree):
    scan = invoice_scan()
    oree.learn({**scan, "nodes": [{**one, "fingerprint": f"v1~{one['id']}"} for one in scan["nodes"]]})
    body = ask(oree.api()).json()
    question_answer(question_id=uuid.UUID(body["question_id"]), config=LOCAL)
    headers = {"X-Circuy-Visitor": body["visitor"]}
    answer = oree.api().get(f"/v1/ai/questions/{body['question_id']}", headers=headers).json()
    tour = oree.api().get(f"/v1/tours/{answer['tour_id']}", headers=headers).json()
    assert [step["fingerprint"] for step in answer["steps"]] == ["v1~n3"]
    assert tour["steps"] == [{**step, "route": "/factures/nouvelle"} for step in answer["steps"]]


def test_nobody_else_reads_the_answer(oree, learnt, stranger):
    body = ask(oree.api()).json()
    url = f"/v1/ai/questions/{body['question_id']}"
    assert oree.api().get(url).status_code == 404
    assert stranger.api().get(url, headers={"X-Circuy-Visitor": body["visitor"]}).status_code == 404


def test_an_answered_question_is_answered_at_once_the_second_time(oree, learnt):
    first = ask(oree.api()).json()
    question_answer(question_id=uuid.UUID(first["question_id"]), config=LOCAL)
    again = ask(oree.api(), visitor=first["visitor"])
    assert again.status_code == 200
    assert again.json()["source"] == "history"
    assert "visitor" not in again.json()


def test_an_unknown_page_is_an_answer_with_the_specs_sentence(oree):
    response = ask(oree.api(), route="/nulle/part")
    assert response.status_code == 200
    assert response.json()["steps"] == []
    assert response.json()["message"] == "Désolé, je n'ai pas trouvé l'élément correspondant sur cette page."


def test_an_identified_user_is_known_by_the_hosts_signature(oree, learnt):
    secret = oree.organization.identity_secret.encode()
    user = {"id": "camille", "hash": hmac.new(secret, b"camille", hashlib.sha256).hexdigest()}
    response = ask(oree.api(), user=user)
    assert response.status_code == 202
    assert "visitor" not in response.json()
    assert Question.objects.get().end_user.external_id == "camille"


@pytest.mark.parametrize("user_hash", ["", "0" * 64, "é" * 10])
def test_a_wrong_signature_is_refused_and_nothing_is_written(oree, learnt, user_hash):
    response = ask(oree.api(), user={"id": "camille", "hash": user_hash or "x"})
    assert response.status_code == 403
    assert response.json()["code"] == "identity_invalid"
    assert Question.objects.count() == 0


def test_a_visitor_token_of_another_organization_is_replaced(oree, learnt, stranger):
    foreign = ask(stranger.api(), route="/nulle/part").json()["visitor"]
    assert ask(oree.api(), visitor=foreign).json()["visitor"] != foreign


def test_a_question_too_many_is_told_when_to_come_back(oree, settings):
    settings.RATE_LIMIT_ASK_PER_MINUTE = 2
    visitor = ask(oree.api(), route="/nulle/part").json()["visitor"]
    assert ask(oree.api(), route="/nulle/part", visitor=visitor).status_code == 200
    response = ask(oree.api(), route="/nulle/part", visitor=visitor)
    assert response.status_code == 429
    assert response.json()["code"] == "rate_limited"
    assert 1 <= int(response["Retry-After"]) <= 60


def approve_everything(oree):
    from moderation.services import review_decide
    from moderation.states import Verb

    for tour in Tour.objects.all():
        review_decide(
            model=Tour,
            subject_id=tour.pk,
            organization=oree.organization,
            actor=oree.reviewer,
            verb=Verb.APPROVE,
            seen_digest=tour.digest,
        )


def test_the_guides_of_a_page_are_its_published_tours(oree, learnt, stranger):
    asked = ask(oree.api()).json()
    question_answer(question_id=uuid.UUID(asked["question_id"]), config=LOCAL)
    url = "/v1/tours?route=/factures/nouvelle"
    assert oree.api().get(url).json()["tours"] == []
    approve_everything(oree)
    guides = oree.api().get(url).json()["tours"]
    assert [guide["steps_count"] for guide in guides] == [1]
    tour_url = f"/v1/tours/{guides[0]['tour_id']}"
    assert oree.api().get(tour_url).json()["status"] == "published"
    assert stranger.api().get(url).json() == {"tours": [], "suggestions": []}
    assert stranger.api().get(tour_url).status_code == 404


def test_a_learnt_page_says_what_to_ask_about_and_an_unknown_one_nothing(oree, learnt):
    suggestions = oree.api().get("/v1/tours?route=/factures/nouvelle").json()["suggestions"]
    assert "remise" in " ".join(suggestions).lower()
    assert oree.api().get("/v1/tours?route=/factures/nouvelle&locale=en").json()["suggestions"] == []
    assert oree.api().get("/v1/tours?route=/inconnue").json()["suggestions"] == []


def test_an_unchanged_list_of_guides_costs_no_body(oree, learnt):
    url = "/v1/tours?route=/factures/nouvelle"
    etag = oree.api().get(url)["ETag"]
    assert oree.api().get(url, headers={"If-None-Match": etag}).status_code == 304


def test_an_unapproved_tour_exists_for_its_asker_only(oree, learnt):
    asked = ask(oree.api()).json()
    question_answer(question_id=uuid.UUID(asked["question_id"]), config=LOCAL)
    url = f"/v1/tours/{Tour.objects.get().pk}"
    assert oree.api().get(url).status_code == 404
    mine = oree.api().get(url, headers={"X-Circuy-Visitor": asked["visitor"]})
    assert mine.json()["status"] == "ephemeral"
