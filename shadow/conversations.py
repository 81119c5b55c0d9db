"""Léa in the chat of this server: each conversation is a row, and a sentence is answered in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from django.db import transaction

from organizations.models import Organization, Role, User
from organizations.permissions import require_role
from shadow.conversation.in_process import InProcessGateway
from shadow.conversation.lea import reply
from shadow.conversation.sentences import Locale
from shadow.conversation.talk import Answered, Memory, Place, Reply, Talk
from shadow.models import Conversation


def conversation_speak(
    *,
    organization: Organization,
    member: User,
    key: str,
    text: str,
    locale: Locale,
    place: Place,
    answer: Callable[[str], Answered],
) -> Reply:
    """Answer a member's sentence and remember where the conversation stands.

    Of two sentences at once the second waits for the first. ``locale`` is the language to begin in; later the
    conversation keeps its own. ``answer`` answers a question about the application, outside of the transaction: a
    worker may have to be waited for. Raises ``ServiceError`` (``forbidden``).
    """
    require_role(member, organization, Role.AUTHOR)
    asked: list[str] = []

    def later(question: str) -> Answered:
        asked.append(question)
        return Answered("")

    with transaction.atomic():
        Conversation.objects.get_or_create(
            organization=organization, member=member, key=key, defaults={"data": Memory(locale=locale).to_json()}
        )
        row = Conversation.objects.select_for_update(of=("self",), no_key=True).get(
            organization=organization, member=member, key=key
        )
        memory = Memory.from_json(row.data)
        said = reply(Talk(InProcessGateway(organization, member), memory, place, later, reads_out=False), text)
        row.data = memory.to_json()
        row.save(update_fields=["data", "spoken_at"])
    if not asked:
        return said
    answered = answer(asked[0])
    return replace(said, text=answered.text, tour=answered.tour, choices=answered.choices)
