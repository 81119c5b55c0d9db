"""What an organization hides of its own, beside the personal data that is hidden for all: customer or file numbers."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import orjson
from django.db import transaction
from django.utils.translation import gettext as _

from engine.masking import ExtraPatternError, Rule, compile_extra, extra, mask, mask_counted
from organizations.errors import ServiceError
from organizations.models import MOST_MASKS, MaskChange, Organization, Role, User
from organizations.permissions import require_role

log = logging.getLogger(__name__)

LONGEST_NAME = 60
LONGEST_PATTERN = extra.LONGEST_PATTERN
LONGEST_EXAMPLE = 200

# What only somebody who thinks of regular expressions writes: taken to the letter, it would hide nothing.
_REGULAR_EXPRESSION = re.compile(r"\\[dwsbDWSB]|(?<!\\)(?:\{\d+(?:,\d*)?\}|\[\^?\w-\w|\(\?)|^\^")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMask:
    """One line of the list: what it hides, how that is written, and an example that it must hide."""

    name: str
    pattern: str
    example: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What is left of a text, and how many data were hidden in it."""

    text: str
    hidden: int


def masks_of(organization: Organization) -> list[OwnMask]:
    """Return the organization's masks, in their order."""
    return [OwnMask(**row) for row in organization.masks]


def mask_patterns(organization: Organization) -> list[str]:
    """Return the organization's patterns, in the form that both `compile_extra` read."""
    return [row["pattern"] for row in organization.masks]


def mask_rules(organization: Organization) -> tuple[Rule, ...]:
    """Return the organization's masks for `engine.masking.mask`. One that this release cannot read is logged and
    left out: what an older release accepted must not stop questions."""
    return _rules(tuple(mask_patterns(organization)))


def masks_digest(organization: Organization) -> str:
    """Return what `masks_replace` compares to tell whether the list is still the one that somebody looked at."""
    return hashlib.sha256(orjson.dumps(organization.masks, option=orjson.OPT_SORT_KEYS)).hexdigest()


@transaction.atomic
def masks_replace(
    *, organization: Organization, actor: User, masks: Sequence[OwnMask], seen_digest: str
) -> Organization:
    """Put `masks` in the place of the organization's list, and keep who did it and what the list was before.

    Applies to what is received from then on. Raises ``ServiceError``: ``invalid_masks`` (422) naming the fields as
    ``masks[0].pattern``, ``changed_since`` (409) when somebody else changed the list meanwhile,
    ``forbidden``/``not_found``.
    """
    require_role(actor, organization, Role.ADMIN)
    cleaned = [
        OwnMask(name=row.name.strip(), pattern=row.pattern.strip(), example=row.example.strip()) for row in masks
    ]
    wrong = masks_wrong(cleaned)
    if wrong:
        raise ServiceError("invalid_masks", _("These masks cannot be saved."), status=422, fields=wrong)
    current = Organization.objects.select_for_update().get(pk=organization.pk)
    if masks_digest(current) != seen_digest:
        raise ServiceError(
            "changed_since",
            _("Somebody changed this list since you opened it. Open it again and make your changes there."),
            status=409,
        )
    after = [asdict(row) for row in cleaned]
    if after != current.masks:
        MaskChange.objects.create(
            organization=current, actor=actor, before=_audited(current.masks), after=_audited(after)
        )
        current.masks = after
        current.save(update_fields=["masks"])
    organization.masks = after
    return organization


def masks_wrong(masks: Sequence[OwnMask]) -> dict[str, str]:
    """Return what is wrong with each field (``masks[0].pattern``), in words for the person who typed it."""
    wrong: dict[str, str] = {}
    if len(masks) > MOST_MASKS:
        wrong["masks"] = _("at most %(max)d masks are possible: remove some") % {"max": MOST_MASKS}
    seen: set[str] = set()
    for index, row in enumerate(masks):
        where = f"masks[{index}]"
        if not row.name:
            wrong[f"{where}.name"] = _("say what it hides, such as “Customer number”")
        elif len(row.name) > LONGEST_NAME:
            wrong[f"{where}.name"] = _("at most %(max)d characters are accepted") % {"max": LONGEST_NAME}
        pattern_wrong = _pattern_wrong(row.pattern)
        if not pattern_wrong and row.pattern.casefold() in seen:
            pattern_wrong = _("this pattern is already in the list")
        if pattern_wrong:
            wrong[f"{where}.pattern"] = pattern_wrong
        example_wrong = _example_wrong(row, is_usable=not pattern_wrong)
        if example_wrong:
            wrong[f"{where}.example"] = example_wrong
        seen.add(row.pattern.casefold())
    return wrong


def masks_try(masks: Sequence[OwnMask], text: str) -> Tried:
    """Return what becomes of `text` under these masks and those of all; masks that cannot be used are left out."""
    rules = [rule for row in masks if not _pattern_wrong(row.pattern) for rule in compile_extra([row.pattern])]
    return Tried(*mask_counted(text, rules))


def last_change(organization: Organization) -> MaskChange | None:
    """Return who changed the list last, or None when nobody has."""
    return MaskChange.objects.filter(organization=organization).select_related("actor").order_by("-id").first()


def _pattern_wrong(pattern: str) -> str:
    if len(pattern) <= LONGEST_PATTERN and _REGULAR_EXPRESSION.search(pattern):
        return _(
            "this looks like a regular expression. Those are not accepted: some take for ever on certain texts, and "
            "masks run in your users' pages. Write # for a digit, ? for a letter, * for several of them"
        )
    try:
        compile_extra([pattern])
    except ExtraPatternError as error:
        return _refusal(error.code)
    return ""


def _refusal(code: str) -> str:
    match code:
        case "empty":
            return _("write a pattern, such as CLI-####, or remove the row")
        case "too_long":
            return _("at most %(max)d characters are accepted") % {"max": LONGEST_PATTERN}
        case "bad_escape":
            return _("a backslash makes the next character plain: there is none after the last one")
        case "open_star":
            return _(
                "after * there must be a space, a separator such as - or /, or the end. Before a letter, a digit or "
                "another sign it would have to try every length, which gets slow"
            )
        case _:
            return _(
                "this is too broad: it would also hide ordinary words and numbers. Write at least three fixed "
                "characters, or six # or ?, or some of both, such as AB-##"
            )


def _example_wrong(row: OwnMask, *, is_usable: bool) -> str:
    if len(row.example) > LONGEST_EXAMPLE:
        return _("at most %(max)d characters are accepted") % {"max": LONGEST_EXAMPLE}
    if row.example and is_usable:
        (rule,) = compile_extra([row.pattern])
        if mask(row.example, [rule]).count(rule.token) <= row.example.count(rule.token):
            return _("the pattern does not hide this example: change one or the other")
    return ""


@lru_cache(maxsize=512)
def _rules(patterns: tuple[str, ...]) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for pattern in patterns:
        try:
            rules += compile_extra([pattern])
        except ExtraPatternError as error:
            log.error("a mask is not applied, this release cannot read it: %s", error.code)
    return tuple(rules)


def _audited(masks: list[dict[str, str]]) -> list[dict[str, str]]:
    """Examples may be somebody's data: they are not kept longer than the mask is."""
    return [{"name": row["name"], "pattern": row["pattern"]} for row in masks]
