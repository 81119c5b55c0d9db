"""What may leave the engine: plain short text, known intents, nothing that asks for a secret."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from engine.types import StepDraft

TITLE_LENGTH = 60
TEXT_LENGTH = 240
GOAL_LENGTH = 120
_MOST_READ = 4000

_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
# Letters and marks that show nothing: variation selectors, the grapheme joiner, fillers, the empty braille cell.
_FILLERS = re.compile(
    "[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\U000e0100-\\U000e01ef]"
)

_UNREAD = re.compile(r"<(script|style)\b[^<>]{0,200}>[^<]{0,2000}</\1>", re.IGNORECASE)
_TAGS = re.compile(r"<[/!?a-zA-Z][^<>]{0,400}>")
_BREAKS = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|h[1-6])\b[^<>]{0,200}>", re.IGNORECASE)
# A tag whose end fell to a cut of the label that holds it.
_CUT_TAG = re.compile(r"<[/!?a-zA-Z][^<>«»“”…]{0,400}…")
_STRAY_TAG = re.compile(r"<+(?=[/!?|a-zA-Z])")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,400}\)")
_LOOSE_LINK = re.compile(r"\]\(\S*")
# Words of the protocols between programs and models: never a person's.
_MARKERS = re.compile(r"<\|[^|<>]{0,40}\|?>?|\[/?INST\]|<</?SYS>>|</?s>", re.IGNORECASE)
_MARKDOWN = re.compile(r"[*`]{1,3}|^\s*#{1,6}\s+|(?<!\w)__?(?=\S)|(?<=\S)__?(?!\w)", re.MULTILINE)
_URL = re.compile(
    r"\b[a-z][a-z+.-]{1,20}:/{1,3}\S*|\b(?:data|mailto|tel|sms|about|blob):\S+|\b(?:java|vb)script:\S*|\bwww\.\S+"
    r"|(?<!\w)//[\w-]+\.\S+",
    re.IGNORECASE,
)
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
# Names of sites that stand without a scheme; `export.csv` is none.
_TOP = "com|net|org|info|biz|io|co|app|dev|xyz|site|online|top|link|click|shop|example|test|fr|eu|uk|de|ru|cn|us|ly|me"
_SITE = re.compile(rf"(?<![\w@.-])(?:[\w-]+(?:\.|\[\.\]|。|．))+(?:{_TOP})\b(?:[/:?#]\S*)?", re.IGNORECASE)
_SPACES = re.compile(r"[^\S\u00a0\u202f]+")
_GAP_BEFORE_STOP = re.compile(r" +(?=[.,])")
_SECRETS = (
    "mots? de pass\\w*|pass ?words?|passcodes?|passphrases?|passwd|pwd|mdp|codes? secrets?|codes? pin|pin codes?"
    "|(?:your|votre) pin|cvv2?|cvc|cryptogrammes?|identifiants? et mots?|credentials?|login and pass",
    "cartes? (?:bancaires?|bleues?|de credit|de paiement)|(?:credit|debit|bank|payment) cards?|card numbers?"
    "|numeros? de (?:la |votre )?carte",
    "api keys?|cles? (?:d ?)?api|secret keys?|cles? secretes?|private keys?|cles? privees?|seed phrases?|iban"
    "|recovery (?:codes?|phrases?)|one ?time codes?|security codes?|codes? de securite|codes? (?:recus?|a usage unique)"
    "|codes? confidentiels?|codes? sms"
    "|codes? de (?:verification|validation)|verification codes?",
    "otp|2fa codes?|jetons? d ?acces|access tokens?",
)
_SECRET = re.compile(rf"\b(?:{'|'.join(_SECRETS)})\b")
# Verbs that ask wherever they stand, and those that also name what a button does: « Afficher le mot de passe ».
_ASKING = re.compile(
    r"\b(?:saisi\w*|entrez|entrer|tapez|taper|indiquez|indiquer|donnez|donner|donne|communiquez|communiquer|envoyez"
    r"|envoyer|ecrivez|ecrire|renseignez|renseigner|fournissez|fournir|partagez|partager|confirmez|dictez|dites"
    r"|transmettez|enter|type|give|tell|send|share|provide|reveal|write|input|submit|confirm)\b"
)
_ALSO_ASKING = re.compile(
    r"\b(?:copiez|collez|coller|montrez|repondez|mettez|remplissez|validez|confirmer|besoin|necessaire|requis|exige\w*"
    r"|demande\w*|paste|copy|show|reply|fill|put|need\w*|requir\w*|verify|validate|want\w*|ask\w*)\b"
)
_QUOTED = re.compile(r"«[^«»]*»|“[^“”]*”|\"[^\"]*\"")
# Letters of other alphabets that look like Latin ones.
_LOOKALIKES = str.maketrans("аеорсухіѕјԁһԛԝвкмнтαορεικνυχτℓ", "aeopcyxisjdhqwbkmhtaopeiknuxtl")
_NOT_WORDS = re.compile(r"[^a-z0-9]+")
_SPELT_OUT = re.compile(r"\b(?:[a-z0-9] ){3,}[a-z0-9]\b")
_LEET = str.maketrans("0134578@$", "oieastbas")
# So many words in a row that a step shares with its instructions are no chance.
_PHRASE_LENGTH = 5


def clean_text(text: str, limit: int) -> str:
    """Reduce a text to plain text on one line, at most `limit` characters, cut at a word.

    Markup, addresses of pages, control characters and those that reorder text go away.
    """
    text = _MARKDOWN_LINK.sub(r"\1", visible(unicodedata.normalize("NFC", text[:_MOST_READ])))
    text = _MARKDOWN.sub("", _without_tags(text))
    return _cut(_without_strays(text), limit)


def clean_words(text: str, limit: int) -> str:
    """Reduce what a model wrote as `clean_text` does, and take out names of sites, mail addresses and its markers."""
    text = _MARKDOWN_LINK.sub(r"\1", _MARKERS.sub(" ", visible(text[:_MOST_READ])))
    text = _SITE.sub("", _MAIL.sub("", _URL.sub("", _LOOSE_LINK.sub("", text))))
    return clean_text(text, limit)


def unmarked(step: StepDraft) -> StepDraft:
    """Take markup, addresses of pages and unseen characters, which a page's labels may hold, from our own words."""
    title, text = (_without_strays(_without_tags(visible(said))) for said in (step.title, step.text))
    return StepDraft(step.intent_id, title or step.intent_id, text)


