"""Whether a text is in the language it was asked for: a page or a question may talk a model into another one."""

from __future__ import annotations

import re
import unicodedata

from engine.types import Locale

# Small words that a guide is built of, and that the other languages here do not have.
_WORDS = {
    "fr": "le les des du et dans pour avec sur vous votre vos cette ce une aux puis ici cliquez saisissez choisissez",
    "en": "the and of to in with for your you this then here click enter choose it from select",
    "de": "der die das und mit für sie ihr ihre ihren ein eine auf klicken geben wählen den dem hier zu im ist nicht",
    "es": "el los las y con para su usted este esta haga clic aquí introduzca elija del por una seleccione es",
    "it": "il lo gli e con per il suo questo questa fare qui inserisci scegli della nel clicca una selezioni è",
    "pt": "os as para seu sua este esta clique aqui insira escolha da uma você com não em é selecione",
    "nl": "het een met voor uw dit klik hier op kies van deze om te vul selecteer",
}
_SMALL_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_ENOUGH = 2
_QUOTED = re.compile(r"«[^«»]*»|“[^“”]*”|„[^“”]*[“”]|\"[^\"]*\"")
_WORD = re.compile(r"[^\W\d_]+")


def is_in(text: str, locale: Locale) -> bool:
    """Tell whether a sentence may be in `locale`: not when its small words, or its letters, are clearly another's.

    What stands in quotation marks is the page's own and may be in any language.
    """
    said = _WORD.findall(_QUOTED.sub(" ", text).lower())
    letters = "".join(said)
    foreign = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if 2 * foreign > len(letters):
        return False
    found = {language: sum(word in small for word in said) for language, small in _SMALL_WORDS.items()}
    own = found.pop(locale)
    return max(found.values()) < max(_ENOUGH, own + 1)
