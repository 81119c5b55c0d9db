"""Buttons in Slack: one decision a press, in a linked member's name, and messages that stay true."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from moderation.models import Channels, Decision, Notification, SlackLink
from moderation.notifications import slack as slack_module
from moderation.notifications import slack_blocks
from moderation.notifications.outbox import notification_deliver
from moderation.services import review_decide, review_record_edit
from moderation.states import Status, Verb
from organizations.models import Membership, Role
from organizations.scoping import every_tenant
from skills.models import PageSkill
from tests.fakes.slack_server import TEAM
from tests.moderation.conftest import PRESSER, SECRET, buttons_of, connect_slack, deliver_all, link_slack


@pytest.fixture
def skill(oree, slack):
    connect_slack(oree)
    link_slack(oree, oree.reviewer)
    return oree.learn(approve=False)


@pytest.fixture
def posted(skill, slack):
    """The message in the channel, with its buttons."""
    deliver_all()
    return slack.messages[0]


def verdicts() -> int:
    return Decision.objects.filter(verb__in=[Verb.APPROVE, Verb.REJECT]).count()


def words_of(message: dict[str, Any]) -> str:
    return json.dumps(message["blocks"], ensure_ascii=False)


def decide_elsewhere(oree, skill, verb=Verb.APPROVE, reason=""):
    return review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.owner,
        verb=verb,
        seen_digest=skill.digest,
        reason=reason,
    )


def test_a_press_approves_in_the_linked_members_name(oree, skill, posted, app, slack):
    answer = app.press(buttons_of(posted)["review_approve"])
    assert (answer.status_code, answer.content) == (200, b"")
    skill.refresh_from_db()
    assert (skill.status, skill.reviewed_by) == (Status.PUBLISHED, oree.reviewer)
    assert Decision.objects.get(verb=Verb.APPROVE).channel == Decision.Channel.SLACK
    deliver_all()
    shown = slack.shown["1700000000.000001"]
    assert set(buttons_of(shown)) == {"review_open"}
    assert f"Approuvé par {oree.reviewer}" in words_of(shown)


@pytest.mark.parametrize("press", ["same", None], ids=["delivered again", "double click"])
def test_one_click_acts_once_however_often_it_arrives(skill, posted, app, press):
    """Case 35."""
    button = buttons_of(posted)["review_approve"]
    answers = [app.press(button, **({"press": press} if press else {})) for _time in range(3)]
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, b"")}
    assert verdicts() == 1
    assert not Notification.objects.filter(event=Notification.Event.REPLY).exists()


def test_a_decision_on_the_web_takes_the_buttons_out_of_slack(oree, skill, posted, slack):
    """Case 38."""
    decide_elsewhere(oree, skill, Verb.REJECT, reason="La page a <changé>.")
    deliver_all()
    shown = slack.shown["1700000000.000001"]
    assert set(buttons_of(shown)) == {"review_open"}
    assert f"Refusé par {oree.owner}" in words_of(shown)
    assert "La page a &lt;changé&gt;." in words_of(shown)


def test_what_is_decided_before_its_message_left_is_never_posted(oree, skill, slack):
    decide_elsewhere(oree, skill)
    deliver_all()
    assert slack.messages == []
    assert set(Notification.objects.values_list("state", flat=True)) == {Notification.State.MOOT}


def test_an_update_that_is_due_before_its_message_waits_for_it(oree, skill, slack):
    first = Notification.objects.get()
    decide_elsewhere(oree, skill)
    update = Notification.objects.get(rewrites=first)
    assert not notification_deliver(update.pk)
    update.refresh_from_db()
    assert (update.state, update.attempts) == (Notification.State.WAITING, 0)
    assert update.next_try_at > timezone.now()


def just_before(monkeypatch, method, happens):
    """Have something happen once, after what a call says was read and before Slack is asked."""
    usual, pending = slack_module.slack_call, [happens]

    def call(asked, **arguments):
        if asked.__name__ == method and pending:
            pending.pop()()
        return usual(asked, **arguments)

    monkeypatch.setattr(slack_module, "slack_call", call)


def test_a_message_posted_while_its_subject_was_decided_is_put_right(oree, skill, slack, monkeypatch):
    just_before(monkeypatch, "chat_postMessage", lambda: decide_elsewhere(oree, skill))
    assert notification_deliver(Notification.objects.get().pk)
    assert "review_approve" in buttons_of(slack.shown["1700000000.000001"])
    deliver_all()
    assert set(buttons_of(slack.shown["1700000000.000001"])) == {"review_open"}


def test_updates_out_of_order_leave_the_last_word(oree, skill, posted, slack):
    decide_elsewhere(oree, skill, Verb.REQUEST_CHANGES, reason="Trop long.")
    late = Notification.objects.get(event=Notification.Event.DECIDED)
    Notification.objects.filter(pk=late.pk).update(next_try_at=timezone.now() + timedelta(hours=1))
    PageSkill.objects.filter(pk=skill.pk).update(status=Status.PENDING_REVIEW)
    skill.refresh_from_db()
    decide_elsewhere(oree, skill, Verb.APPROVE)
    deliver_all()
    Notification.objects.filter(pk=late.pk).update(state=Notification.State.WAITING, next_try_at=timezone.now())
    assert notification_deliver(late.pk)
    assert f"Approuvé par {oree.owner}" in words_of(slack.shown["1700000000.000001"])


def test_a_slow_update_has_not_the_last_word(oree, skill, posted, slack, monkeypatch):
    decide_elsewhere(oree, skill, Verb.REQUEST_CHANGES, reason="Trop long.")

    def approved_meanwhile():
        PageSkill.objects.filter(pk=skill.pk).update(status=Status.PENDING_REVIEW)
        skill.refresh_from_db()
        decide_elsewhere(oree, skill, Verb.APPROVE)

    just_before(monkeypatch, "chat_update", approved_meanwhile)
    assert notification_deliver(Notification.objects.get(event=Notification.Event.DECIDED).pk)
    assert len(slack.calls_of("chat.update")) == 2
    assert f"Approuvé par {oree.owner}" in words_of(slack.shown["1700000000.000001"])


def test_an_update_that_slack_limits_is_tried_again(oree, skill, posted, slack):
    decide_elsewhere(oree, skill)
    slack.fail_with(429, headers={"Retry-After": "60"}, body={"ok": False, "error": "ratelimited"})
    update = Notification.objects.get(event=Notification.Event.DECIDED)
    assert not notification_deliver(update.pk)
    deliver_all()
    assert set(buttons_of(slack.shown["1700000000.000001"])) == {"review_open"}


def test_rejecting_asks_why_and_keeps_the_reason(oree, skill, posted, app, slack):
    assert app.press(buttons_of(posted)["review_reject"]).status_code == 200
    assert verdicts() == 0
    view = slack.calls_of("views.open")[0]["view"]
    answer = app.submit(view, "Le bouton n'est plus là.")
    assert (answer.status_code, answer.content) == (200, b"")
    decision = Decision.objects.get(verb=Verb.REJECT)
    assert (decision.reason, decision.actor) == ("Le bouton n'est plus là.", oree.reviewer)
    deliver_all()
    assert "Le bouton n'est plus là." in words_of(slack.shown["1700000000.000001"])


@pytest.mark.parametrize("reason", [None, "", "   ", "\x00"])
def test_a_rejection_without_a_reason_is_refused_in_its_window(skill, posted, app, slack, reason):
    app.press(buttons_of(posted)["review_reject"])
    answer = app.submit(slack.calls_of("views.open")[0]["view"], reason).json()
    assert answer["response_action"] == "errors"
    assert set(answer["errors"]) == {"reason"}
    assert verdicts() == 0


def test_a_window_sent_twice_gives_the_same_answer_and_one_decision(skill, posted, app, slack):
    app.press(buttons_of(posted)["review_reject"])
    view = slack.calls_of("views.open")[0]["view"]
    answers = [app.submit(view, "Non.") for _time in range(2)]
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, b"")}
    assert verdicts() == 1


def test_a_window_that_slack_does_not_open_is_said(skill, posted, app, slack):
    slack.fail_with(500)
    assert app.press(buttons_of(posted)["review_reject"]).status_code == 200
    deliver_all()
    assert "n’a pas pu ouvrir" in slack.calls_of("chat.postEphemeral")[0]["text"]


def test_a_second_moderator_is_told_who_decided(oree, skill, posted, app, slack):
    """Case 42."""
    decide_elsewhere(oree, skill)
    app.press(buttons_of(posted)["review_approve"], press="late")
    app.press(buttons_of(posted)["review_approve"], press="late")
    deliver_all()
    told = slack.calls_of("chat.postEphemeral")
    assert [(reply["user"], str(oree.owner) in reply["text"]) for reply in told] == [(PRESSER, True)]
    assert verdicts() == 1


def test_what_was_edited_meanwhile_is_not_approved_unseen(oree, skill, posted, app, slack):
    """Case 40."""
    PageSkill.objects.filter(pk=skill.pk).update(digest="f" * 64)
    app.press(buttons_of(posted)["review_approve"])
    deliver_all()
    assert "a changé" in slack.calls_of("chat.postEphemeral")[0]["text"]
    assert verdicts() == 0


def test_nobody_approves_their_own_work_in_slack_either(oree, skill, posted, app, slack):
    """Case 44."""
    SlackLink.objects.all().delete()
    oree.author.memberships.update(role=Role.REVIEWER)
    link_slack(oree, oree.author)
    app.press(buttons_of(posted)["review_approve"])
    assert verdicts() == 0
    deliver_all()
    assert "quelqu’un d’autre" in slack.calls_of("chat.postEphemeral")[0]["text"]


def test_an_unlinked_slack_user_is_told_how_to_link(skill, posted, app, slack):
    app.press(buttons_of(posted)["review_approve"], user="U0NOBODY")
    assert verdicts() == 0
    deliver_all()
    told = slack.calls_of("chat.postEphemeral")[0]
    assert told["user"] == "U0NOBODY"
    assert "/admin/slack/link/" in json.dumps(told["blocks"])


def test_without_any_link_nobody_decides(oree, skill, posted, app):
    """Case 37: an empty list lets nobody in."""
    SlackLink.objects.all().delete()
    for user in (PRESSER, "U0NOBODY"):
        app.press(buttons_of(posted)["review_approve"], user=user)
    assert verdicts() == 0


def test_an_address_that_a_member_has_lends_no_rights(oree, skill, posted, app):
    """Case 39: a name or an e-mail address in Slack's payload makes nobody a member."""
    SlackLink.objects.all().delete()
    payload_user = {"id": "U0EVIL", "team_id": TEAM, "name": "owner", "email": oree.owner.email}
    button = buttons_of(posted)["review_approve"]
    app.interact(
        {
            "type": "block_actions",
            "team": {"id": TEAM},
            "user": payload_user,
            "trigger_id": "1.1",
            "channel": {"id": "C0123"},
            "actions": [button],
        }
    )
    assert verdicts() == 0


