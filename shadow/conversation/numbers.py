"""Steps as people number them: « 2 », « n° 2 », « la deuxième », « the last one », « 1, 3 et 4 », « 2 à 4 »."""

from __future__ import annotations

import re

from shadow.conversation.acts import LAST

_FRENCH = """
zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf
vingt
"""
_ENGLISH = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
_FRENCH_ORDINALS = """
- premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme onzieme douzieme
"""
_ENGLISH_ORDINALS = "- first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINAL_WORDS = {
    **{word: number for number, word in enumerate(_FRENCH_ORDINALS.split()) if number},
    **{word: number for number, word in enumerate(_ENGLISH_ORDINALS.split()) if number},
    "premiere": 1,
    "1er": 1,
    "1ere": 1,
    "seconde": 2,
    "derniere": LAST,
    "dernier": LAST,
    "last": LAST,
}
_CARDINAL_WORDS = {
    **{word: number for number, word in enumerate(_FRENCH.split())},
    **{word: number for number, word in enumerate(_ENGLISH.split())},
    "une": 1,
}


def _choice(words: dict[str, int]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_MARK = r"(?:(?:n°|n ?os?|numeros?|numbers?|nr|#) ?)?"
_DIGITS = r"\d{1,9}"
ORDINAL = rf"(?:{_choice(_ORDINAL_WORDS)}|{_DIGITS}(?:e|er|ere|eme|ieme|st|nd|rd|th))"
CARDINAL = rf"(?:{_MARK}(?:{_DIGITS}|{_choice(_CARDINAL_WORDS)}))"
_ONE = rf"(?:(?:la |le |l'|the )?(?:etape |step )?(?:{ORDINAL}(?: one)?|{CARDINAL})\b)"
_GLUE = r"(?: ?, ?(?:et |and )?| et | and | & | ?\+ ?| avec | with | ?/ ?)"
_RANGE = r"(?: ?- ?| a | to | jusqu'a | through )"
# Several steps, or one.
NUMBERS = rf"(?:{_ONE}(?:(?:{_GLUE}|{_RANGE}){_ONE})*)"
# A step that is called so: « l'étape 2 », « la deuxième étape », « step 2 ».
STEP = (
    rf"(?:(?:l'|la |les |the |cette |mes |de l'|des )?(?:(?:etape|step)s? ?{NUMBERS}|{ORDINAL} (?:etape|step)\b"
    rf"|{_DIGITS} (?:etape|step)\b))"
)
# Where only steps can be meant, the word may be missing: « supprime la 3 ».
STEPS = rf"(?:{STEP}|{NUMBERS})"

_SAID = re.compile(
    rf"(?P<range>{_RANGE})(?=(?:la |l'|the )?(?:etape |step )?\d)|(?P<one>{ORDINAL}(?: one\b)?|{CARDINAL})\b"
)
MOST = 50


def numbers(plain: str) -> tuple[int, ...]:
    """Return the numbers in a piece that ``STEPS`` matched, in the order they are said; ranges are spelt out."""
    found: list[int] = []
    is_range = False
    for piece in _SAID.finditer(plain):
        if piece["range"]:
            is_range = bool(found)
            continue
        number = number_of(piece["one"])
        if is_range and found and found[-1] < number <= found[-1] + MOST:
            found.extend(range(found[-1] + 1, number + 1))
        else:
            found.append(number)
        is_range = False
    return tuple(dict.fromkeys(found))


def number_of(word: str) -> int:
    """Return the number that a cardinal or an ordinal says."""
    digits = re.search(r"\d+", word)
    if digits:
        return int(digits[0])
    bare = re.sub(rf"^{_MARK}", "", word).removesuffix(" one")
    return _ORDINAL_WORDS.get(bare, _CARDINAL_WORDS.get(bare, 0))
