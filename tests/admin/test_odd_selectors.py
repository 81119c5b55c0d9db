"""Selectors full of quotes and backslashes go through forms, templates, JSON and the database unchanged."""

from __future__ import annotations

import pytest
from django.utils.html import escape

from moderation.states import Status
from tests.admin.conftest import ask, browser_of
from tests.admin.test_page_skill_review import form_of as page_form
from tests.admin.test_page_skill_review import url_of as page_url
from tests.admin.test_tour_review import form_of as tour_form
from tests.admin.test_tour_review import fresh
from tests.admin.test_tour_review import url_of as tour_url
from tests.fixtures import QUESTION, Tenant, invoice_scan, node
from tours.models import Tour


@pytest.mark.parametrize(
    ("selector", "fallback"),
    [
        (r"#a\:b", r"#\:r3\:"),
        (r"#\31 23", r"[name='l\'avoir']"),
        (r'[data-path="C:\\new\"x\""]', r"input[name='lines\[0\]\.discount']"),
        (r"#été\.&lt;b&gt;", r"[title='<script>&amp;</script>']"),
        ('[aria-label="« Remise » {{ x }} {% y %}"]', r"a[href^='\/\/x']"),
    ],
)
def test_it_is_the_same_for_the_reviewer_in_the_version_and_for_the_page(
    oree: Tenant, selector: str, fallback: str
) -> None:
    field = node(1, "input", "Remise (%)", selector, fallback=fallback, type="number")
    skill = oree.learn(invoice_scan(nodes=[field]), approve=False)
    author, reviewer = browser_of(oree.author), browser_of(oree.reviewer)
    shown = reviewer.get(page_url(skill)).content.decode()
    assert f"<code>{escape(selector)}</code>" in shown
    assert escape(fallback) in shown
    author.post(page_url(skill), page_form(skill, name="Un autre nom"))
    skill.refresh_from_db()
    reviewer.post(page_url(skill), page_form(skill, do="approve"))
    ask(oree)
    tour = Tour.objects.select_related("current_version").get()
    assert escape(selector) in reviewer.get(tour_url(tour)).content.decode()
    author.post(tour_url(tour), tour_form(tour, **{"steps-0-text": "Entrez la remise ici."}))
    edited = fresh(tour)
    reviewer.post(tour_url(tour), tour_form(edited, do="approve"))

    published = fresh(tour)
    assert published.status == Status.PUBLISHED
    answer = oree.api().post("/v1/ai/ask", {"question": QUESTION, "route": "/factures/nouvelle"}, format="json")
    step = answer.json()["steps"][0]
    assert (step["attachTo"]["element"], step["fallback_selector"]) == (selector, fallback)
    assert step["text"] == "Entrez la remise ici."