@pytest.mark.parametrize("role", [Role.AUTHOR, Role.VIEWER])
def test_a_lower_role_decides_nothing_in_slack(oree, skill, posted, app, slack, role):
    Membership.objects.filter(user=oree.reviewer).update(role=role)
    app.press(buttons_of(posted)["review_approve"])
    app.press(buttons_of(posted)["review_reject"])
    assert verdicts() == 0
    assert slack.calls_of("views.open") == []


def test_a_member_who_left_decides_nothing_in_slack(oree, skill, posted, app):
    Membership.objects.filter(user=oree.reviewer).delete()
    app.press(buttons_of(posted)["review_approve"])
    assert verdicts() == 0


def test_another_workspace_decides_nothing(oree, skill, posted, app):
    app.press(buttons_of(posted)["review_approve"], team="T0EVIL")
    assert verdicts() == 0


def test_another_organizations_member_decides_nothing_here(oree, stranger, skill, posted, app):
    connect_slack(stranger, slack_team_id="T0DUVAL")
    with every_tenant():
        link = link_slack(stranger, stranger.reviewer, "U0DUVAL")
        SlackLink.objects.filter(pk=link.pk).update(team_id="T0DUVAL")
    app.press(buttons_of(posted)["review_approve"], user="U0DUVAL", team="T0DUVAL")
    assert verdicts() == 0


