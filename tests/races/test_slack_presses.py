"""Presses in Slack and workers of the outbox, many at once, on real threads and real connections."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django_scopes.state import state as scope_state

from moderation.models import Decision, Notification
from moderation.notifications.outbox import notification_deliver
from moderation.states import Verb
from organizations.models import Membership
from organizations.scoping import tenant_scope
from tests.fakes.slack_server import FakeSlack
from tests.fixtures import make_tenant
from tests.moderation.conftest import SECRET, SlackApp, connect_slack, link_slack

THREADS = 8
ROUNDS = 6


@pytest.fixture
def slack(settings):
    server = FakeSlack()
    settings.SLACK_API_URL, settings.SLACK_SIGNING_SECRET = server.base_url, SECRET
    yield server
    server.close()


@pytest.fixture
def tenant(transactional_db):
    made = make_tenant("oree")
    with tenant_scope(made.organization.id):
        connect_slack(made)
        for number, user in enumerate((made.owner, made.reviewer)):
            link_slack(made, user, f"U{number}")
        yield made


def at_once(jobs):
    """Run the jobs at the same moment, each on a connection of its own."""
    barrier = Barrier(len(jobs))

    def run(job):
        scope_state.set({})
        try:
            barrier.wait(timeout=10)
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def test_however_many_press_at_once_one_decision_is_made(tenant, slack):
    assert Membership.objects.count() == 4
    for _round in range(ROUNDS):
        skill = tenant.learn(approve=False)
        value = json.dumps(["page_skill", str(skill.pk), skill.digest])

        def press(number, value=value):
            app = SlackApp(Client())
            return app.press({"action_id": "review_approve", "value": value}, user=f"U{number % 2}").status_code

        assert at_once([lambda n=number: press(n) for number in range(THREADS)]) == [200] * THREADS
        assert Decision.objects.filter(subject_id=skill.pk, verb=Verb.APPROVE).count() == 1


def test_however_many_workers_take_a_message_it_is_posted_once(tenant, slack):
    tenant.learn(approve=False)
    row = Notification.objects.get()
    usual = slack.answer_to

    def slowly(method, asked):
        time.sleep(0.2)
        return usual(method, asked)

    slack.answer_to = slowly
    sent = at_once([lambda: notification_deliver(row.pk)] * THREADS)
    assert sorted(sent) == [False] * (THREADS - 1) + [True]
    assert len(slack.calls_of("chat.postMessage")) == 1
