"""Bad input: each a problem with a stable code, and nothing half-written."""

import json

import pytest

from organizations import valkey
from organizations.keys import sdk_key_revoke
from skills.models import PageScan
from skills.recorder import recorder_code_create
from tests.fixtures import ORIGIN, ApiFromPage, invoice_scan, node
from tours.models import Question
from tours.tasks import answer_question

ASK = {"question": "Comment ajouter une remise ?", "route": "/factures/nouvelle"}


def assert_problem(response, status, code):
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert (response.status_code, body["status"], body["code"]) == (status, status, code)
    assert body["detail"]
    assert body["title"]


def ask(client, body=ASK):
    return client.post("/v1/ai/ask", body, format="json")


def test_no_key(oree):
    assert_problem(ask(ApiFromPage(headers={"Origin": ORIGIN})), 401, "authentication_required")


def test_an_unknown_key(oree):
    client = ApiFromPage(headers={"Authorization": "Bearer pk_unknown", "Origin": ORIGIN})
    assert_problem(ask(client), 401, "key_unknown")


def test_a_revoked_key(oree):
    sdk_key_revoke(key=oree.key, actor=oree.owner)
    assert_problem(ask(oree.api()), 401, "key_unknown")


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "https://app.oree.example.evil.example",
        "http://app.oree.example",
        "https://app.oree.example:8443",
        "null",
        "",
    ],
)
def test_a_page_of_another_origin(oree, origin):
    assert_problem(ask(oree.api(Origin=origin)), 403, "origin_not_allowed")


def test_a_request_without_an_origin(oree):
    client = ApiFromPage(headers={"Authorization": f"Bearer {oree.key_value}"})
    assert_problem(ask(client), 403, "origin_not_allowed")


@pytest.mark.parametrize("raw", ["{", "{'a': 1}", '{"question": "\\ud800"}', "NaN"])
def test_json_that_is_not(oree, raw):
    response = oree.api().post("/v1/ai/ask", raw, content_type="application/json")
    assert_problem(response, 400, "invalid_json")


def test_a_nul_character(oree):
    raw = json.dumps({**ASK, "question": "a\u0000b"})
    response = oree.api().post("/v1/ai/ask", raw, content_type="application/json")
    assert_problem(response, 400, "invalid_text")
    assert Question.objects.count() == 0


def test_json_nested_too_deeply(oree):
    raw = '{"question":' + "[" * 200 + "]" * 200 + "}"
    response = oree.api().post("/v1/ai/ask", raw, content_type="application/json")
    assert_problem(response, 413, "json_too_deep")


def test_json_nested_beyond_what_a_parser_survives(oree):
    raw = "[" * 100_000 + "]" * 100_000
    response = oree.api().post("/v1/ai/ask", raw, content_type="application/json")
    assert_problem(response, 400, "invalid_json")


def test_a_body_of_five_megabytes(oree):
    response = oree.api().post("/v1/ai/ask", "x" * 5_000_000, content_type="application/json")
    assert_problem(response, 413, "body_too_large")


def test_another_kind_of_body(oree):
    response = oree.api().post("/v1/ai/ask", "question=a", content_type="application/x-www-form-urlencoded")
    assert_problem(response, 415, "unsupported_media_type")


@pytest.mark.parametrize("path", ["/v1/nowhere", "/v1/ai/questions/not-an-id", "/v1/"])
def test_an_address_that_does_not_exist(oree, path):
    assert_problem(oree.api().get(path), 404, "not_found")


def test_a_method_that_does_not_exist(oree):
    assert_problem(oree.api().get("/v1/ai/ask"), 405, "method_not_allowed")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"question": ""}, "question"),
        ({"question": "x" * 301}, "question"),
        ({"question": 12, "route": None}, "route"),
        ({"locale": "de"}, "locale"),
        ({"user": {"id": "x"}}, "user.hash"),
    ],
)
def test_a_wrong_field_is_named(oree, changes, field):
    response = ask(oree.api(), {**ASK, **changes})
    assert_problem(response, 422, "invalid_input")
    assert field in [error["field"] for error in response.json()["errors"]]


@pytest.mark.parametrize("body", [[], "text", 5, None, [ASK]])
def test_a_body_that_is_not_an_object(oree, body):
    response = oree.api().post("/v1/ai/ask", json.dumps(body), content_type="application/json")
    assert_problem(response, 422, "invalid_input")


def test_a_route_that_is_not_a_path(oree):
    assert_problem(ask(oree.api(), {**ASK, "route": "https://evil.example/a"}), 422, "invalid_route")


