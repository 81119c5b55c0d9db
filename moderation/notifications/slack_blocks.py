"""Slack's Block Kit: how a subject and its outcome look there. Everything people or models wrote is escaped."""

from __future__ import annotations

import json
import re
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from moderation.notifications.message import Message, Outcome, Standing
from moderation.states import Verb

# Block Kit refuses longer texts: 150 characters in a header, 3,000 in a section, 75 on a button.
HEADER_MAX = 150
SECTION_MAX = 2900
BUTTON_MAX = 75
# In one block of actions.
MOST_BUTTONS = 25
APPROVE = "review_approve"
REJECT = "review_reject"
OPEN = "review_open"
LINK = "slack_link"
REASON_VIEW = "review_reject_reason"
REASON = "reason"
REASON_MAX = 1000

_HALF_AN_ENTITY = re.compile(r"&[a-z]{0,3}$")

Block = dict[str, Any]
Blocks = list[Block]


def review_blocks(now: Standing, *, reminder: bool = False) -> Blocks:
    """Return the message about a subject: with buttons as long as it waits, with what became of it afterwards."""
    message = now.message
    heading = _still_waits(message) if reminder else _to_review(message)
    blocks: Blocks = [
        {"type": "header", "text": plain((heading if now.open else message.title)[:HEADER_MAX])},
        _context("  ·  ".join(part for part in (message.kind_label, message.page) if part) or "–"),
    ]
    if message.question:
        blocks.append(section("> " + escape(message.question)))
    lines = "\n".join(f"{number}. {escape(line)}" for number, line in enumerate(message.lines, start=1))
    if lines:
        blocks.append(section(lines))
    if now.outcome is not None:
        blocks.append(section(_outcome_text(now.outcome)))
    elif not now.open:
        blocks.append(section(_("This no longer waits for a review.")))
    decides: tuple[str, ...] = (APPROVE, REJECT) if now.open else ()
    if now.open and len(lines) > SECTION_MAX:
        decides = (REJECT,)
        blocks.append(_context(_("Too long to be shown whole here: open it to approve it.")))
    blocks.append({"type": "actions", "elements": _buttons(message, *decides)})
    return blocks


def fallback_text(now: Standing) -> str:
    """Return what notifications and screen readers say of the message."""
    if now.open or now.outcome is None:
        return escape(_to_review(now.message))
    return escape(f"{now.message.title} — {_done(now.outcome)}")


def list_blocks(messages: list[Message], more: str) -> Blocks:
    """Return what waits, a line and its buttons each; ``more`` says how many there are besides, if any.

    A line is not what one approves: for that there is the message, and the review that *Open* leads to.
    """
    blocks: Blocks = [{"type": "header", "text": plain(_("To review"))}]
    for message in messages:
        about = f"*<{message.url}|{escape(message.title)}>*\n{escape(message.kind_label)}  ·  {escape(message.page)}"
        if message.question:
            about += f"\n> {escape(message.question)}"
        blocks.append(section(about))
        blocks.append({"type": "actions", "elements": _buttons(message, REJECT)})
    if more:
        blocks.append(_context(_("%(n)s more in the administration.") % {"n": more}))
    return blocks


def links_blocks(text: str, links: list[tuple[str, str]]) -> Blocks:
    """Return an answer with a button for each label and address."""
    shown = enumerate(links[:MOST_BUTTONS])
    buttons = [_link_button(label[:BUTTON_MAX], url, f"{LINK}_{number}") for number, (label, url) in shown]
    return [section(escape(text)), {"type": "actions", "elements": buttons}]


def reply_blocks(payload: dict[str, Any]) -> Blocks:
    """Return an answer to one member; ``url`` and ``button`` where there is something to open."""
    blocks: Blocks = [section(escape(payload["title"]))]
    if payload.get("url"):
        blocks.append({"type": "actions", "elements": [_link_button(payload["button"], payload["url"], LINK)]})
    return blocks


def reason_view(message: Message, metadata: str) -> dict[str, Any]:
    """Return the window that asks why something is rejected."""
    return {
        "type": "modal",
        "callback_id": REASON_VIEW,
        "private_metadata": metadata,
        "title": plain(pgettext("button", "Reject")),
        "submit": plain(pgettext("button", "Reject")),
        "close": plain(_("Cancel")),
        "blocks": [
            section(f"*{escape(message.title)}*"),
            {
                "type": "input",
                "block_id": REASON,
                "label": plain(_("Why")),
                "hint": plain(_("Whoever made it reads this, and so does Circuy.")),
                "element": {
                    "type": "plain_text_input",
                    "action_id": REASON,
                    "multiline": True,
                    "max_length": REASON_MAX,
                },
            },
        ],
    }


def refusal_view(text: str) -> dict[str, Any]:
    """Return the window that says why a rejection was not made."""
    return {"type": "modal", "title": plain("Circuy"), "close": plain(_("Close")), "blocks": [section(escape(text))]}


def subject_value(message: Message) -> str:
    """Return what a button carries: which version of what it decides on."""
    return json.dumps([message.kind, message.subject_id, message.digest], separators=(",", ":"))


def escape(text: str) -> str:
    """Keep what people and models wrote from being read as Slack's markup (``<!channel>`` rings everyone)."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", " ")


def plain(text: str) -> Block:
    return {"type": "plain_text", "text": text}


def section(text: str) -> Block:
    return {"type": "section", "text": _mrkdwn(text)}


def _context(text: str) -> Block:
    return {"type": "context", "elements": [_mrkdwn(escape(text))]}


def _mrkdwn(text: str) -> Block:
    """Text with Slack's markup, cut where Slack would refuse it; ``verbatim``: addresses and names in it stay words."""
    if len(text) > SECTION_MAX:
        text = _HALF_AN_ENTITY.sub("", text[:SECTION_MAX]) + "…"
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def _to_review(message: Message) -> str:
    return _("To review: %(title)s") % {"title": message.title}


def _still_waits(message: Message) -> str:
    return _("Still to review: %(title)s") % {"title": message.title}


def _buttons(message: Message, *decides: str) -> list[Block]:
    """Return the buttons that decide, as they are named, and the one that opens the review."""
    known = {APPROVE: ("primary", pgettext("button", "Approve")), REJECT: ("danger", pgettext("button", "Reject"))}
    value = subject_value(message)
    buttons = [
        {"type": "button", "style": known[name][0], "text": plain(known[name][1]), "action_id": name, "value": value}
        for name in decides
    ]
    return [*buttons, _link_button(_("Open"), message.url, OPEN)]


def _link_button(label: str, url: str, action_id: str) -> Block:
    return {"type": "button", "text": plain(label), "url": url, "action_id": action_id}


def _outcome_text(outcome: Outcome) -> str:
    when = date_format(timezone.localtime(outcome.when), "SHORT_DATETIME_FORMAT")
    text = f"*{escape(_done(outcome))}*  ·  {when}"
    return f"{text}\n> {escape(outcome.reason)}" if outcome.reason else text


def _done(outcome: Outcome) -> str:
    said = {
        Verb.APPROVE: _("Approved by %(who)s"),
        Verb.AGREE: _("First approval by %(who)s: a second person has to agree"),
        Verb.REJECT: _("Rejected by %(who)s"),
        Verb.REQUEST_CHANGES: _("Sent back by %(who)s"),
        Verb.EXPIRE: _("Out of date"),
        Verb.LAPSE: _("Out of date: nobody decided in time"),
    }
    return said.get(outcome.verb, _("Taken out of the inbox by %(who)s")) % {"who": outcome.who}