def _without_tags(text: str) -> str:
    before = None
    while before != text:
        before, text = text, _BREAKS.sub(" ", _UNREAD.sub("", text))
        text = _TAGS.sub("", text)
    return _URL.sub("", text)


def _without_strays(text: str) -> str:
    return _GAP_BEFORE_STOP.sub("", _SPACES.sub(" ", _STRAY_TAG.sub("", _CUT_TAG.sub("…", text)))).strip()


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if " " in cut[limit // 2 :]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" ,;:") + "…"


def visible(text: str) -> str:
    """Take out what nobody sees: control, format and reordering characters, tags, fillers, variation selectors."""
    return "".join(char if _is_plain(char) else " " if char in "\n\r\t" else "" for char in text)


def asks_for_secret(text: str) -> bool:
    """Tell whether a sentence wants the reader to give a password, a card number or the like.

    Accents, look-alike letters, digits for letters, and letters spelt out one by one change nothing.
    """
    unquoted = _QUOTED.sub(" ", text)
    is_asking = bool(_ALSO_ASKING.search(_folded(unquoted)))
    return any(_SECRET.search(said) and (is_asking or _ASKING.search(said)) for said in _readings(text))


def _readings(text: str) -> tuple[str, ...]:
    folded = _folded(text)
    joined = _SPELT_OUT.sub(lambda match: match[0].replace(" ", ""), folded)
    return folded, joined, joined.translate(_LEET)


def phrases_of(instructions: str) -> frozenset[tuple[str, ...]]:
    """Every run of a few words of a prompt's instructions, for `repeats`."""
    return frozenset(_phrases(instructions))


def repeats(text: str, phrases: Collection[tuple[str, ...]]) -> bool:
    """Tell whether a text repeats one of these runs of words, whatever its case, accents and punctuation."""
    return any(phrase in phrases for phrase in _phrases(text))


def _phrases(text: str) -> list[tuple[str, ...]]:
    said = _folded(text).split()
    return [tuple(said[at : at + _PHRASE_LENGTH]) for at in range(len(said) - _PHRASE_LENGTH + 1)]


def _folded(text: str) -> str:
    """Words in small Latin letters without accents, one space between them."""
    small = unicodedata.normalize("NFKC", visible(text)).casefold().translate(_LOOKALIKES)
    unaccented = "".join(char for char in unicodedata.normalize("NFKD", small) if not unicodedata.combining(char))
    return _NOT_WORDS.sub(" ", unaccented.replace("@", "a").replace("$", "s")).strip()


def _is_plain(char: str) -> bool:
    if char < "\x7f":
        return char >= " "
    return unicodedata.category(char) not in _UNSEEN and not _FILLERS.match(char)