def recorder(oree):
    code = recorder_code_create(organization=oree.organization, actor=oree.author)
    opened = oree.api().post("/v1/recorder/sessions", {"code": code}, format="json")
    assert opened.status_code == 201
    return oree.api(Authorization=f"Bearer {opened.json()['token']}")


def test_a_scan_of_ten_thousand_nodes(oree):
    scan = invoice_scan(nodes=[{"id": "n", "tag": "a", "selector": "a", "isInteractive": True}] * 3_000)
    assert_problem(recorder(oree).post("/v1/scans", scan, format="json"), 413, "too_many_nodes")
    large = invoice_scan(nodes=[node(number, "a", "Lien", f"#a{number}") for number in range(10_000)])
    assert_problem(recorder(oree).post("/v1/scans", large, format="json"), 413, "body_too_large")
    assert PageScan.objects.count() == 0


@pytest.mark.parametrize(
    ("note", "field"),
    [
        ({"fingerprint": "Not/this"}, "fingerprint"),
        ({"fingerprint": "a" * 161}, "fingerprint"),
        ({"frame": "f" * 301}, "frame"),
        ({"context": {"landmark": []}}, "context.landmark"),
        ({"state": {"ariaHidden": "yes"}}, "state.ariaHidden"),
    ],
)
def test_a_scan_with_a_wrong_note_on_an_element(oree, note, field):
    scan = invoice_scan(nodes=[node(1, "button", "Créer", "#create", **note)])
    response = recorder(oree).post("/v1/scans", scan, format="json")
    assert_problem(response, 422, "invalid_scan")
    assert [error["field"] for error in response.json()["errors"]] == [f"nodes[0].{field}"]
    assert PageScan.objects.count() == 0


def test_a_scan_with_the_pages_own_key(oree):
    assert_problem(oree.api().post("/v1/scans", invoice_scan(), format="json"), 401, "recorder_token_required")


def test_a_recorder_token_from_another_site(oree):
    client = recorder(oree)
    client.credentials()
    response = client.post("/v1/scans", invoice_scan(), format="json", headers={"Origin": "https://evil.example"})
    assert_problem(response, 403, "origin_not_allowed")


def test_a_recorder_code_used_twice(oree):
    code = recorder_code_create(organization=oree.organization, actor=oree.author)
    body = {"code": code}
    assert oree.api().post("/v1/recorder/sessions", body, format="json").status_code == 201
    assert_problem(oree.api().post("/v1/recorder/sessions", body, format="json"), 410, "code_used_or_expired")


def test_a_scan_is_accepted_and_its_learning_can_be_followed(oree):
    client = recorder(oree)
    accepted = client.post("/v1/scans", {**invoice_scan(), "name": "Facture"}, format="json")
    assert accepted.status_code == 202
    url = f"/v1/scans/{accepted.json()['scan_id']}"
    assert client.get(url).json() == {"scan_id": accepted.json()["scan_id"], "status": "received", "skill": None}


def test_messages_are_in_the_callers_language(oree):
    french = ask(oree.api(**{"Accept-Language": "fr"}), {**ASK, "route": "x"}).json()["detail"]
    english = ask(oree.api(**{"Accept-Language": "en"}), {**ASK, "route": "x"}).json()["detail"]
    assert "path of a page" in english
    assert french != english


def test_a_host_that_is_not_ours(oree):
    response = oree.api().post("/v1/ai/ask", ASK, format="json", headers={"Host": "evil.example"})
    assert_problem(response, 400, "bad_request")


def test_a_length_that_no_number_holds(oree):
    response = oree.api().post(
        "/v1/ai/ask", "{}", content_type="application/json", headers={"Content-Length": "9" * 5000}
    )
    assert_problem(response, 413, "body_too_large")


def test_a_broker_that_does_not_answer_costs_the_asker_nothing_but_time(
    oree, settings, monkeypatch, django_capture_on_commit_callbacks
):
    def nobody_listens(*_args):
        raise ConnectionError

    settings.ASK_WAIT_MS = 0
    oree.learn()
    monkeypatch.setattr(valkey, "_resting_until", 0.0)
    monkeypatch.setattr(answer_question, "delay", nobody_listens)
    with django_capture_on_commit_callbacks(execute=True):
        response = ask(oree.api())
    assert response.status_code == 202
    assert Question.objects.get().outcome == Question.Outcome.WAITING
    monkeypatch.setattr(valkey, "_resting_until", 0.0)
