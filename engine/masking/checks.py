"""What a pattern cannot say: check digits, lengths by country, groupings. A check returns where the datum starts and
ends, or None when the match is no datum. Positions are those of a folded text."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from engine.masking.email import email
from engine.masking.surroundings import beside_name
from engine.masking.table import TABLE, expanded

Bounds = tuple[int, int]

_NOT_DIGIT = re.compile(r"[^0-9]")
_GROUP = re.compile(r"[0-9]+")
_ACCOUNT_LENGTHS = {country: int(length) for country, length in re.findall("([A-Z]{2})([0-9]{2})", TABLE["iban"])}
_CARD_GROUPINGS = frozenset(["4444", "44443", "44442", "44441", "4443", "4442", "4441", "465", "464"])
_EPOCH = re.compile("1(?:[0-9]{12}|[0-9]{15}|[0-9]{18})")
_DATE_AND_TIME = re.compile(
    "(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])(?:[01][0-9]|2[0-3])(?:[0-5][0-9]){1,2}(?:[0-9]{3})?"
)
_PAIR_AFTER = re.compile("[ ._/-]{1,3}[0-9]{2}(?![0-9])")
_PAIR_BEFORE = re.compile("[0-9]{2}[ ._/-]{1,3}$")
# The middle of 06 12 34 00 77; the end of a time, 10:00.
_INSIDE_PAIRS = re.compile("[0-9](?:[ ._/-]{1,3}|[:h])00[ .-]$")
_OPENING_HOURS = re.compile(r"[0-2][0-9]\.[0-5][0-9] ?- ?[0-2][0-9]\.[0-5][0-9]")
_SHORT_DATE = re.compile(r"(?:^|[^0-9])(?:[0-2][0-9]|3[01])([./-])(?:0[1-9]|1[0-2])\1[0-9]{2}(?![0-9])")
_LOOSE_DATE = re.compile(expanded("{short}"))
_DATES = re.compile(
    r"[0-3][0-9]([./-])[01][0-9]\1[0-9]{2}[ ._/-]{1,3}[0-3][0-9]\1[01][0-9]\1[0-9]"
    r"|[0-3][0-9]/[01][0-9] ?- ?[0-3][0-9]/[01][0-9]/[0-9]"
)
_NEXT_DATE = re.compile(r"([./-])[01][0-9]\1(?:19|20)?[0-9]{2}(?![0-9])")
_TIME_OR_AMOUNT = re.compile(
    r"[:h][0-9]|[.,][0-9]{1,3}(?![0-9])|(?:[.,][0-9]{1,2})? ?(?:[€$£¥%]|(?:EUR|USD|GBP|CHF|[Ee]uros?)(?![A-Za-z]))"
)
_FOUR_AT_END = re.compile("[0-9]{4}$")
_YEAR_AFTER_AREA = re.compile("0[0-9]+/(?:19|20)[0-9]{2}(?![0-9])")
_THOUSANDS = re.compile("[1-9][0-9]?(?: [0-9]{3})+")
_REGISTER_AFTER = re.compile(r" ?R\.?C\.?S")
_BIRTH_YEAR = re.compile("19[0-9]{2}|200[0-9]")


def _digits(text: str) -> str:
    return _NOT_DIGIT.sub("", text)


def _luhn(digits: str) -> bool:
    total = 0
    for index, char in enumerate(reversed(digits)):
        value = int(char) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _end_after(text: str, start: int, end: int, count: int, kept: re.Pattern[str]) -> int | None:
    """Where the `count`-th character of class `kept` ends."""
    for position in range(start, end):
        if kept.match(text[position]):
            count -= 1
            if count == 0:
                return position + 1
    return None


def _end_of_number(text: str, start: int, end: int, fewest: int, most: int) -> int | None:
    """The last place where `fewest` to `most` digits have passed and a group of digits ends."""
    count, last = 0, None
    for position in range(start, end):
        if "0" <= text[position] <= "9":
            count += 1
            if fewest <= count <= most and not "0" <= text[position + 1 : position + 2] <= "9":
                last = position + 1
    return last


def _iban(text: str, start: int, end: int) -> Bounds | None:
    length = _ACCOUNT_LENGTHS.get(text[start : start + 2].upper())
    stop = length and _end_after(text, start, end, length, re.compile("[0-9A-Za-z]"))
    if not stop:
        return None
    compact = re.sub("[^0-9A-Z]", "", text[start:stop].upper())
    number = "".join(str(int(char, 36)) for char in compact[4:] + compact[:4])
    return (start, stop) if int(number) % 97 == 1 else None


def _card(text: str, start: int, end: int) -> Bounds | None:
    digits = text[start:end]
    possible = len(digits) >= 15 or digits[0] == ("4" if len(digits) == 13 else "3")
    return (start, end) if possible and _luhn(digits) else None


def _card_grouped(text: str, start: int, end: int) -> Bounds | None:
    groups = [(len(group[0]), group.end()) for group in _GROUP.finditer(text, start, end)]
    for count in range(len(groups), 2, -1):
        stop = groups[count - 1][1]
        fits = "".join(str(length) for length, _ in groups[:count]) in _CARD_GROUPINGS
        if fits and not "0" <= text[stop : stop + 1] <= "9" and _luhn(_digits(text[start:stop])):
            return start, stop
    return None


def _nir(text: str, start: int, end: int) -> Bounds | None:
    """With a right key; or in its usual groups, with a month and without a right key."""
    compact = re.sub("[^0-9AB]", "", text[start:end].upper())
    number = int(compact[:13].replace("2A", "19").replace("2B", "18"))
    if len(compact) == 15 and 97 - number % 97 == int(compact[13:]):
        return start, end
    grouped = re.match(r".([ .-])..\1(?:0[1-9]|1[0-2])\1..\1...\1...", text[start:end])
    return (start, end) if grouped else None


def _siret(text: str, start: int, end: int) -> Bounds | None:
    digits = _digits(text[start:end])
    # La Poste numbers its many offices by another rule.
    post_office = digits.startswith("356000000") and sum(map(int, digits)) % 5 == 0
    moment = len(digits) == end - start and _DATE_AND_TIME.fullmatch(digits)
    return (start, end) if (_luhn(digits) or post_office) and not moment else None


def _siren(text: str, start: int, end: int) -> Bounds | None:
    """Without the word SIREN before: only in groups of three that no longer number goes on from, or before "RCS"."""
    datum = text[start:end]
    if not _luhn(_digits(datum)):
        return None
    if _REGISTER_AFTER.match(text, end):
        return start, end
    alone = not re.search("[0-9] $", text[max(start - 2, 0) : start]) and not re.match(" [0-9]", text[end : end + 2])
    return (start, end) if alone and re.fullmatch("[0-9]{3} [0-9]{3} [0-9]{3}", datum) else None


def _named(text: str, start: int, end: int) -> Bounds | None:
    """A date beside a name is taken for a date of birth when nobody would still be shown orders of that year."""
    old = _BIRTH_YEAR.search(text[start:end])
    return _date(text, start, end) if old and beside_name(text, start, end) else None


def _date(text: str, start: int, end: int) -> Bounds | None:
    """Not the middle of 06-12-34-10-76."""
    return None if re.search("[0-9][./-]$", text[max(start - 2, 0) : start]) else (start, end)


def _vat(text: str, start: int, end: int) -> Bounds | None:
    if not text.startswith("FR", start):
        return start, end
    compact = re.sub("[ .-]", "", text[start + 2 : end])
    key, company = compact[:2], compact[2:]
    right = key.isdecimal() and int(key) == (12 + 3 * (int(company) % 97)) % 97
    return (start, end) if right or _luhn(company) else None


def _ipv4(text: str, start: int, end: int) -> Bounds | None:
    """Four bytes. 1.2.3.4 and the like are versions and sections far more often than anyone's address."""
    parts = text[start:end].split(".")
    valid = all(int(part) < 256 and (part == "0" or part[0] != "0") for part in parts)
    goes_on = re.match(r"\.[0-9]", text[end : end + 2])
    return (start, end) if valid and not goes_on and any(len(part) > 1 for part in parts) else None


