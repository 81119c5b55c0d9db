"""What a model would say: it picks the listed ids that share words with the question, and misbehaves on demand."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# What is to be described, with its kind; what an answer may name, whose sign tells its kind.
_ELEMENT = re.compile(r"^(n\d+) (\w+): (.+)$", re.MULTILINE)
_OFFERED = re.compile(r"^#?(\d+) (.+?)( _| \[\]| \([^()]*/[^()]*\))?$", re.MULTILINE)
_QUESTION = re.compile(r"<question>(.*?)</question>", re.DOTALL)
_REJECTED = re.compile(r"(\[\[.*\]\])")
_SMALL = frozenset(
    re.findall(
        r"\w+",
        "comment ajouter appliquer changer modifier choisir saisir mettre faire pour avec dans une des les aux sur est "
        "puis peut veux voudrais dois trouve quelle quel cette mon mes votre how what where which the and for with add "
        "apply change set choose enter can does this that from want need page aller",
    )
)
_ENGLISH = {
    "discount": "remise", "invoice": "facture", "customer": "client", "order": "commande", "orders": "commandes",
    "create": "creer", "due": "echeance", "status": "statut", "quantity": "quantite", "refund": "rembourser",
    "search": "rechercher", "filter": "filtrer", "vat": "tva", "save": "enregistrer", "draft": "brouillon",
}  # fmt: skip


@dataclass(frozen=True)
class Prompt:
    """A request of any protocol: the instructions, what the user said, and the ids that may come back.

    `ids` come from the schema where the request holds one, else from the lines of the prompt.
    """

    system: str
    user: str
    ids: tuple[str, ...]

    @property
    def is_french(self) -> bool:
        return "en français" in self.system

    @property
    def is_about_goals(self) -> bool:
        return '"goals"' in self.system


def reply(prompt: Prompt, behaviour: str) -> dict[str, Any]:
    """The JSON object that the model answers with."""
    french = prompt.is_french
    lines = _lines(prompt.user)
    if prompt.is_about_goals:
        return _goals(lines, list(prompt.ids), behaviour, french=french)
    if behaviour == "wrong_schema":
        return {"answer": 42, "steps": {"1": "title"}}
    return _answer(prompt, lines, behaviour)


def ids_in(prompt: str) -> tuple[str, ...]:
    """The ids that a prompt lists."""
    return tuple(_lines(prompt))


def _lines(prompt: str) -> dict[str, tuple[str, str]]:
    """By id, the kind and the words of each line of a prompt's list."""
    signs = {"": "click", " _": "input", " []": "check"}
    described = {short: (kind, words) for short, kind, words in _ELEMENT.findall(prompt)}
    return described | {short: (signs.get(sign, "select"), words) for short, words, sign in _OFFERED.findall(prompt)}


def _answer(prompt: Prompt, lines: Mapping[str, tuple[str, str]], behaviour: str) -> dict[str, Any]:
    allowed = prompt.ids
    question = _QUESTION.search(prompt.user)
    rejected = _REJECTED.search(prompt.user)
    plans = json.loads(rejected[1]) if rejected else []
    picked = _picked(
        question[1] if question else "", {short: lines[short] for short in allowed if short in lines}, plans
    )
    title = re.split(r" [\[(]", lines[picked[0]][1])[0][:40] if picked else ""
    if behaviour == "invented_ids":
        picked = [f"{90 + index}0" for index in range(max(1, len(picked)))]
    if behaviour == "leak":
        title = prompt.system[:200]
    if behaviour == "german":
        title = "Geben Sie hier den Rabatt für die Rechnung ein"
    if behaviour == "markup":
        title = (
            f"<b onclick=alert(1)>{title}</b><script>alert(1)</script> [x](https://evil.example/x) \u202eevil.example"
        )
    return {"steps": picked, "title": title}


def _picked(question: str, lines: Mapping[str, tuple[str, str]], rejected: list[list[str]]) -> list[str]:
    """Cover the question's words with as few goals as possible; buttons come last."""
    wanted = _keywords(question)
    picked: list[str] = []
    while wanted:
        scores = {short: len(wanted & _keywords(goal)) for short, (_, goal) in lines.items() if short not in picked}
        best = max(
            scores,
            key=lambda short: (scores[short], lines[short][0] not in ("click", "navigate"), -int(short)),
            default="",
        )
        if not best or not scores[best]:
            break
        picked.append(best)
        wanted -= _keywords(lines[best][1])
    picked.sort(key=lambda short: (lines[short][0] in ("submit", "click"), int(short)))
    if picked in rejected:
        return picked[1:]
    return picked


def _keywords(text: str) -> set[str]:
    folded = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    words = (_ENGLISH.get(word, word) for word in re.findall(r"[a-z]{3,}", folded))
    return {word[:6].rstrip("s") for word in words if word not in _SMALL}


def _goals(lines: Mapping[str, tuple[str, str]], allowed: list[str], behaviour: str, *, french: bool) -> dict[str, Any]:
    goals = [
        {
            "i": short,
            "goal": re.split(r" [\[(@]", lines[short][1])[0],
            "synonyms": [re.split(r" [\[(@]", lines[short][1])[0].lower()],
        }
        for short in allowed
        if short in lines
    ]
    if behaviour == "invented_ids":
        goals = [{**goal, "i": f"n{9000 + index}"} for index, goal in enumerate(goals)]
    if behaviour == "markup":
        goals = [{**goal, "goal": f"<img src=x onerror=alert(1)>{goal['goal']}"} for goal in goals]
    return {"summary": "Une page de gestion." if french else "A business page.", "goals": goals}