def test_an_app_of_ones_own_speaks_for_its_own_organization_alone(oree, stranger, skill, posted, app):
    """Its owner could sign anything, also what another organization's members never pressed."""
    connect_slack(stranger, slack_signing_secret="the-strangers-own-app")
    answer = app.press(buttons_of(posted)["review_approve"], secret="the-strangers-own-app")
    assert answer.status_code == 200
    assert verdicts() == 0


def test_an_app_of_ones_own_decides_for_its_organization(oree, skill, posted, app):
    Channels.objects.update(slack_signing_secret="orees-own-app")
    assert app.press(buttons_of(posted)["review_approve"], secret=SECRET).status_code == 200
    assert verdicts() == 0
    app.press(buttons_of(posted)["review_approve"], secret="orees-own-app")
    assert verdicts() == 1


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "[]",
        "{}",
        "null",
        '["tour"]',
        '["tour","x","y"]',
        "[" * 5000,
        '["page","00000000-0000-0000-0000-000000000000","z"]',
    ],
)
def test_a_button_that_names_nothing_is_answered_politely(skill, posted, app, value):
    assert app.press({"action_id": "review_approve", "value": value}).status_code == 200
    assert verdicts() == 0


def test_an_edit_puts_the_new_version_behind_the_buttons(oree, skill, posted, app, slack):
    edited = review_record_edit(
        subject=skill, actor=oree.author, seen_digest=skill.digest, digest="e" * 64, changes={"name": "Nouveau nom"}
    )
    assert edited is not None
    deliver_all()
    shown = slack.shown["1700000000.000001"]
    assert "Nouveau nom" in words_of(shown)
    assert json.loads(buttons_of(shown)["review_approve"]["value"])[2] == "e" * 64