def _ipv6(text: str, start: int, end: int) -> Bounds | None:
    datum = text[start:end]
    groups, shortened = datum.count(":") + 1, datum.count("::")
    complete = groups == 8 and shortened == 0 and not datum.endswith(":")
    return (start, end) if complete or (shortened == 1 and ":::" not in datum) else None


def _phone_international(text: str, start: int, end: int) -> Bounds | None:
    prefix = 0 if text[start] == "+" else 2
    if _INSIDE_PAIRS.search(text[max(start - 4, 0) : start + 3]):
        return None
    digits = _digits(text[start:end])[prefix:]
    for country, length in TABLE["phones"].items():
        if digits.startswith(country):
            exact = prefix + length + (digits[len(country)] == "0")
            stop = _end_of_number(text, start, end, exact, exact)
            if stop:
                return start, stop
    if _has_slash_date(text[start:end]):
        return None
    stop = _end_of_number(text, start, end, prefix + 8, prefix + 15)
    return (start, stop) if stop else None


def _has_slash_date(datum: str) -> bool:
    date = _SHORT_DATE.search(datum)
    return date is not None and date[1] == "/"


def _phone_fr(text: str, start: int, end: int) -> Bounds | None:
    """Not the days of a calendar, nor opening hours, nor dates, a date and a time, or a date and an amount."""
    datum = text[start:end]
    digits = _digits(datum)
    pairs = [int(digits[index : index + 2]) for index in range(0, 10, 2)]
    more_after = _PAIR_AFTER.match(text, end)
    more = more_after or _PAIR_BEFORE.search(text[max(start - 5, 0) : start])
    if more and pairs == list(range(pairs[0], pairs[0] + 5)):
        return None
    if more_after and _OPENING_HOURS.match(datum):
        return None
    if _SHORT_DATE.search(datum) and (
        _TIME_OR_AMOUNT.match(text, end) or (_has_slash_date(datum) and _FOUR_AT_END.search(datum))
    ):
        return None
    return None if _DATES.match(text, start) or _NEXT_DATE.match(text, end) else (start, end)


