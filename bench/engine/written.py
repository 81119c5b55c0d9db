"""The pages and questions that were written to train the ranker: `training/*.toml`, learnt like scanned ones."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.evaluation import Kind, LabelledQuestion
from engine.language import question_locale
from engine.local.text import fold
from engine.service import propose_skill
from engine.types import EngineConfig, Intent, Locale, Page, Scan, ScanNode

FOLDER = Path(__file__).parent / "training"
_ELEMENT = re.compile(
    r"(?P<kind>\w+) (?P<label>.+?)(?: @ (?P<place>[^(<]+?))?(?: < (?P<opener>[^(]+?))?"
    r"(?: \((?P<options>[^()]*/[^()]*)\))?$"
)
_MORE_ENTRIES = 40
_LANDMARKS = {"menu": "navigation", "folders": "navigation", "places": "navigation", "footer": "contentinfo"}
# Tag, type and role by the word that an element begins with.
_KINDS = {
    "link": ("a", "", "link"),
    "button": ("button", "button", "button"),
    "submit": ("button", "submit", "button"),
    "field": ("input", "text", "textbox"),
    "list": ("select", "", "combobox"),
    "box": ("input", "checkbox", "checkbox"),
    "radio": ("input", "radio", "radio"),
    "tab": ("button", "button", "tab"),
    "head": ("th", "", "columnheader"),
    "row": ("button", "button", "button"),
}


def written_pages(folder: Path = FOLDER) -> tuple[dict[str, Page], list[LabelledQuestion]]:
    """All pages by name, and the questions on them. Raises `ValueError` when an answer is no element of its page."""
    pages: dict[str, Page] = {}
    asked: list[LabelledQuestion] = []
    for file in sorted(folder.glob("*.toml")):
        for body in tomllib.loads(file.read_text(encoding="utf-8"))["page"]:
            name: str = body["name"]
            nodes = _nodes(body["elements"])
            pages[name] = _learnt(name, body["locale"], nodes)
            asked += _questions(name, nodes, body["questions"])
    return pages, asked


def with_other_menus(pages: Mapping[str, Page]) -> dict[str, Page]:
    """The pages with the menu entries of the others under theirs, half of them closed: applications are larger than
    what is written here, and most of a page's links lead elsewhere."""
    entries = [intent for page in pages.values() for intent in page.intents if intent.element.landmark == "navigation"]
    larger: dict[str, Page] = {}
    for number, (name, page) in enumerate(pages.items()):
        chance = random.Random(number)  # noqa: S311 - a shuffle, no secret
        taken = {fold(intent.element.label) for intent in page.intents}
        others: list[Intent] = []
        for entry in chance.sample(entries, len(entries)):
            label = fold(entry.element.label)
            if label not in taken and len(others) < _MORE_ENTRIES:
                taken.add(label)
                place = len(page.intents) + len(others) + 1
                element = replace(entry.element, position=place, closed=chance.random() < 0.5, opener="#e1")
                others.append(replace(entry, intent_id=f"entry_{place}", selector=f"#entry{place}", element=element))
        larger[name] = replace(page, intents=(*page.intents, *others))
    return larger


def _learnt(name: str, locale: Locale, nodes: Sequence[ScanNode]) -> Page:
    proposal = propose_skill(Scan("/", name, tuple(nodes), locale, name), locale=locale, config=EngineConfig())
    return Page(name, proposal.summary, "/", locale, proposal.intents)


def _nodes(texts: Sequence[str]) -> list[ScanNode]:
    nodes: list[ScanNode] = []
    for number, text in enumerate(texts, start=1):
        match = _ELEMENT.fullmatch(text)
        if match is None or match["kind"] not in _KINDS:
            raise ValueError(f"no element: {text}")
        openers = [node for node in nodes if node.label == match["opener"]]
        if match["opener"] and not openers:
            raise ValueError(f"{text}: no element before it is called {match['opener']!r}")
        nodes.append(_node(number, match, openers[-1] if openers else None))
    return nodes


def _node(number: int, match: re.Match[str], opener: ScanNode | None) -> ScanNode:
    tag, type_, role = _KINDS[match["kind"]]
    place = match["place"] or ""
    # What stands in a tab's panel or in an opened box has its name above it.
    heading = "" if place in _LANDMARKS else place or (opener.label if opener else "")
    return ScanNode(
        id=f"n{number}",
        tag=tag,
        selector=f"#e{number}",
        type=type_,
        role=role,
        label=match["label"],
        options=tuple((match["options"] or "").split("/")) if match["options"] else (),
        heading=heading,
        form=heading if type_ == "submit" or role in ("textbox", "combobox", "checkbox") else "",
        row="1042" if match["kind"] == "row" else "",
        landmark=_LANDMARKS.get(place, "main"),
        closed=opener is not None,
        opener=opener.selector if opener else "",
    )


def _questions(page: str, nodes: Sequence[ScanNode], rows: Sequence[Any]) -> Iterator[LabelledQuestion]:
    for question, answer in rows:
        targets = tuple(tuple(_selectors(nodes, label, question)) for label in answer.split(" > ") if label)
        kind: Kind = "absent" if not targets else "single" if len(targets) == 1 else "plan"
        yield LabelledQuestion(page, question, question_locale(question, "en"), kind, targets)


def _selectors(nodes: Sequence[ScanNode], label: str, question: str) -> list[str]:
    found = [node.selector for node in nodes if node.label == label]
    if not found:
        raise ValueError(f"{question!r}: no element is called {label!r}")
    return found
