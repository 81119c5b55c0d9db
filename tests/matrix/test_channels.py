"""Every button of a Slack message, every button of an approval link and of the desk × everybody who may press it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from moderation.links.tokens import approval_token
from moderation.models import Decision, Reviewable, SlackLink
from moderation.notifications.message import message_of, standing_of
from moderation.notifications.slack_blocks import REJECT, review_blocks
from moderation.registry import kind_of, kinds
from moderation.states import Status
from organizations.models import Membership
from organizations.scoping import every_tenant, tenant_scope
from tests.admin.conftest import Browser
from tests.fakes.slack_server import TEAM, FakeSlack
from tests.matrix.doors import forms_of
from tests.matrix.world import World
from tests.moderation.conftest import PRESSER, SECRET, SlackApp, buttons_of, connect_slack

pytestmark = pytest.mark.django_db

DECIDE = {"owner", "reviewer"}
EVERYBODY = ("owner", "reviewer", "author", "viewer", "visiting", "stranger", "nobody")


@pytest.fixture
def slack(settings: Any) -> Iterator[FakeSlack]:
    server = FakeSlack()
    settings.SLACK_API_URL, settings.SLACK_SIGNING_SECRET = server.base_url, SECRET
    yield server
    server.close()


@contextmanager
def undone(world: World) -> Iterator[None]:
    """Inside the organization; what happens is put back."""
    with transaction.atomic(), tenant_scope(world.tenant.organization.pk):
        yield
        transaction.set_rollback(True)


def waiting(world: World) -> list[Reviewable]:
    """Return something of each kind that waits for a review, made by none of those who press."""
    with tenant_scope(world.tenant.organization.pk):
        found = []
        for kind in kinds():
            manager: Any = kind.model._default_manager
            found.append(manager.filter(status=Status.PENDING_REVIEW).select_related("organization").first())
    assert all(found)
    return found


def pick_of(subject: Reviewable) -> str:
    return f"{kind_of(subject).name}:{subject.pk}:{subject.digest}"


def decided(press: Callable[[], Any]) -> bool:
    """Press, and tell whether that made a decision."""
    before = Decision.objects.count()
    press()
    return Decision.objects.count() > before


def known_in_slack(world: World, who: str) -> None:
    """Make the Slack user who presses known as this person, where they are a member; nobody is known as nobody."""
    person = world.people.get(who)
    with every_tenant():
        SlackLink.objects.all().delete()
        for member in Membership.objects.filter(user=person or world.stranger.owner if who != "nobody" else None):
            SlackLink.objects.create(
                organization=member.organization, membership=member, team_id=TEAM, slack_user_id=PRESSER
            )


def press_in_slack(app: SlackApp, slack: FakeSlack, button: dict[str, Any]) -> None:
    """Press a button; where it opens the window for a reason, give one."""
    opened = len(slack.calls_of("views.open"))
    app.press(button)
    for asked in slack.calls_of("views.open")[opened:]:
        app.submit(asked["view"], "essai")


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_button_in_slack_decides_for_who_may_decide_and_for_nobody_else(
    world: World, slack: FakeSlack, who: str
) -> None:
    app = SlackApp(Browser())
    for subject in waiting(world):
        with tenant_scope(world.tenant.organization.pk):
            standing = standing_of(kind_of(subject).name, subject.pk, world.tenant.organization)
            assert standing is not None
            buttons = buttons_of({"blocks": review_blocks(standing)})
        assert REJECT in buttons
        for action, button in buttons.items():
            with undone(world):
                connect_slack(world.tenant, slack_signing_secret="")
                known_in_slack(world, who)
                made = decided(lambda button=button: press_in_slack(app, slack, button))  # type: ignore[misc]
            assert made == (who in DECIDE and "value" in button), (str(subject), action)


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("recipient", ["reviewer", "author"])
def test_a_link_decides_for_the_member_it_was_sent_to_if_they_may_decide(
    world: World, who: str, recipient: str
) -> None:
    for subject in waiting(world):
        with undone(world):
            member = Membership.objects.get(user=world.people[recipient], organization=world.tenant.organization)
            url = reverse("admin:decide", args=[approval_token(message_of(subject), member)])
        buttons = forms_of(world.browsers[recipient].get(url).content.decode(), url)
        pressed = [form for form in buttons if form.action == url]
        assert {dict(form.fields)["do"] for form in pressed} == {"approve", "reject", "request_changes"}
        for form in pressed:
            with undone(world):
                made = decided(lambda form=form: world.browsers[who].post(form.action, form.data()))  # type: ignore[misc]
            assert made == (who == recipient and who in DECIDE), str(form)


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_row_or_a_selection_of_the_inbox_decides_for_who_may_decide_and_for_nobody_else(
    world: World, who: str
) -> None:
    for subject in waiting(world):
        for name, more in (("inbox_decide", {}), ("inbox_selected", {"confirmed": "yes"})):
            for verb in ("approve", "reject", "request_changes"):
                data = {"pick": pick_of(subject), "do": verb, "reason": "essai", **more}
                url = reverse(f"admin:{name}")
                with undone(world):
                    made = decided(lambda url=url, data=data: world.browsers[who].post(url, data))  # type: ignore[misc]
                assert made == (who in DECIDE), (name, verb)
