"""The own words of an organization: what its people say for what the pages call otherwise, one goal a line."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

import orjson
from django.db import transaction
from django.utils.translation import gettext as _

from organizations.errors import ServiceError
from organizations.models import MOST_WORD_GROUPS, LexiconChange, Organization, Role, User
from organizations.permissions import require_role

MOST_WORDS = 12
LONGEST_WORD = 60
LONGEST_LEXICON = 40_000
_MOST_REFUSALS_SHOWN = 5

_BETWEEN = re.compile(r"\s*[,;=]\s*")

WordGroups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class LexiconRead:
    """What a text says, and what is wrong with it: a sentence for each line that cannot be kept."""

    groups: WordGroups
    wrong: tuple[str, ...]


def house_words(organization: Organization) -> WordGroups:
    """Return the organization's own words for `engine.types.Page`: groups of words that mean the same."""
    return tuple(tuple(words) for words in organization.lexicon)


def lexicon_text(organization: Organization) -> str:
    """Return the own words as they are edited: a line a group."""
    return "\n".join(", ".join(words) for words in organization.lexicon)


def lexicon_digest(organization: Organization) -> str:
    """Return what `lexicon_replace` compares to tell whether the words are still those that somebody looked at."""
    return hashlib.sha256(orjson.dumps(organization.lexicon)).hexdigest()


def lexicon_read(text: str) -> LexiconRead:
    """Read one goal a line, its words between commas or =. Empty lines are left out, and a word said twice in its line
    counts once."""
    groups: list[tuple[str, ...]] = []
    wrong: list[str] = []
    line_of: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        words = list({_folded(word): word for word in reversed(_words(line))}.values())[::-1]
        if not words:
            continue
        refusal = _line_wrong(words) or _said_before(words, line_of)
        if refusal:
            wrong.append(_("Line %(number)d: %(refusal)s.") % {"number": number, "refusal": refusal})
            continue
        line_of |= {_folded(word): number for word in words}
        groups.append(tuple(words))
    if len(groups) > MOST_WORD_GROUPS:
        wrong.append(_("At most %(max)d lines are possible: remove some.") % {"max": MOST_WORD_GROUPS})
    return LexiconRead(tuple(groups), tuple(wrong))


@transaction.atomic
def lexicon_replace(*, organization: Organization, actor: User, text: str, seen_digest: str) -> Organization:
    """Put the words of `text` in the place of the organization's, and keep who did it and what they were before.

    Counts for the next question. Raises ``ServiceError``: ``invalid_lexicon`` (422) naming ``words``,
    ``changed_since`` (409) when somebody else changed them meanwhile, ``forbidden``/``not_found``.
    """
    require_role(actor, organization, Role.ADMIN)
    if len(text) > LONGEST_LEXICON:
        raise _invalid(_("At most %(max)d characters are accepted.") % {"max": LONGEST_LEXICON})
    read = lexicon_read(text)
    if read.wrong:
        raise _invalid(" ".join(read.wrong[:_MOST_REFUSALS_SHOWN]))
    current = Organization.objects.select_for_update().get(pk=organization.pk)
    if lexicon_digest(current) != seen_digest:
        raise ServiceError(
            "changed_since",
            _("Somebody changed these words since you opened them. Open them again and make your changes there."),
            status=409,
        )
    after = [list(words) for words in read.groups]
    if after != current.lexicon:
        LexiconChange.objects.create(organization=current, actor=actor, before=current.lexicon, after=after)
        current.lexicon = after
        current.save(update_fields=["lexicon"])
    organization.lexicon = after
    return organization


def last_lexicon_change(organization: Organization) -> LexiconChange | None:
    """Return who changed the words last, or None when nobody has."""
    return LexiconChange.objects.filter(organization=organization).select_related("actor").order_by("-id").first()


def _invalid(detail: str) -> ServiceError:
    return ServiceError("invalid_lexicon", _("These words cannot be saved."), status=422, fields={"words": detail})


def _words(line: str) -> list[str]:
    visible = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in line)
    return [" ".join(word.split()) for word in _BETWEEN.split(visible) if word.strip()]


def _line_wrong(words: list[str]) -> str:
    if len(words) < 2:
        return _("write at least two words that mean the same, with a comma between them")
    if len(words) > MOST_WORDS:
        return _("at most %(max)d words are possible") % {"max": MOST_WORDS}
    for word in words:
        if len(word) > LONGEST_WORD:
            return _("“%(word)s…” is longer than %(max)d characters") % {"word": word[:20], "max": LONGEST_WORD}
        if not any(char.isalnum() for char in word):
            return _("“%(word)s” is no word") % {"word": word}
    return ""


def _said_before(words: list[str], line_of: dict[str, int]) -> str:
    """A word that means two things would be answered by chance."""
    for word in words:
        if known := line_of.get(_folded(word)):
            return _("“%(word)s” is on line %(other)d already: put what means the same on one line") % {
                "word": word,
                "other": known,
            }
    return ""


def _folded(word: str) -> str:
    return word.casefold()