def _phone_fr_bare(text: str, start: int, end: int) -> Bounds | None:
    """33 6 12 34 56 78, but not in the midst of other pairs."""
    more = _PAIR_AFTER.match(text, end) or _PAIR_BEFORE.search(text[max(start - 5, 0) : start])
    return None if more else (start, end)


def _phone_national(text: str, start: int, end: int) -> Bounds | None:
    """9 to 11 digits in groups, not all pairs. One kind of separator parts them; after an area code of three digits or
    more, or in 02/123.45.67, it may be any."""
    groups = list(_GROUP.finditer(text, start, end))
    lengths = [len(group[0]) for group in groups]
    if all(length == 2 for length in lengths):
        return None
    free = lengths[0] > 2 or lengths[:4] == [2, 3, 2, 2]
    separators = [text[left.end() : right.start()] for left, right in pairwise(groups)]
    if separators[0] == "/" and (not free or _YEAR_AFTER_AREA.match(text, start)):
        return None
    same = next((index for index, separator in enumerate(separators) if separator != separators[0]), len(separators))
    stop = _end_of_number(text, start, end if free else groups[same].end(), 9, 11)
    return (start, stop) if stop else None


def _phone_cue(text: str, start: int, end: int) -> Bounds | None:
    stop = _end_of_number(text, start, end, 8, 15)
    return (start, stop) if stop and not _THOUSANDS.fullmatch(text, start, stop) else None


def _phone_cue_near(text: str, start: int, end: int) -> Bounds | None:
    """What holds something like a date, right after its cue: Tel 12-03-34 56."""
    found = _phone_cue(text, start, end)
    if not found or not _LOOSE_DATE.search(text, start, found[1]):
        return None
    return None if _has_slash_date(text[start : found[1]]) or _TIME_OR_AMOUNT.match(text, found[1]) else found


def _long(text: str, start: int, end: int) -> Bounds | None:
    """Not a moment in milliseconds or written in one go, nor the code of a product (UPC, EAN, GTIN)."""
    digits = text[start:end]
    weighted = sum(int(char) * (3 if index % 2 else 1) for index, char in enumerate(reversed(digits[-14:])))
    product = len(digits) <= 14 and weighted % 10 == 0
    moment = _EPOCH.fullmatch(digits) or _DATE_AND_TIME.fullmatch(digits)
    return None if product or moment else (start, end)


CHECKS: dict[str, Callable[[str, int, int], Bounds | None]] = {
    "email": email,
    "iban": _iban,
    "card": _card,
    "card_grouped": _card_grouped,
    "nir": _nir,
    "siret": _siret,
    "siren": _siren,
    "named": _named,
    "date": _date,
    "vat": _vat,
    "ipv4": _ipv4,
    "ipv6": _ipv6,
    "phone_international": _phone_international,
    "phone_fr": _phone_fr,
    "phone_fr_bare": _phone_fr_bare,
    "phone_national": _phone_national,
    "phone_cue": _phone_cue,
    "phone_cue_near": _phone_cue_near,
    "long": _long,
}
