"""A page's labels in the other language, by the lexicon: what an asker reads who does not read the page's language.

Pages are shown in several languages, and a guide is kept for the next asker: a label of the language in which the page
was learnt may be nowhere on the screen. So it is translated, or quoted as what it is.
"""

from __future__ import annotations

from engine.local.lexicon import Concept, Spot, lexicon
from engine.local.naming import french_noun, named, one_of, quote
from engine.local.text import STOP_WORDS, content_words, fold, words
from engine.types import Locale

_FORMATS = frozenset(("csv", "pdf", "spreadsheet"))
# They go with a name and are none.
_QUALITIES = frozenset(("new", "new_state", "active", "inactive", "more_actions"))
_JOINS = frozenset(("of", "for", "to", "by", "in", "from", "on"))
_ANY, _THE = frozenset(("un", "une", "a", "an")), frozenset(("le", "la", "les", "the"))
# One does them, and not something by them.
_WITHOUT_OBJECT = frozenset(("previous", "continue", "next_page", "log_in", "log_out", "sign_up"))
_MAKING = frozenset(("create", "add", "new"))
# Of these words alone nobody knows which of their kinds is meant (an article's reference, a candidate's): they stay as
# open in the other language.
_OPEN = tuple(
    Concept(english, "open", {"fr": (french,), "en": (english,)})
    for french, english in (("référence", "reference"), ("conditions", "terms"), ("solde", "balance"))
)
_LINKS_FR = ("de", "du", "des", "en", "a", "au", "pour")
_PLURALS_FR = {"al": "aux", "au": "aux", "eu": "eux"}
_PLURALS_EN = ("s", "x", "ch", "sh")
_NO_PLURALS_EN = ("ss", "us", "is")
_IRREGULAR = {"person": "people"}


def translated_name(label: str, locale: Locale) -> str:
    """Name the main thing of a label in `locale` (*the due date*), or give an empty string."""
    return _translated(label, locale, one=False)


def translated_order(label: str, locale: Locale) -> str:
    """What a label orders (*Créer la facture*) in `locale`: *create the invoice*; an empty string when it is no order,
    or one of which the lexicon does not know all words."""
    known, said, learnt = lexicon(), words(label), _other(locale)
    whole = translated_whole(label, locale)
    if whole and known.opens_with_action(words(whole), locale) and _orders(said, learnt):
        return whole
    spots = known.spots(said)
    verbs = [spot for spot in spots if spot.start <= 1 and spot.concept.is_action]
    thing = _main_thing(label, locale)
    if not verbs or not _covers(said, [verbs[0], *([thing] if thing else [])]):
        return ""
    if thing is not None and verbs[0].concept.name in _WITHOUT_OBJECT:
        return ""
    # *Nouvelle facture* on a button makes one.
    verb = next(known.concepts["create"] if one.concept.name == "new" else one.concept for one in verbs)
    small = {*fold(label).replace("'", " ").split()}
    makes = not _THE & small and any(one.concept.name in _MAKING for one in verbs)
    name = _translated(label, locale, one=makes or bool(_ANY & small))
    return f"{_usual(verb, locale)} {name}".rstrip()


def translated_place(label: str, locale: Locale) -> str:
    """Where a link leads, in `locale` (*the orders*); empty when the lexicon does not know all of its words."""
    thing = _main_thing(label, locale)
    return translated_name(label, locale) if thing is not None and _covers(words(label), [thing]) else ""


def translated_whole(label: str, locale: Locale) -> str:
    """A label of which the lexicon knows every word as one thing (*Livrée*), in `locale`; else an empty string."""
    said = words(label)
    learnt = _other(locale)
    telling = set(content_words(label))
    spots = [spot for spot in _spots(said, learnt) if telling <= set(said[spot.start : spot.start + spot.length])]
    for spot in sorted(spots, key=lambda one: not _is_usual_name(one, said, learnt)):
        if _is_name(spot, said, learnt) and (wording := _usual(spot.concept, locale)):
            return wording
    return ""


def is_foreign(label: str, locale: Locale) -> bool:
    """Tell whether a label has words of the other language: names and numbers belong to none."""
    return any(lexicon().speaks(word, _other(locale)) for word in words(label))


def foreign_quote(label: str, locale: Locale) -> str:
    """A label as what it is to the reader: *in French: “Remise (%)”*, to stand in brackets."""
    quoted = quote(label, locale)
    if not is_foreign(label, locale):
        return quoted
    return f"en anglais\u00a0: {quoted}" if locale == "fr" else f"in French: {quoted}"


