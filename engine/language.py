"""Which of the two languages a question is written in."""

from __future__ import annotations

from engine.local.text import words
from engine.types import Locale

# Words that questions are built of, and that the other language does not have.
_FRENCH_WORDS = """
comment ou quel quelle quels quelles je tu il elle nous vous on le la les un une des du de au aux et est sont pour avec
sans dans sur sous ce cette ces mon ma mes son sa ses notre votre qui que quoi quand peut puis peux dois doit faut faire
veux voudrais aimerais ajouter changer modifier creer supprimer voir trouver mettre
"""
_ENGLISH_WORDS = """
how where what which who when why do does did can could should would i you we they he she it the an and is are to of for
with without in at this that these those my your his her our their want need add change edit create delete see find put
make set get
"""
_FRENCH, _ENGLISH = frozenset(_FRENCH_WORDS.split()), frozenset(_ENGLISH_WORDS.split())
# One odd word is not enough: « Où est le reporting ? » stays French, "Filtrer by status" stays undecided.
_CLEAR_MARGIN = 2


def question_locale(question: str, default: Locale) -> Locale:
    """Return the language of a question when its small words tell it clearly, else ``default``.

    People ask in their own language whatever the language of the page; they are answered in it.
    """
    said = words(question)
    french = sum(word in _FRENCH for word in said)
    english = sum(word in _ENGLISH for word in said)
    if english - french >= _CLEAR_MARGIN:
        return "en"
    if french - english >= _CLEAR_MARGIN:
        return "fr"
    return default
