"""Messages: written with what they tell of, delivered over HTTP to Slack, retried, never doubled."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from moderation.models import Notification
from moderation.notifications.outbox import LONGEST_WAIT_S, MAX_ATTEMPTS, due_notifications, notification_deliver
from tests.fakes.slack_server import FakeSlack


@pytest.fixture
def slack(settings):
    server = FakeSlack()
    settings.SLACK_API_URL = server.base_url
    yield server
    server.close()


@pytest.fixture
def message(oree):
    oree.organization.slack_bot_token = "xoxb-oree"
    oree.organization.slack_channel = "C0123"
    oree.organization.save()
    oree.learn(approve=False)
    return Notification.objects.get()


def make_due(message):
    Notification.objects.filter(pk=message.pk).update(next_try_at=timezone.now())


def test_submitting_something_writes_its_message_in_the_same_transaction(message):
    assert message.state == Notification.State.WAITING
    assert message.payload["title"] == "Création de facture"
    assert message.payload["url"].startswith("http")


def test_an_organization_without_slack_gets_no_message(oree):
    oree.learn(approve=False)
    assert Notification.objects.count() == 0


def test_the_message_reaches_the_channel_with_a_link_to_the_review(message, slack):
    assert notification_deliver(message.pk)
    sent = slack.messages[0]
    assert (sent["channel"], sent["_token"]) == ("C0123", "xoxb-oree")
    assert message.payload["url"] in json.dumps(sent["blocks"])
    message.refresh_from_db()
    assert message.state == Notification.State.SENT
    assert message.provider_message_id == "C0123:1700000000.000001"


def test_a_sent_message_is_not_sent_again(message, slack):
    notification_deliver(message.pk)
    make_due(message)
    assert not notification_deliver(message.pk)
    assert len(slack.messages) == 1


def test_a_rate_limit_is_waited_for_as_long_as_slack_says(message, slack):
    slack.fail_with(429, headers={"Retry-After": "120"}, body={"ok": False, "error": "ratelimited"})
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    wait = (message.next_try_at - timezone.now()).total_seconds()
    assert 100 < wait <= 120
    assert message.pk not in due_notifications()


@pytest.mark.parametrize("status", [500, 503, 0])
def test_a_passing_fault_is_tried_again(message, slack, status):
    slack.fail_with(status)
    slack.fail_with(status)
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert message.state == Notification.State.WAITING
    assert message.last_error
    while slack._faults:
        slack._faults.pop()
    make_due(message)
    assert notification_deliver(message.pk)


def test_a_revoked_token_is_given_up_and_stays_visible(message, slack):
    slack.fail_with(200, body={"ok": False, "error": "token_revoked"})
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert (message.state, message.last_error) == (Notification.State.DEAD, "token_revoked")


def test_a_message_in_delivery_is_not_taken_by_another_worker(message, slack):
    Notification.objects.filter(pk=message.pk).update(next_try_at=timezone.now() + timedelta(seconds=50))
    assert not notification_deliver(message.pk)
    assert slack.messages == []


def test_what_people_wrote_is_not_read_as_slacks_markup(message, slack):
    Notification.objects.filter(pk=message.pk).update(
        payload={**message.payload, "question": "<!channel> <https://evil.example|ici>", "lines": ["<!here>"]}
    )
    notification_deliver(message.pk)
    text = json.dumps(slack.messages[0]["blocks"])
    assert "<!channel>" not in text
    assert "<!here>" not in text
    assert "&lt;!channel&gt;" in text


def test_a_fault_nobody_foresaw_is_a_failed_delivery_like_any_other(message, slack):
    Notification.objects.filter(pk=message.pk).update(payload={})
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert (message.state, message.attempts) == (Notification.State.WAITING, 1)
    assert message.last_error == "KeyError"
    assert message.next_try_at < timezone.now() + timedelta(seconds=10)


def test_a_message_that_breaks_its_channel_is_given_up_in_the_end(message, slack):
    Notification.objects.filter(pk=message.pk).update(payload={}, attempts=MAX_ATTEMPTS - 1)
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert message.state == Notification.State.DEAD


@pytest.mark.parametrize("answer", ["9" * 400, "99999", "²", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_no_wait_that_slack_names_is_longer_than_our_longest(message, slack, answer):
    slack.fail_with(429, headers={"Retry-After": answer}, body={"ok": False, "error": "ratelimited"})
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert message.next_try_at <= timezone.now() + timedelta(seconds=LONGEST_WAIT_S)
