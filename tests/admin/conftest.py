"""Members at the administration's door, and the rows they come for."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django_scopes.state import state as scope_state

from organizations.models import User
from tests.fixtures import QUESTION, Tenant
from tours.answering.asking import question_ask
from tours.answering.making import question_answer
from tours.models import Tour


class Browser(Client):
    """A client whose requests run outside the test's own tenant scope, as they do in a server."""

    def request(self, **kwargs: Any) -> Any:
        token = scope_state.set({})
        try:
            return super().request(**kwargs)
        finally:
            scope_state.reset(token)


def browser_of(user: User) -> Browser:
    """Return the browser of somebody who has signed in."""
    browser = Browser(headers={"Accept-Language": "fr"})
    browser.force_login(user)
    return browser


def text_of(response: Any) -> str:
    """Return a page's words, without markup, on one line."""
    body = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", body)


def ask(tenant: Tenant, text: str = QUESTION, route: str = "/factures/nouvelle") -> Tour | None:
    """Have a visitor ask a question, answer it as a worker does, and return the tour."""
    from tests.fixtures import LOCAL

    question = question_ask(
        organization=tenant.organization,
        end_user=tenant.visitor(),
        text=text,
        route=route,
        page_title="",
        locale="fr",
    )
    question_answer(question_id=question.pk, config=LOCAL)
    question.refresh_from_db()
    return question.tour


@pytest.fixture
def waiting_tour(oree: Tenant) -> Tour:
    """A tour that a visitor's question made, waiting for its review."""
    oree.learn()
    tour = ask(oree)
    assert tour is not None
    return tour
