"""Messages: written with what they tell of, delivered over HTTP to Slack, retried, never doubled."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from circuy.celery import HARD_TIME_LIMIT_S
from moderation.models import Channels, Notification
from moderation.notifications.announcing import announce, remind
from moderation.notifications.errors import DeliveryError
from moderation.notifications.outbox import (
    CHANNELS,
    ERROR_MAX,
    LEASE,
    LONGEST_WAIT_S,
    MAX_ATTEMPTS,
    due_notifications,
    notification_deliver,
    notification_retry,
)
from moderation.services import review_decide
from moderation.states import Verb
from moderation.tasks import deliver_due_notifications
from organizations.errors import ServiceError
from organizations.tasks import purge_expired
from skills.models import PageSkill
from tests.fixtures import invoice_scan
from tests.moderation.conftest import connect_slack


@pytest.fixture
def skill(oree):
    connect_slack(oree)
    return oree.learn(approve=False)


@pytest.fixture
def message(skill):
    return Notification.objects.get()


def make_due(message):
    Notification.objects.filter(pk=message.pk).update(next_try_at=timezone.now())


def test_submitting_something_writes_its_message_in_the_same_transaction(message):
    assert message.state == Notification.State.WAITING
    assert message.payload["title"] == "Création de facture"
    assert message.payload["url"].startswith("http")


def test_an_organization_without_any_channel_writes_no_message(oree):
    Channels.objects.create(organization=oree.organization, email_on=False)
    oree.learn(approve=False)
    assert Notification.objects.count() == 0


def test_the_message_reaches_the_channel_with_its_buttons(message, slack):
    assert notification_deliver(message.pk)
    sent = slack.messages[0]
    assert (sent["channel"], sent["_token"]) == ("C0123", "xoxb-oree")
    text = json.dumps(sent["blocks"], ensure_ascii=False)
    assert message.payload["url"] in text
    for label in ("Approuver", "Refuser", "Ouvrir"):
        assert label in text
    message.refresh_from_db()
    assert message.state == Notification.State.SENT
    assert message.provider_message_id == "C0123:1700000000.000001"


def test_a_sent_message_is_not_sent_again(message, slack):
    notification_deliver(message.pk)
    make_due(message)
    assert not notification_deliver(message.pk)
    assert len(slack.messages) == 1


def test_the_same_event_is_told_to_the_same_channel_once(oree, skill, message):
    from moderation.models import Decision

    announce(subject=skill, decision=Decision.objects.get(verb=Verb.SUBMIT))
    assert Notification.objects.count() == 1


def test_a_message_whose_answer_was_lost_is_not_posted_twice(message, slack):
    slack.fail_with(0, taken=True)
    assert not notification_deliver(message.pk)
    make_due(message)
    assert notification_deliver(message.pk)
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
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert message.state == Notification.State.WAITING
    assert message.last_error
    make_due(message)
    assert notification_deliver(message.pk)


def test_a_revoked_token_is_given_up_and_stays_visible(message, slack):
    slack.fail_with(200, body={"ok": False, "error": "token_revoked"})
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert (message.state, message.last_error) == (Notification.State.DEAD, "token_revoked")


def test_what_was_given_up_is_tried_again_when_an_administrator_says_so(oree, message, slack):
    slack.fail_with(200, body={"ok": False, "error": "token_revoked"})
    notification_deliver(message.pk)
    with pytest.raises(ServiceError) as refused:
        notification_retry(notification=message, actor=oree.reviewer)
    assert refused.value.code == "forbidden"
    assert notification_retry(notification=message, actor=oree.owner)
    assert notification_deliver(message.pk)
    assert len(slack.messages) == 1


def test_what_was_sent_cannot_be_tried_again(oree, message, slack):
    notification_deliver(message.pk)
    assert not notification_retry(notification=message, actor=oree.owner)
    assert not notification_deliver(message.pk)
    assert len(slack.messages) == 1


def test_a_message_in_delivery_is_not_taken_by_another_worker(message, slack):
    Notification.objects.filter(pk=message.pk).update(next_try_at=timezone.now() + timedelta(seconds=50))
    assert not notification_deliver(message.pk)
    assert slack.messages == []


def test_what_people_wrote_is_not_read_as_slacks_markup(skill, message, slack):
    PageSkill.objects.filter(pk=skill.pk).update(name="<!channel> <https://evil.example|ici> & <!here>")
    notification_deliver(message.pk)
    sent = slack.messages[0]
    markup = [block["text"]["text"] for block in sent["blocks"] if block["type"] == "section"]
    markup += [
        element["text"] for block in sent["blocks"] if block["type"] == "context" for element in block["elements"]
    ]
    assert "<!" not in "".join([*markup, sent["text"]])
    assert "&lt;!channel&gt;" in sent["text"]


def test_what_is_gone_is_not_spoken_of(skill, message, slack):
    skill.delete()
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert message.state == Notification.State.MOOT
    assert slack.messages == []


def test_a_fault_nobody_foresaw_is_a_failed_delivery_like_any_other(message, slack, monkeypatch):
    monkeypatch.setattr("moderation.notifications.slack.review_blocks", lambda *_args, **_more: {}["missing"])
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert (message.state, message.attempts) == (Notification.State.WAITING, 1)
    assert message.last_error == "KeyError"
    assert message.next_try_at < timezone.now() + timedelta(seconds=10)


def test_a_message_that_breaks_its_channel_is_given_up_in_the_end(message, slack, monkeypatch):
    monkeypatch.setattr("moderation.notifications.slack.review_blocks", lambda *_args, **_more: {}["missing"])
    Notification.objects.filter(pk=message.pk).update(attempts=MAX_ATTEMPTS - 1)
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert message.state == Notification.State.DEAD


@pytest.mark.parametrize("answer", ["9" * 400, "99999", "²", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_no_wait_that_slack_names_is_longer_than_our_longest(message, slack, answer):
    slack.fail_with(429, headers={"Retry-After": answer}, body={"ok": False, "error": "ratelimited"})
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert message.next_try_at <= timezone.now() + timedelta(seconds=LONGEST_WAIT_S)


def test_a_reminder_is_told_once_and_not_of_what_is_decided(oree, skill, slack):
    remind(subject=skill, number=1)
    remind(subject=skill, number=1)
    reminder = Notification.objects.get(event=Notification.Event.REMINDER)
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.reviewer,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    assert not notification_deliver(reminder.pk)
    reminder.refresh_from_db()
    assert reminder.state == Notification.State.MOOT
    assert slack.messages == []


@pytest.fixture
def during(monkeypatch):
    """Have a channel do something else than deliver."""

    def deliver_so(happens):
        monkeypatch.setitem(CHANNELS, Notification.Channel.SLACK, lambda row, _organization: happens(row))

    return deliver_so


def test_an_error_that_no_column_could_hold_is_kept_without_what_is_wrong_with_it(message, during):
    def refuse(_row):
        raise DeliveryError("\x00hello \ud800" + "x" * 5000)

    during(refuse)
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert message.state == Notification.State.WAITING
    assert message.last_error.startswith("hello x")
    assert len(message.last_error) == ERROR_MAX


def test_a_message_that_cannot_be_dealt_with_keeps_no_other_from_leaving(oree, message, slack, monkeypatch):
    broken = message.pk
    oree.learn(invoice_scan(urlPattern="/devis/nouveau"), approve=False)
    Notification.objects.filter(pk=broken).update(next_try_at=timezone.now() - timedelta(hours=1))

    def deliver(pk):
        if pk == broken:
            raise RuntimeError("the database says no")
        return notification_deliver(pk)

    monkeypatch.setattr("moderation.tasks.notification_deliver", deliver)
    deliver_due_notifications()
    assert len(slack.messages) == 1


def test_a_delivery_that_takes_its_worker_down_each_time_is_given_up(message, slack):
    Notification.objects.filter(pk=message.pk).update(attempts=MAX_ATTEMPTS)
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert (message.state, message.attempts) == (Notification.State.DEAD, MAX_ATTEMPTS)
    assert "interrompue" in message.last_error
    assert slack.messages == []


def test_no_worker_lives_longer_than_its_claim():
    assert timedelta(seconds=HARD_TIME_LIMIT_S) < LEASE


def test_what_a_killed_worker_left_is_tried_again_after_its_claim(message, slack):
    def killed(_row, _organization):
        raise SystemExit

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CHANNELS, Notification.Channel.SLACK, killed)
        with pytest.raises(SystemExit):
            notification_deliver(message.pk)
    assert message.pk not in due_notifications()
    Notification.objects.filter(pk=message.pk).update(next_try_at=timezone.now() - timedelta(seconds=1))
    assert message.pk in due_notifications()
    assert notification_deliver(message.pk)


@pytest.mark.parametrize("fails", [True, False], ids=["fails", "succeeds"])
def test_a_late_outcome_undoes_nothing_that_another_attempt_wrote(message, during, fails):
    def overtaken(row):
        Notification.objects.filter(pk=row.pk).update(attempts=2, state=Notification.State.SENT, last_error="")
        if fails:
            raise DeliveryError("late")
        return "late"

    during(overtaken)
    assert not notification_deliver(message.pk)
    message.refresh_from_db()
    assert (message.state, message.last_error, message.provider_message_id) == (Notification.State.SENT, "", "")


def test_old_messages_go_and_those_still_to_be_sent_stay(oree, stranger, message, slack):
    oree.organization.retention_days = 30
    oree.organization.save()
    oree.learn(invoice_scan(urlPattern="/devis/nouveau"), approve=False)
    notification_deliver(message.pk)
    oree.learn(invoice_scan(urlPattern="/clients/nouveau"), approve=False)
    waiting = set(Notification.objects.filter(state=Notification.State.WAITING).values_list("pk", flat=True))
    recent = Notification.objects.exclude(pk=message.pk).latest("id").pk
    assert notification_deliver(recent)
    Notification.objects.exclude(pk=recent).update(created_at=timezone.now() - timedelta(days=40))
    purge_expired()
    assert set(Notification.objects.values_list("pk", flat=True)) == waiting
