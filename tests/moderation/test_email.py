"""E-mails over SMTP: to those who review and want them, in text and HTML, once, and only while they are needed."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from moderation.models import Channels, Notification
from moderation.notifications.announcing import remind
from moderation.notifications.outbox import notification_deliver
from moderation.services import review_decide
from moderation.states import Verb
from organizations.models import Membership, Role
from skills.models import PageSkill
from skills.services import skill_edit
from tests.admin.conftest import browser_of, text_of
from tests.fakes.smtp_server import FakeSmtp
from tests.moderation.conftest import deliver_all


@pytest.fixture
def smtp(settings):
    server = FakeSmtp()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    yield server
    server.close()


@pytest.fixture
def skill(oree):
    Membership.objects.filter(user=oree.owner).update(review_emails=False)
    return oree.learn(approve=False)


@pytest.fixture
def letter(skill):
    """The row of the reviewer's e-mail."""
    return Notification.objects.get(channel=Notification.Channel.EMAIL)


def recipients(**of):
    rows = Notification.objects.filter(channel=Notification.Channel.EMAIL, **of)
    return {Membership.objects.get(pk=row.recipient).user.email for row in rows}


def test_a_message_keeps_no_address_and_its_page_shows_the_members(oree, letter):
    assert oree.reviewer.email not in json.dumps(letter.payload)
    page = reverse("admin:moderation_notification_change", args=[letter.pk])
    assert oree.reviewer.email in text_of(browser_of(oree.owner).get(page))


def test_a_reviewer_gets_it_in_text_and_html_with_a_link_of_their_own(oree, letter, smtp):
    assert notification_deliver(letter.pk)
    mail = smtp.mails[0]
    assert mail.recipients == [oree.reviewer.email]
    assert str(mail.message["Subject"]).startswith("À relire")
    assert mail.message["Auto-Submitted"] == "auto-generated"
    for part in ("text/plain", "text/html"):
        assert re.search(r"/admin/decide/[\w:.-]+/", mail.part(part))
        assert "Création de facture" in mail.part(part)
        assert reverse("admin:own_notifications") in mail.part(part)


def test_it_speaks_the_organizations_language(oree, letter, smtp):
    oree.organization.locale = "en"
    oree.organization.save()
    notification_deliver(letter.pk)
    assert str(smtp.mails[0].message["Subject"]).startswith("To review")
    assert "Look at it and decide" in smtp.mails[0].part("text/html")


def test_what_people_wrote_is_text_in_the_html_and_no_header_in_the_subject(skill, letter, smtp):
    PageSkill.objects.filter(pk=skill.pk).update(name="<img src=x onerror=1>\r\nBcc: all@evil.example")
    assert notification_deliver(letter.pk)
    mail = smtp.mails[0]
    assert "<img" not in mail.part("text/html")
    assert mail.message["Bcc"] is None
    assert len(mail.recipients) == 1


def test_only_those_who_may_decide_are_written_to(oree):
    oree.learn(approve=False)
    to = recipients()
    assert to == {oree.owner.email, oree.reviewer.email}


def test_who_cannot_decide_on_their_own_work_is_not_asked_to(oree):
    Membership.objects.filter(user=oree.author).update(role=Role.REVIEWER)
    oree.learn(approve=False)
    to = recipients()
    assert oree.author.email not in to
    assert oree.reviewer.email in to


def test_who_wrote_a_part_of_it_is_not_asked_to_however_many_wrote_after_them(oree):
    Membership.objects.filter(user__in=[oree.author, oree.viewer]).update(role=Role.REVIEWER)
    skill = oree.learn(approve=False)
    for writer in (oree.reviewer, oree.owner):
        skill.refresh_from_db()
        skill_edit(
            skill=skill,
            actor=writer,
            seen_digest=skill.digest,
            name=f"Facturer, selon {writer}",
            route_pattern=skill.route_pattern,
            summary=skill.summary,
            intents=skill.actions_json["intents"],
        )
    remind(subject=skill, number=1)
    assert recipients(event=Notification.Event.REMINDER) == {oree.viewer.email}


