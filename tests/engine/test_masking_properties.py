"""No datum survives, whatever stands around it, in whatever digits and with whatever separators it is written."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.masking import mask
from engine.masking.table import TABLE, expanded

SPACES = list(" \t\u00a0\u2000\u2007\u2009\u202f\u205f\u3000")
DASHES = list("-\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d")
DOTS = list(".\u00b7\u2022\u2024\uff0e")
SCRIPTS = ["0", "\uff10", *TABLE["digits"]]
WORDS = [
    "",
    "Tél",
    "Mobile",
    "Client ",
    "née",
    "Modifier",
    "联系",
    "😀",
    "的",
    "العميل ",
    "Été ",
    "fiche\n",
    "l’",
    "№ ",
]
BEFORE = ["", "(", "« ", ": ", "=", '"', ", ", "| ", "\u00a0", "…", "/ ", "• ", "; ", "«"]
AFTER = ["", ")", " »", ". ", ", ", '"', " | ", "\u00a0", "…", "。", "; ", "!", " – ", "\n"]

before = st.builds(str.__add__, st.sampled_from(WORDS), st.sampled_from(BEFORE))
after = st.builds(str.__add__, st.sampled_from(AFTER), st.sampled_from(WORDS))
digits = st.text("0123456789", min_size=18, max_size=18)


def luhn_ended(number: str) -> str:
    return next(number + last for last in "0123456789" if luhn(number + last))


def luhn(number: str) -> bool:
    doubled = [int(char) * (1 + place % 2) for place, char in enumerate(reversed(number))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def iban(country: str, account: str) -> str:
    letters = "".join(str(int(char, 36)) for char in account + country + "00")
    return f"{country}{98 - int(letters) % 97:02}{account}"


def grouped(text: str, *sizes: int) -> list[str]:
    groups, position = [], 0
    for size in sizes:
        groups.append(text[position : position + size])
        position += size
    return [*groups, text[position:]] if text[position:] else groups


def nir(body: str) -> str:
    number = int(body.replace("2A", "19").replace("2B", "18"))
    return f"{body}{97 - number % 97:02}"


def company(number: str) -> str:
    return luhn_ended("7" + number[:7])


NUMBERS = {
    "French phone": (lambda d: grouped("06" + d[:8], 2, 2, 2, 2), SPACES + DASHES + DOTS + ["", "/", " - ", " / "]),
    "French phone abroad": (lambda d: ["+33", "6", *grouped(d[:8], 2, 2, 2)], SPACES + DASHES + DOTS + [""]),
    "American phone": (lambda d: [f"(4{d[:2]})", f"5{d[2:4]}", d[4:8]], [*SPACES, "-", "\u2011"]),
    "British phone": (lambda d: ["+44", "20", d[:4], d[4:8]], SPACES + DASHES),
    "card": (lambda d: grouped(luhn_ended("4" + d[:14]), 4, 4, 4), SPACES + DASHES + DOTS + [""]),
    "long card": (lambda d: grouped(luhn_ended("63" + d[:16]), 4, 4, 4, 4), SPACES + DASHES + [""]),
    "American Express": (lambda d: grouped(luhn_ended("37" + d[:12]), 4, 6), SPACES + DASHES + [""]),
    "French account": (lambda d: grouped(iban("FR", d + d[:5]), 4, 4, 4, 4, 4, 4), SPACES + DASHES + [""]),
    "Belgian account": (lambda d: grouped(iban("BE", d[:12]), 4, 4, 4), SPACES + DASHES + [""]),
    "British account": (lambda d: grouped(iban("GB", "NWBK" + d[:14]), 4, 4, 4, 4, 4), [*SPACES, ""]),
    "social security": (
        lambda d: grouped(nir("285" + "05" + "78" + d[:6]), 1, 2, 2, 2, 3, 3),
        SPACES + DASHES + DOTS + [""],
    ),
    "Corsican": (lambda d: grouped(nir("1730" + "82A" + d[:6]), 1, 2, 2, 2, 3, 3), SPACES + DASHES + [""]),
    "establishment": (lambda d: grouped(luhn_ended("8" + d[:12]), 3, 3, 3), [*SPACES, ""]),
    "French VAT": (
        lambda d: [f"FR{(12 + 3 * (int(company(d)) % 97)) % 97:02}", *grouped(company(d), 3, 3)],
        [*SPACES, ""],
    ),
    "German VAT": (lambda d: grouped("DE" + d[:9], 2, 3, 3), [*SPACES, ""]),
    "address": (lambda d: ["192", "168", str(int(d[:2])), "1" + d[2:4]], ["."]),
}
WITH_PLAIN_LETTERS = {"French VAT", "German VAT"}  # capitals glued before make them a code


@pytest.mark.parametrize("kind", NUMBERS)
@settings(max_examples=150, deadline=None)
@given(data=st.data(), number=digits, start=before, end=after)
def test_no_number_survives_any_surroundings_digits_and_separators(kind, data, number, start, end):
    make, separators = NUMBERS[kind]
    zero = data.draw(st.sampled_from(SCRIPTS))
    separator = data.draw(st.sampled_from(separators))
    hidden = data.draw(st.sampled_from(["", "\u200b", "\u2060", "\ufe0f"]))
    plain = (separator + hidden).join(make(number))
    datum = re.sub("[0-9]", lambda digit: chr(ord(zero) + int(digit[0])), plain)
    start += " " if kind in WITH_PLAIN_LETTERS and start[-1:].isalpha() else ""
    assert mask(start + datum + end) == f"{start}[SENSITIVE_NUMERIC]{end}"


@pytest.mark.parametrize("kind", NUMBERS)
@settings(max_examples=300, deadline=None)
@given(data=st.data(), number=digits, start=before, end=after)
def test_no_number_survives_with_another_separator_in_each_gap(kind, data, number, start, end):
    make, separators = NUMBERS[kind]
    first, *groups = make(number)
    gap = st.sampled_from([separator for separator in separators if separator])
    datum = first + "".join(data.draw(gap) + group for group in groups)
    start += " " if kind in WITH_PLAIN_LETTERS and start[-1:].isalpha() else ""
    assert mask(start + datum + end) == f"{start}[SENSITIVE_NUMERIC]{end}"


# Where a label in a script without spaces may end and a name begin.
LABEL_GLUED = re.compile(expanded("[{unspaced}](?=[A-Za-z\u00c0-\u024f])"))

names = st.from_regex(r"[a-z0-9]{1,12}([._+-][a-zé0-9]{1,8}){0,2}", fullmatch=True)
domains = st.from_regex(r"([a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?\.){1,3}(com|fr|net|org|paris|co\.uk)", fullmatch=True)
CUES = [
    "Né le ",
    "née à Lyon le ",
    "Date de naissance : ",
    "Born on ",
    "DOB: ",
    "Birthday\n",
    "Mme Durand, ",
    "Alice Martin (",
]
DATES = ["{d:02}/{m:02}/{y}", "{d}.{m}.{y}", "{d:02}-{m:02}-{y}", "{y}-{m:02}-{d:02}", "{d} mars {y}", "March {d}, {y}"]


@settings(max_examples=300, deadline=None)
@given(
    name=names, domain=domains, start=st.sampled_from(["", "联系", "« ", "<", "mailto:", "Client : ", "😀", "(", "l’"])
)
def test_no_email_address_survives(name, domain, start):
    # Before digits a label without spaces may as well be a name: 张伟99@…
    kept = "" if start == "联系" and not name[0].isalpha() else start
    assert mask(f"{start}{name}@{domain} 联系") == f"{kept}[EMAIL] 联系"


@settings(max_examples=300, deadline=None)
@given(
    name=st.text(
        st.characters(categories=["Ll", "Lu", "Lo", "Lm", "Nd", "Mn", "Mc"], max_codepoint=0xFFFF)
        | st.sampled_from("!#$%&'*+/?^_`{|}~-."),
        min_size=1,
        max_size=12,
    )
    .map(lambda text: f"é{text}é")
    .filter(lambda text: not LABEL_GLUED.search(text)),
    domain=domains,
    start=st.sampled_from(["", "« ", "<", "mailto:", "Client : ", "😀", "(", "\n"]),
)
def test_no_local_part_survives_whatever_its_script_and_signs(name, domain, start):
    assert mask(f"{start}{name}@{domain} 联系") == f"{start}[EMAIL] 联系"


@settings(max_examples=200, deadline=None)
@given(name=st.from_regex(r"[a-z]{2,9}\.[a-z]{2,9}", fullmatch=True), domain=domains)
def test_no_address_survives_that_markup_parted(name, domain):
    for parted in (f"{name} @{domain}", f"{name}@ {domain}", f"{name} @ {domain}"):
        assert mask(f"Client : {parted}.") == "Client : [EMAIL]."


@settings(max_examples=300, deadline=None)
@given(
    cue=st.sampled_from(CUES),
    form=st.sampled_from(DATES),
    day=st.integers(1, 28),
    month=st.integers(1, 12),
    year=st.integers(1925, 2009),
    zero=st.sampled_from(SCRIPTS),
)
def test_no_date_of_birth_survives_beside_its_cue_or_a_name(cue, form, day, month, year, zero):
    written = re.sub("[0-9]", lambda digit: chr(ord(zero) + int(digit[0])), form.format(d=day, m=month, y=year))
    assert mask(f"{cue}{written}") == f"{cue}[SENSITIVE_NUMERIC]"


@settings(max_examples=300, deadline=None)
@given(
    st.uuids(),
    st.floats(0.001, 1),
    st.integers(1_000_000_000_000, 1_999_999_999_999),
    st.dates(date(1990, 1, 1), date(2099, 12, 31)),
)
def test_identifiers_fractions_moments_and_dates_survive(uuid, fraction, moment, day):
    text = f"{uuid} {fraction:.15f} {moment} {day} {day:%d/%m/%Y} CMD-{moment} FAC-{day.year}-{moment % 10_000:04}"
    assert mask(text) == text


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_masking_any_text_twice_changes_nothing(text):
    once = mask(text)
    assert mask(once) == once
