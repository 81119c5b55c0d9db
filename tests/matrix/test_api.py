"""Every address of the API that takes an id, with another tenant's id: generated from the addresses themselves."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from shadow.services import events_ingest
from skills.recorder import recorder_code_create, recorder_code_exchange
from skills.services import scan_accept
from tests.fixtures import LOCAL, Tenant, invoice_scan
from tours.answering.making import question_answer
from tours.models import Question


def answered_question(tenant: Tenant) -> Question:
    question = tenant.asked()
    question_answer(question_id=question.pk, config=LOCAL)
    question.refresh_from_db()
    return question


def some_scan(tenant: Tenant) -> uuid.UUID:
    return scan_accept(
        organization=tenant.organization, actor=tenant.author, data=invoice_scan(), name="", locale="fr"
    ).pk


def observed_session(tenant: Tenant) -> str:
    events_ingest(
        organization=tenant.organization,
        member=tenant.author,
        session_id="sess_of_the_owner",
        machine_id="machine",
        events=[{"sequence": 0, "kind": "focus", "at": 0, "url": "/remise"}],
    )
    return "sess_of_the_owner"


# How to make a row of the owner's for each kind of id that an address can take.
ROWS: dict[str, Callable[[Tenant], uuid.UUID | str | None]] = {
    "question_id": lambda tenant: answered_question(tenant).pk,
    "tour_id": lambda tenant: answered_question(tenant).tour_id,
    "scan_id": some_scan,
    "session_id": observed_session,
}


# What else stands in an address.
OTHERS: dict[str, int] = {"index": 0}


def addresses_with_ids() -> list[tuple[str, str, dict[str, int]]]:
    """Each address by its name, with the kind of its id and what it takes besides."""
    found: list[tuple[str, str, dict[str, int]]] = []

    def walk(patterns: list[URLPattern | URLResolver], inside_api: bool) -> None:
        for pattern in patterns:
            inside = inside_api or str(pattern.pattern) in ("v1/", "api/v1/")
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, inside)
            elif inside and pattern.pattern.converters:
                kwargs = pattern.pattern.converters
                more = {kwarg: OTHERS[kwarg] for kwarg in kwargs if kwarg in OTHERS}
                found.extend((str(pattern.name), kwarg, more) for kwarg in kwargs if kwarg not in OTHERS)

    walk(get_resolver().url_patterns, inside_api=False)
    return found


def recorder_token(tenant: Tenant, *, author: str) -> str:
    from organizations.scoping import tenant_scope

    with tenant_scope(tenant.organization.id):
        code = recorder_code_create(organization=tenant.organization, actor=getattr(tenant, author))
        return recorder_code_exchange(organization=tenant.organization, code=code).token


def test_every_kind_of_id_is_known_to_this_test():
    addresses = addresses_with_ids()
    assert addresses
    assert {kwarg for _name, kwarg, _more in addresses} == set(ROWS)


@pytest.mark.parametrize(("name", "kwarg", "more"), addresses_with_ids())
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_a_strangers_key_never_finds_the_owners_row(oree, stranger, name, kwarg, more, method):
    oree.learn()
    url = reverse(name, kwargs={kwarg: ROWS[kwarg](oree), **more})
    nowhere = reverse(name, kwargs={kwarg: uuid.uuid4(), **more})
    for authorization in (f"Bearer {stranger.key_value}", f"Bearer {recorder_token(stranger, author='author')}"):
        call = getattr(stranger.api(Authorization=authorization), method)
        response = call(url)
        assert response.status_code in (401, 404, 405, 422)
        # A body that is refused before anything is looked for says the same of a row that does not exist.
        assert response.status_code != 422 or response.content == call(nowhere).content
        assert str(oree.organization.pk) not in response.content.decode()
        assert "remise" not in response.content.decode().lower()
