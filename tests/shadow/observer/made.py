"""Events of a demonstration, made by hand: the next number and half a second later each time."""

from __future__ import annotations

from typing import Any

from shadow.observer import Event, UnderstoodStep, segment

ORDERS = "https://maison-oree.test/commandes"

ELEMENTS: dict[str, dict[str, Any]] = {
    "search": {"tag": "input", "type": "search", "role": "searchbox", "name": "Rechercher", "selector": "#q"},
    "reason": {"tag": "textarea", "role": "textbox", "name": "Motif", "selector": "#reason"},
    "amount": {"tag": "input", "type": "text", "role": "textbox", "name": "Montant", "selector": "#amount"},
    "password": {"tag": "input", "type": "password", "role": "textbox", "name": "Mot de passe", "selector": "#pw"},
    "status": {"tag": "select", "role": "combobox", "name": "Statut", "selector": "#status"},
    "gift": {"tag": "input", "type": "checkbox", "role": "checkbox", "name": "Cadeau", "selector": "#gift"},
    "refund": {"tag": "button", "role": "button", "name": "Rembourser", "selector": "#refund"},
    "next": {"tag": "a", "role": "link", "name": "Suivant", "selector": "#next"},
    "country": {"tag": "div", "role": "combobox", "name": "Pays", "selector": "#country"},
    "france": {"tag": "li", "role": "option", "name": "France", "selector": "#country-1"},
    "body": {"tag": "body", "selector": "body", "interactive": False},
}


class Demonstration:
    """Collects events; `wait` seconds pass before each, half a second unless told."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.now = 1_000.0
        self.url = ORDERS

    def does(self, kind: str, element: str | None = None, *, wait: float = 0.5, **said: Any) -> Demonstration:
        self.now += wait
        target = {}
        if element is not None or "target" in said:
            target = {"target": ELEMENTS.get(element or "", {}) | said.pop("target", {})}
        event = {"sequence": len(self.events), "kind": kind, "at": self.now, "url": self.url, **target, **said}
        self.url = event["url"]
        self.events.append(Event.from_wire(event))
        return self

    def goes(self, path: str, cause: str, *, wait: float = 0.5) -> Demonstration:
        return self.does("navigate", url=f"https://maison-oree.test{path}", cause=cause, from_url=self.url, wait=wait)

    def steps(self, locale: str = "fr") -> list[UnderstoodStep]:
        return segment(self.events, locale)

    def told(self, locale: str = "fr") -> list[str]:
        return [step.intent for step in self.steps(locale)]
