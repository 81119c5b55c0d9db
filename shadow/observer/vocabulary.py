"""The sentences of the observer, in French and in English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language. In patterns, `name` is an element, `value` what was put into it, `where` what it stands in."""

    quoted: str
    click: str
    tab: str
    double_click: str
    fill: str
    fill_hidden: str
    fill_unknown: str
    clear: str
    choose: str
    choose_alone: str
    choose_unknown: str
    tick: str
    untick: str
    switch_on: str
    switch_off: str
    submit: str
    submit_by_enter: str
    attach: str
    attach_alone: str
    several_files: str
    go_to: str
    reload: str
    back: str
    forward: str
    press: str
    press_in: str
    then: str
    understood: str
    keys: dict[str, str]
    unnamed: dict[str, str]
    reasons: dict[str, str]
    unseen: dict[str, str]


_FRENCH = Vocabulary(
    quoted="« {text} »",
    click="Cliquer sur {name}",
    tab="Ouvrir l’onglet {name}",
    double_click="Double-cliquer sur {name}",
    fill="Saisir {value} dans {name}",
    fill_hidden="Remplir {name} (valeur non retenue)",
    fill_unknown="Remplir {name}",
    clear="Vider {name}",
    choose="Choisir {value} dans {name}",
    choose_alone="Choisir {value}",
    choose_unknown="Faire un choix dans {name}",
    tick="Cocher {name}",
    untick="Décocher {name}",
    switch_on="Activer {name}",
    switch_off="Désactiver {name}",
    submit="Envoyer {name}",
    submit_by_enter="Valider {name} avec la touche Entrée",
    attach="Joindre {value} dans {name}",
    attach_alone="Joindre {value}",
    several_files="{count} fichiers",
    go_to="Aller à la page {name}",
    reload="Recharger la page",
    back="Revenir à la page précédente",
    forward="Avancer à la page suivante",
    press="Appuyer sur {key}",
    press_in="Appuyer sur {key} dans {name}",
    then=", puis ",
    understood="Étape {number} comprise : {intent}",
    keys={
        "Enter": "Entrée",
        "Space": "Espace",
        "Escape": "Échap",
        "Delete": "Suppr",
        "Control": "Ctrl",
        "Meta": "Cmd",
        "Shift": "Maj",
    },
    unnamed={
        "": "un élément sans nom",
        "button": "un bouton sans nom",
        "link": "un lien sans nom",
        "tab": "un onglet sans nom",
        "checkbox": "une case sans nom",
        "radio": "un bouton radio sans nom",
        "combobox": "une liste sans nom",
        "listbox": "une liste sans nom",
        "field": "un champ sans nom",
        "file": "un champ sans nom",
        "form": "le formulaire",
        "img": "une image sans nom",
        "row": "une ligne",
        "cell": "une cellule",
        "gridcell": "une cellule",
    },
    reasons={
        "no_name": "Cet élément n’a pas de nom lisible.",
        "ambiguous_locator": "{count} éléments de la page portent ce nom.",
        "no_effect": "Je n’ai vu aucun effet après cette action.",
        "idle_boundary": "Rien ne s’est passé pendant plus de 5 secondes autour de cette étape.",
        "unknown_frame": "Juste avant, une partie de la page m’a échappé.",
        "frame_by_place": "Le cadre de cette étape n’est connu que par sa place dans la page.",
    },
    unseen={
        "": "Une partie de cette page m’échappe : je ne vois pas ce que vous y faites.",
        "cross_origin_frame": "Ce cadre vient d’un autre site : je ne vois pas ce que vous y faites.",
        "canvas": "Cette zone est un dessin : je ne vois pas ce que vous y faites.",
        "closed_shadow": "Ce composant est fermé : je ne vois pas ce que vous y faites.",
    },
)

_ENGLISH = Vocabulary(
    quoted="“{text}”",
    click="Click {name}",
    tab="Open the {name} tab",
    double_click="Double-click {name}",
    fill="Type {value} in {name}",
    fill_hidden="Fill in {name} (value not kept)",
    fill_unknown="Fill in {name}",
    clear="Clear {name}",
    choose="Choose {value} in {name}",
    choose_alone="Choose {value}",
    choose_unknown="Make a choice in {name}",
    tick="Tick {name}",
    untick="Untick {name}",
    switch_on="Turn on {name}",
    switch_off="Turn off {name}",
    submit="Send {name}",
    submit_by_enter="Confirm {name} with the Enter key",
    attach="Attach {value} to {name}",
    attach_alone="Attach {value}",
    several_files="{count} files",
    go_to="Go to the page {name}",
    reload="Reload the page",
    back="Go back to the previous page",
    forward="Go forward to the next page",
    press="Press {key}",
    press_in="Press {key} in {name}",
    then=", then ",
    understood="Step {number} understood: {intent}",
    keys={"Control": "Ctrl", "Meta": "Cmd"},
    unnamed={
        "": "an element without a name",
        "button": "a button without a name",
        "link": "a link without a name",
        "tab": "a tab without a name",
        "checkbox": "a box without a name",
        "radio": "a radio button without a name",
        "combobox": "a list without a name",
        "listbox": "a list without a name",
        "field": "a field without a name",
        "file": "a field without a name",
        "form": "the form",
        "img": "an image without a name",
        "row": "a row",
        "cell": "a cell",
        "gridcell": "a cell",
    },
    reasons={
        "no_name": "This element has no name that can be read.",
        "ambiguous_locator": "{count} elements of the page have this name.",
        "no_effect": "I saw no effect of this action.",
        "idle_boundary": "Nothing happened for more than 5 seconds around this step.",
        "unknown_frame": "Just before, I missed a part of the page.",
        "frame_by_place": "The frame of this step is known by its place in the page only.",
    },
    unseen={
        "": "I cannot see a part of this page: I miss what you do there.",
        "cross_origin_frame": "This frame belongs to another site: I cannot see what you do in it.",
        "canvas": "This area is a drawing: I cannot see what you do in it.",
        "closed_shadow": "This component is closed: I cannot see what you do in it.",
    },
)


def vocabulary(locale: str) -> Vocabulary:
    """Return the sentences of a language; French where there are none."""
    return _ENGLISH if locale.partition("-")[0] == "en" else _FRENCH