def test_two_people_approve_in_slack_where_two_have_to(oree, skill, posted, app, slack):
    oree.organization.two_approvals = True
    oree.organization.save()
    link_slack(oree, oree.owner, "U0OWNER")
    button = buttons_of(posted)["review_approve"]
    for _time in range(2):
        app.press(button)
    deliver_all()
    shown = slack.shown["1700000000.000001"]
    assert f"Première approbation par {oree.reviewer}" in words_of(shown)
    assert "review_approve" in buttons_of(shown)
    skill.refresh_from_db()
    assert skill.status == Status.PENDING_REVIEW
    app.press(buttons_of(shown)["review_approve"], user="U0OWNER")
    deliver_all()
    skill.refresh_from_db()
    assert skill.status == Status.PUBLISHED
    assert set(buttons_of(slack.shown["1700000000.000001"])) == {"review_open"}


def test_a_change_that_is_undone_leaves_no_message(oree, skill, slack):
    """Case 45: nothing is sent of what was never committed."""
    before = Notification.objects.count()
    with transaction.atomic():
        decide_elsewhere(oree, skill)
        assert Notification.objects.count() > before
        transaction.set_rollback(True)
    assert Notification.objects.count() == before


def test_one_does_not_approve_from_a_list_that_shows_a_line(skill, app):
    assert set(buttons_of(app.command().json())) == {"review_reject", "review_open"}


def test_what_slack_does_not_show_whole_is_not_approved_there(skill, slack, monkeypatch):
    monkeypatch.setattr(slack_blocks, "SECTION_MAX", 60)
    deliver_all()
    shown = slack.messages[0]
    assert set(buttons_of(shown)) == {"review_reject", "review_open"}
    assert "Trop long" in words_of(shown)


def test_an_approval_that_was_overtaken_is_not_repeated_as_if_it_stood(oree, skill, posted, app, slack):
    """Approved, brought back to the inbox and rejected: the old button says what is so now."""
    button = buttons_of(posted)["review_approve"]
    app.press(button)
    for actor, verb in ((oree.reviewer, Verb.ARCHIVE), (oree.author, Verb.RESTORE), (oree.owner, Verb.REJECT)):
        review_decide(
            model=PageSkill,
            subject_id=skill.pk,
            organization=oree.organization,
            actor=actor,
            verb=verb,
            seen_digest=skill.digest,
            reason="Non.",
        )
    app.press(button)
    deliver_all()
    (told,) = slack.calls_of("chat.postEphemeral")
    assert str(oree.owner) in told["text"]


def test_a_rejection_of_what_was_approved_and_edited_since_is_refused(oree, skill, posted, app, slack):
    app.press(buttons_of(posted)["review_reject"])
    view = slack.calls_of("views.open")[0]["view"]
    app.submit(view, "Non.")
    PageSkill.objects.filter(pk=skill.pk).update(status=Status.PENDING_REVIEW, digest="e" * 64)
    assert app.submit(view, "Non.").json()["response_action"] == "update"