def plural(name: str, locale: Locale) -> str:
    """Put the head of a name in the plural: the first word in French, where nothing has to agree with it; the last one
    in English."""
    parts = name.split()
    if locale == "fr" and len(parts) > 1 and fold(parts[1]) not in _LINKS_FR:
        # An adjective would have to agree.
        return name
    place = 0 if locale == "fr" else -1
    head = parts[place]
    if locale == "fr":
        ending = next((more for end, more in _PLURALS_FR.items() if head.endswith(end)), "")
        parts[place] = head[:-2] + ending if ending else head if head[-1] in "sxz" else f"{head}s"
    elif head in _IRREGULAR:
        parts[place] = _IRREGULAR[head]
    elif head.endswith("y") and head[-2:-1] not in "aeiou":
        parts[place] = f"{head[:-1]}ies"
    else:
        parts[place] = f"{head}es" if head.endswith(_PLURALS_EN) else f"{head}s"
    return " ".join(parts)


def _translated(label: str, locale: Locale, *, one: bool) -> str:
    spot = _main_thing(label, locale)
    if spot is None:
        return ""
    wording = _usual(spot.concept, locale)
    if spot.concept.name in _FORMATS:
        return f"en {wording}" if locale == "fr" else f"as {wording}"
    covered = words(label)[spot.start : spot.start + spot.length]
    if one:
        name = one_of(wording, locale)
    else:
        many = _is_plural(covered, _other(locale)) and not _is_plural(words(wording), locale)
        name = named(plural(wording, locale) if many else wording, locale)
    return "" if name[:1] in "«“" else name


def _main_thing(label: str, locale: Locale) -> Spot | None:
    """The thing that a label names first of all: the first in French; in English, where what comes first qualifies it,
    the last before a small word."""
    said = words(label)
    learnt = _other(locale)
    spots = _spots(said, learnt)
    verbs = {spot.start for spot in spots if spot.concept.is_action}
    things = [
        spot
        for spot in spots
        if not spot.concept.is_action
        and spot.concept.name not in _QUALITIES
        and _usual(spot.concept, locale)
        and _is_name(spot, said, learnt)
        and french_noun(_usual(spot.concept, "fr")) is not None
        and (spot.start not in verbs or _is_usual_name(spot, said, learnt))
    ]
    if learnt == "en":
        end = next((place for place, word in enumerate(said) if place and word in _JOINS), len(said))
        first = [spot for spot in things if spot.start < end]
        things = sorted(first or things, key=lambda one: -one.start if first else one.start)
    # *Note* is a note before it is a rating: a word means first the concept that it is the usual name of.
    main = min(
        things, key=lambda one: (one.start != things[0].start, not _is_usual_name(one, said, learnt)), default=None
    )
    if main is None or _is_usual_name(main, said, learnt):
        return main
    # Of two things that a word is a lesser name of, nobody knows which is meant.
    meant = {_usual(one.concept, locale) for one in things if (one.start, one.length) == (main.start, main.length)}
    return main if len(meant) == 1 else None


def _spots(said: list[str], learnt: Locale) -> list[Spot]:
    """What the lexicon spots, open words as what they are."""
    return [_opened(spot, said, learnt) for spot in lexicon().spots(said)]


def _opened(spot: Spot, said: list[str], learnt: Locale) -> Spot:
    opened = (Spot(concept, spot.start, spot.length) for concept in _OPEN)
    return next((one for one in opened if _is_usual_name(one, said, learnt)), spot)


def _is_plural(said: list[str], locale: Locale) -> bool:
    if locale == "fr":
        noun = french_noun(" ".join(said))
        return noun is not None and noun.plural
    return bool(said) and _ends_in_plural(said[-1])


def _ends_in_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(_NO_PLURALS_EN)


def _orders(said: list[str], locale: Locale) -> bool:
    return lexicon().opens_with_action(said, locale) or lexicon().opens_with_action(said[1:], locale)


def _covers(said: list[str], spots: list[Spot]) -> bool:
    """Tell whether these spots leave no word of the label out."""
    places = {place for spot in spots for place in range(spot.start, spot.start + spot.length)}
    return all(place in places or word in STOP_WORDS for place, word in enumerate(said))


def _usual(concept: Concept, locale: Locale) -> str:
    return next(iter(concept.wording[locale]), "")


def _is_usual_name(spot: Spot, said: list[str], locale: Locale) -> bool:
    usual = _usual(spot.concept, locale)
    return bool(usual) and _bare(words(usual)) == _bare(said[spot.start : spot.start + spot.length])


def _is_name(spot: Spot, said: list[str], locale: Locale) -> bool:
    """Tell whether the words are one of the concept's names, not only of their family (*agence*, *agencement*)."""
    covered = _bare(said[spot.start : spot.start + spot.length])
    return any(_bare(words(wording)) == covered for wording in spot.concept.wording[locale])


def _bare(said: list[str]) -> list[str]:
    return [word.rstrip("sx") for word in said if word not in STOP_WORDS]


def _other(locale: Locale) -> Locale:
    return "en" if locale == "fr" else "fr"
