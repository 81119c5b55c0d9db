"""The tables of a page, told once: what all rows have is named once, and each row once, for any number of buttons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.local.goals import element_label
from engine.local.text import fold
from engine.types import Intent, Page

_OWN = "own"
_PRESSED = ("click", "navigate")


@dataclass(frozen=True, slots=True)
class Cell:
    """Where an intent stands: the number of its table, its row, and what of the row it is."""

    table: int
    row: str
    slot: str


@dataclass(frozen=True, slots=True)
class Table:
    """The intents of a table by row and by what of the row they are, both in the page's order.

    `slots` holds an example of each. `varied` are those that are called differently in each row: people, products.
    `main` is the slot of what bears the row's own name, or else what most rows name; empty without either.
    """

    place: str
    cells: Mapping[tuple[str, str], Intent]
    slots: Mapping[str, Intent]
    varied: frozenset[str]
    main: str


def tables_of(page: Page) -> tuple[list[Table], dict[str, Cell]]:
    """The page's tables, and by id the cells of their intents. What only one row has is no cell."""
    by_place: dict[tuple[str, str, str], list[Intent]] = defaultdict(list)
    for intent in page.intents:
        if intent.element.row:
            by_place[intent.element.heading, intent.element.form, intent.element.landmark].append(intent)
    tables: list[Table] = []
    cells: dict[str, Cell] = {}
    for (heading, form, _), intents in by_place.items():
        table = _table(form or heading, intents)
        for (row, slot), intent in table.cells.items():
            cells[intent.intent_id] = Cell(len(tables), row, slot)
        tables.append(table)
    return tables, cells


def _table(place: str, intents: Sequence[Intent]) -> Table:
    count = len({intent.element.row for intent in intents})
    named = {intent.intent_id: _named_slot(intent) for intent in intents}
    rows = _rows_by_slot(intents, named)
    slots = {one: slot for one, slot in named.items() if _is_shared(slot, len(rows[slot]), count)}
    others = [one for one in intents if one.intent_id not in slots and one.action_type in _PRESSED]
    numbered = _column_slots(others)
    varied = {slot: found for slot, found in _rows_by_slot(others, numbered).items() if len(found) > 1}
    slots |= {one: slot for one, slot in numbered.items() if slot in varied}
    cells: dict[tuple[str, str], Intent] = {}
    examples: dict[str, Intent] = {}
    for intent in intents:
        if slot := slots.get(intent.intent_id):
            cells.setdefault((intent.element.row, slot), intent)
            examples.setdefault(slot, intent)
    main = _OWN if _OWN in examples else max(varied, key=lambda slot: len(varied[slot]), default="")
    return Table(place, cells, examples, frozenset(varied), main)


def _named_slot(intent: Intent) -> str:
    label = fold(element_label(intent.element))
    if intent.action_type in _PRESSED and label and label in fold(intent.element.row):
        return _OWN
    return f"{intent.action_type} {label}"


def _is_shared(slot: str, rows: int, of: int) -> bool:
    """Tell whether rows have this in common. Two orders of one product have not: most rows lead elsewhere."""
    return rows > 1 and (2 * rows > of or not slot.startswith("navigate"))


def _column_slots(intents: Sequence[Intent]) -> dict[str, str]:
    """What stands in the same column, or without one in the same place among a row's others."""
    seen: Counter[tuple[str, str]] = Counter()
    slots: dict[str, str] = {}
    for intent in intents:
        key = (intent.element.row, fold(intent.element.column))
        seen[key] += 1
        slots[intent.intent_id] = f"column {key[1]} {seen[key]}"
    return slots


def _rows_by_slot(intents: Sequence[Intent], slots: Mapping[str, str]) -> dict[str, set[str]]:
    rows: dict[str, set[str]] = defaultdict(set)
    for intent in intents:
        rows[slots[intent.intent_id]].add(intent.element.row)
    return rows
