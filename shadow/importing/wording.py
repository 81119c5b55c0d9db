"""What is said of files that cannot be read, and of steps that cannot be taken over, in French and English."""

from __future__ import annotations

_FRENCH = {
    "too_large": "Ce fichier est trop grand : {limit} Mo au plus.",
    "not_text": "Ce fichier n’est pas du texte en UTF-8.",
    "not_json": "Ce fichier n’est pas du JSON valable : {detail} (ligne {line}).",
    "not_yaml": "Ce fichier n’est ni du JSON ni du YAML valable.",
    "unknown_format": "Je ne reconnais pas ce fichier. Je lis les enregistrements de Chrome DevTools (JSON), "
    "de Selenium IDE (.side) et les exports de Circuy.",
    "no_steps": "Ce fichier ne contient aucune étape.",
    "too_many": "Ce fichier contient trop d’étapes : {limit} au plus.",
    "bad_step": "L’étape {step} n’a pas la forme attendue : {detail}.",
    "bad_test": "Le test n° {test} n’a pas la forme attendue : {detail}.",
    "not_an_object": "ce n’est pas un objet",
    "no_type": "« {key} » manque",
    "no_element": "aucun sélecteur",
    "no_url": "aucune adresse",
    "unsupported": "« {command} » n’a pas d’équivalent ici",
    "waits": "une attente ou une vérification n’est pas une étape",
    "window": "la taille ou le choix d’une fenêtre n’est pas une étape",
    "pointer": "un mouvement de la souris n’est pas une étape",
    "logic": "les conditions, boucles, variables et scripts ne sont pas repris",
    "button": "seul le clic du bouton principal est repris",
    "typed_key": "une touche qui écrit une lettre n’est pas retenue",
    "variable": "la valeur dépend d’une variable",
    "disabled": "cette commande était désactivée",
}
_ENGLISH = {
    "too_large": "This file is too large: {limit} MB at most.",
    "not_text": "This file is not text in UTF-8.",
    "not_json": "This file is not valid JSON: {detail} (line {line}).",
    "not_yaml": "This file is neither valid JSON nor valid YAML.",
    "unknown_format": "I do not know this kind of file. I read recordings of Chrome DevTools (JSON) and of Selenium "
    "IDE (.side), and what Circuy exports.",
    "no_steps": "This file holds no step.",
    "too_many": "This file holds too many steps: {limit} at most.",
    "bad_step": "Step {step} is not as expected: {detail}.",
    "bad_test": "Test {test} is not as expected: {detail}.",
    "not_an_object": "it is not an object",
    "no_type": "“{key}” is missing",
    "no_element": "no selector",
    "no_url": "no address",
    "unsupported": "“{command}” has no counterpart here",
    "waits": "waiting and checking are not steps",
    "window": "the size or the choice of a window is not a step",
    "pointer": "moving the mouse is not a step",
    "logic": "conditions, loops, variables and scripts are not taken over",
    "button": "only clicks of the main button are taken over",
    "typed_key": "a key that writes a letter is not kept",
    "variable": "the value depends on a variable",
    "disabled": "this command was switched off",
}


def say(code: str, locale: str, **details: object) -> str:
    """Return a sentence, or a part of one, in French or English."""
    sentences = _ENGLISH if locale.partition("-")[0] == "en" else _FRENCH
    return sentences[code].format(**details)


class ImportFileError(Exception):
    """A file that cannot be read: a stable `code`, and a sentence that says what is wrong and where."""

    def __init__(self, code: str, locale: str, **details: object) -> None:
        super().__init__(say(code, locale, **details))
        self.code = code
