"""Where an organization is told: saving it, connecting Slack and letting go of it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from moderation.models import Channels, SlackLink
from moderation.notifications.errors import DeliveryError
from moderation.notifications.public_http import wrong_address
from moderation.notifications.slack import slack_call, slack_client
from organizations.errors import ServiceError
from organizations.models import Membership, Organization, Role, User
from organizations.permissions import require_role

LONGEST_CHANNEL = 80
LONGEST_URL = 1000
TIMEOUT_S = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSettings:
    """What an administrator sets. A secret that is None stays as it is; an empty one is removed."""

    slack_channel: str
    email_on: bool
    slack_bot_token: str | None = None
    slack_signing_secret: str | None = None
    teams_url: str | None = None


@dataclass(frozen=True, slots=True)
class _Team:
    id: str
    name: str


def channels_of(organization: Organization) -> Channels:
    """Return where an organization is told; nothing but e-mail until somebody says so."""
    return Channels.objects.filter(organization=organization).first() or Channels(organization=organization)


def channels_update(*, organization: Organization, actor: User, settings: ChannelSettings) -> Channels:
    """Save the channels. A bot token that is typed is shown to Slack first, which says whose it is.

    Another signing secret takes an owner: whoever holds it can decide in the name of the members who linked their Slack
    account. Those who did have to do so again.

    Raises ``ServiceError``: ``invalid_channels`` (422) naming the fields, ``forbidden``/``not_found``.
    """
    require_role(actor, organization, Role.ADMIN)
    channels = channels_of(organization)
    if settings.slack_signing_secret not in (None, channels.slack_signing_secret):
        require_role(actor, organization, Role.OWNER)
    wrong = _wrong(channels, settings)
    team = None
    if settings.slack_bot_token and "slack_bot_token" not in wrong:
        try:
            team = _ask_whose(settings.slack_bot_token)
        except DeliveryError as error:
            wrong["slack_bot_token"] = _refusal(error)
    if wrong:
        raise ServiceError("invalid_channels", _("These channels cannot be saved."), status=422, fields=wrong)
    return _save(organization, settings, team)


@transaction.atomic
def slack_connect(*, organization: Organization, actor: User, bot_token: str, team_id: str, team_name: str) -> Channels:
    """Keep the token that Slack gave for a workspace; the channel to write in stays if the workspace does.

    Raises ``ServiceError``: ``invalid_channels`` (422) for an answer without a token or a workspace,
    ``forbidden``/``not_found``.
    """
    require_role(actor, organization, Role.ADMIN)
    if not bot_token or not team_id:
        raise ServiceError("invalid_channels", _("Slack gave no token for a workspace."), status=422)
    channels = _locked(organization)
    channels.slack_bot_token = bot_token
    _set_signing_secret(channels, "")
    if channels.slack_team_id != team_id:
        channels.slack_channel = ""
    _set_team(channels, _Team(team_id, team_name))
    channels.save()
    return channels


@transaction.atomic
def slack_disconnect(*, organization: Organization, actor: User) -> None:
    """Forget the workspace: its token, its channel, and who its users are."""
    require_role(actor, organization, Role.ADMIN)
    channels = _locked(organization)
    channels.slack_bot_token = channels.slack_signing_secret = channels.slack_channel = ""
    _set_team(channels, _Team("", ""))
    channels.save()


@transaction.atomic
def member_set_emails(*, membership: Membership, actor: User, wanted: bool) -> Membership:
    """Say whether a member gets e-mails about reviews: one's own, or anybody's for an administrator."""
    needed = Role.VIEWER if membership.user_id == actor.pk else Role.ADMIN
    require_role(actor, membership.organization, needed)
    membership.review_emails = wanted
    membership.save(update_fields=["review_emails"])
    return membership


@transaction.atomic
def _save(organization: Organization, settings: ChannelSettings, team: _Team | None) -> Channels:
    channels = _locked(organization)
    channels.slack_channel = settings.slack_channel.strip()
    channels.email_on = settings.email_on
    for secret in ("slack_bot_token", "teams_url"):
        value = getattr(settings, secret)
        if value is not None:
            setattr(channels, secret, value.strip())
    if settings.slack_signing_secret is not None:
        _set_signing_secret(channels, settings.slack_signing_secret.strip())
    if settings.slack_bot_token is not None:
        _set_team(channels, team or _Team("", ""))
    if not channels.slack_bot_token:
        _set_signing_secret(channels, "")
    channels.save()
    return channels


def _set_signing_secret(channels: Channels, secret: str) -> None:
    """Change who signs; whoever was linked trusted another one."""
    if channels.slack_signing_secret != secret:
        SlackLink.objects.filter(organization=channels.organization).delete()
    channels.slack_signing_secret = secret


def _set_team(channels: Channels, team: _Team) -> None:
    """Change the workspace; whoever was known in another one is not known in this one."""
    if channels.slack_team_id != team.id:
        SlackLink.objects.filter(organization=channels.organization).exclude(team_id=team.id).delete()
    channels.slack_team_id, channels.slack_team_name = team.id, team.name[:200]


def _locked(organization: Organization) -> Channels:
    Channels.objects.get_or_create(organization=organization)
    return Channels.objects.select_for_update().get(organization=organization)


def _ask_whose(token: str) -> _Team:
    answer = slack_call(slack_client(token.strip(), timeout_s=TIMEOUT_S).auth_test)
    if not answer.get("team_id"):
        raise DeliveryError("no team", permanent=True)
    return _Team(str(answer["team_id"]), str(answer.get("team") or ""))


def _refusal(error: DeliveryError) -> str:
    if error.permanent:
        return _("Slack refuses this token (%(code)s)") % {"code": error}
    return _("Slack does not answer now: try again in a moment")


def _wrong(channels: Channels, settings: ChannelSettings) -> dict[str, str]:
    wrong: dict[str, str] = {}
    token = channels.slack_bot_token if settings.slack_bot_token is None else settings.slack_bot_token
    channel = settings.slack_channel.strip()
    if len(channel) > LONGEST_CHANNEL:
        wrong["slack_channel"] = _("at most %(max)d characters") % {"max": LONGEST_CHANNEL}
    elif settings.slack_bot_token and not channel:
        wrong["slack_channel"] = _("say in which channel to write")
    if channel and not token:
        wrong["slack_bot_token"] = _("the channel needs a bot token")
    elif settings.slack_bot_token and not settings.slack_bot_token.strip().isascii():
        wrong["slack_bot_token"] = _("this is not a token")
    if settings.teams_url:
        url = settings.teams_url.strip()
        problem = wrong_address(url) if len(url) <= LONGEST_URL else _("this address is too long")
        if problem:
            wrong["teams_url"] = problem
    return wrong
