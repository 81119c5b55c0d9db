"""Who an end user is, and how many can be made up."""

from __future__ import annotations

import uuid

import pytest
from django.test import RequestFactory

from organizations import identity
from organizations.addresses import client_address
from organizations.errors import ServiceError
from organizations.identity import end_user_find, end_user_identify, identity_hash, visitor_token
from organizations.keys import sdk_key_create
from organizations.models import EndUser, SdkKey
from organizations.ratelimit import RateLimitedError
from tests.fixtures import ORIGIN, QUESTION, ApiFromPage, Tenant

ASK = {"question": QUESTION, "route": "/nulle/part"}


@pytest.fixture
def few_newcomers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "NEWCOMERS_PER_MINUTE", 2)


def test_a_read_makes_nobody_up(oree: Tenant) -> None:
    forged = visitor_token(oree.organization, uuid.uuid4()) + "x"
    unknown = visitor_token(oree.organization, uuid.uuid4())
    for headers in ({}, {"X-Circuy-Visitor": forged}, {"X-Circuy-Visitor": unknown}):
        for path in ("ai/questions", "tours"):
            response = oree.api().get(f"/v1/{path}/{uuid.uuid4()}", headers=headers)
            assert response.status_code == 404
    assert EndUser.objects.count() == 0


def test_a_wrong_hash_is_refused_on_a_read_too(oree: Tenant) -> None:
    with pytest.raises(ServiceError) as refused:
        end_user_find(organization=oree.organization, external_id="u1", user_hash="0" * 64)
    assert refused.value.code == "identity_invalid"


def test_whoever_leaves_the_token_out_is_limited_all_the_same(oree: Tenant, few_newcomers: None) -> None:
    statuses = [oree.api().post("/v1/ai/ask", ASK, format="json").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert EndUser.objects.count() == 2


def test_a_known_visitor_is_not_a_newcomer(oree: Tenant, few_newcomers: None) -> None:
    visitor = oree.api().post("/v1/ai/ask", ASK, format="json").json()["visitor"]
    for _ in range(3):
        assert oree.api().post("/v1/ai/ask", {**ASK, "visitor": visitor}, format="json").status_code == 200


def test_a_header_that_anybody_can_write_does_not_make_another_address(oree: Tenant, few_newcomers: None) -> None:
    statuses = [
        oree.api().post("/v1/ai/ask", ASK, format="json", headers={"X-Forwarded-For": f"10.0.0.{n}"}).status_code
        for n in range(3)
    ]
    assert statuses[-1] == 429


def test_newcomers_of_another_address_are_not_refused(oree: Tenant, few_newcomers: None) -> None:
    for _ in range(2):
        end_user_identify(organization=oree.organization, address="192.0.2.1")
    with pytest.raises(RateLimitedError):
        end_user_identify(organization=oree.organization, address="192.0.2.1")
    assert end_user_identify(organization=oree.organization, address="192.0.2.2").new_visitor_token


def test_a_server_with_a_secret_key_speaks_for_many(oree: Tenant, few_newcomers: None) -> None:
    _key, value = sdk_key_create(
        organization=oree.organization, actor=oree.owner, name="Serveur", kind=SdkKey.Kind.SECRET
    )
    client = ApiFromPage(headers={"Authorization": f"Bearer {value}", "Origin": ORIGIN})
    assert {client.post("/v1/ai/ask", ASK, format="json").status_code for _ in range(4)} == {200}


def test_an_id_longer_than_its_column_is_refused_in_a_header_too(oree: Tenant) -> None:
    long = "u" * 201
    headers = {"X-Circuy-User": long, "X-Circuy-User-Hash": identity_hash(oree.organization, long)}
    response = oree.api().post("/v1/ai/ask", ASK, format="json", headers=headers)
    assert (response.status_code, response.json()["code"]) == (403, "identity_invalid")


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "address"),
    [
        (0, "192.0.2.1", "", "192.0.2.1"),
        (0, "192.0.2.1", "10.0.0.1", "192.0.2.1"),
        (1, "192.0.2.1", "1.1.1.1, 198.51.100.7", "198.51.100.7"),
        (2, "192.0.2.1", "6.6.6.6, 198.51.100.7, 10.0.0.9", "198.51.100.7"),
        (2, "192.0.2.1", "198.51.100.7", "198.51.100.7"),
        (1, "192.0.2.1", "", "192.0.2.1"),
        (0, "2001:db8:1:2:3::4", "", "2001:db8:1:2::/64"),
        (1, "192.0.2.1", "nonsense" * 50, ("nonsense" * 50)[:45]),
    ],
)
def test_the_address_to_count_by(settings, proxies, remote, forwarded, address):
    settings.NUM_PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert client_address(RequestFactory().get("/", headers=headers, REMOTE_ADDR=remote)) == address