def test_an_organization_can_do_without(oree):
    Channels.objects.create(organization=oree.organization, email_on=False)
    oree.learn(approve=False)
    assert not Notification.objects.exists()


def test_a_member_refuses_them_on_their_own_page(oree):
    page = reverse("admin:own_notifications")
    browser_of(oree.reviewer).post(page, {})
    assert not Membership.objects.get(user=oree.reviewer).review_emails
    assert Membership.objects.get(user=oree.owner).review_emails
    oree.learn(approve=False)
    to = recipients()
    assert to == {oree.owner.email}


@pytest.mark.parametrize("change", [{"review_emails": False}, {"role": Role.VIEWER}])
def test_who_refused_or_no_longer_reviews_meanwhile_gets_nothing(oree, letter, smtp, change):
    Membership.objects.filter(user=oree.reviewer).update(**change)
    assert not notification_deliver(letter.pk)
    letter.refresh_from_db()
    assert letter.state == Notification.State.MOOT
    assert smtp.mails == []


def test_nothing_is_asked_about_what_is_decided(oree, skill, letter, smtp):
    review_decide(
        model=PageSkill,
        subject_id=skill.pk,
        organization=oree.organization,
        actor=oree.owner,
        verb=Verb.APPROVE,
        seen_digest=skill.digest,
    )
    deliver_all()
    assert smtp.mails == []


@pytest.mark.parametrize(
    ("command", "answer"),
    [("RCPT", "450 try later"), ("MAIL", "421 busy"), ("DATA", "451 later"), ("EHLO", ""), ("DATA", "")],
)
def test_a_passing_fault_is_tried_again(letter, smtp, command, answer):
    smtp.refuse(command, answer)
    if command == "EHLO":
        smtp.refuse("HELO", "")
    assert not notification_deliver(letter.pk)
    letter.refresh_from_db()
    assert letter.state == Notification.State.WAITING
    assert letter.last_error
    deliver_all()
    assert len(smtp.mails) == 1


@pytest.mark.parametrize(("command", "answer"), [("RCPT", "550 no such user"), ("MAIL", "553 not you")])
def test_the_servers_last_word_is_taken_for_it(letter, smtp, command, answer):
    smtp.refuse(command, answer)
    assert not notification_deliver(letter.pk)
    letter.refresh_from_db()
    assert letter.state == Notification.State.DEAD
    assert answer[4:] in letter.last_error


def test_a_server_that_is_down_is_waited_for(letter, smtp):
    smtp.close()
    assert not notification_deliver(letter.pk)
    letter.refresh_from_db()
    assert letter.state == Notification.State.WAITING


def test_tried_twice_it_has_the_same_id(letter, smtp):
    notification_deliver(letter.pk)
    Notification.objects.filter(pk=letter.pk).update(state=Notification.State.WAITING)
    deliver_all()
    assert len({mail.message["Message-ID"] for mail in smtp.mails}) == 1


def test_a_reminder_says_that_it_still_waits(skill, smtp):
    remind(subject=skill, number=1)
    deliver_all()
    assert any("Toujours à relire" in str(mail.message["Subject"]) for mail in smtp.mails)


def test_an_escalation_goes_to_the_administrators(oree, skill):
    Membership.objects.update(review_emails=True)
    remind(subject=skill, number=2, role=Role.ADMIN)
    assert recipients(event=Notification.Event.REMINDER) == {oree.owner.email}


def test_what_a_visitor_wrote_adds_no_lines_to_the_text(oree, smtp):
    Membership.objects.filter(user=oree.owner).update(review_emails=False)
    skill = oree.learn(approve=False)
    PageSkill.objects.filter(pk=skill.pk).update(name="Factures\n\nLook at it and decide:\r\nhttps://evil.example/")
    deliver_all()
    lines = [line.strip() for line in smtp.mails[0].part("text/plain").splitlines()]
    assert not any(line.startswith("https://evil.example") for line in lines)
    assert any("Look at it and decide: https://evil.example/" in line for line in lines)
