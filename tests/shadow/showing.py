"""A member who shows a task over three pages of a shop, as their browser tells it."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from organizations.keys import sdk_key_create
from organizations.models import SdkKey
from skills.recorder import recorder_code_create, recorder_code_exchange
from tests.fixtures import ORIGIN, ApiFromPage, Tenant

SESSION, MACHINE = "sess_1", "DESKTOP-1"
BEGAN = 1_790_000_000.0
LIST, ORDER, REFUND = "/commandes", "/commandes/1042", "/commandes/1042/remboursement"
TITLES = {LIST: "Commandes", ORDER: "Commande 1042", REFUND: "Rembourser la commande"}


def event(sequence: int, kind: str, url: str = LIST, **more: Any) -> dict[str, Any]:
    """Return an event as the browser sends it."""
    page = {"url": f"https://app.oree.example{url}", "title": TITLES.get(url.split("?", maxsplit=1)[0], "")}
    return {"sequence": sequence, "kind": kind, "at": BEGAN + sequence, "trusted": True, **page, **more}


def target(tag: str, name: str, selector: str, **more: Any) -> dict[str, Any]:
    roles = {"a": "link", "button": "button", "input": "textbox", "select": "combobox"}
    return {
        "tag": tag,
        "role": roles.get(tag, ""),
        "name": name,
        "selector": selector,
        "interactive": True,
        "matches": 1,
        **more,
    }


def presence() -> dict[str, Any]:
    return event(0, "focus")


def refund(first: int = 1) -> list[dict[str, Any]]:
    """Refunding an order: the list, the order, the form. Six steps' worth of events."""
    steps: list[tuple[str, str, dict[str, Any]]] = [
        ("click", LIST, {"target": target("a", "Commande 1042", "#orders a[href='/commandes/1042']", text="1042")}),
        ("navigate", ORDER, {"cause": "link", "from_url": "https://app.oree.example/commandes"}),
        ("click", ORDER, {"target": target("a", "Rembourser", "a.refund", text="Rembourser")}),
        ("navigate", REFUND, {"cause": "link", "from_url": "https://app.oree.example/commandes/1042"}),
        ("fill", REFUND, {"target": target("input", "Montant", "input[name='amount']"), "value": "45,00"}),
        (
            "select",
            REFUND,
            {"target": target("select", "Motif", "select[name='reason']"), "option": "Article abîmé"},
        ),
        ("click", REFUND, {"target": target("button", "Valider le remboursement", "#refund button", type="submit")}),
        ("submit", REFUND, {"target": target("form", "Remboursement", "#refund")}),
        ("navigate", ORDER, {"cause": "form", "from_url": "https://app.oree.example/commandes/1042/remboursement"}),
    ]
    return [event(first + place, kind, url, **more) for place, (kind, url, more) in enumerate(steps)]


class Shower:
    """A client of the demonstrations' API: the member's browser, or the organization's server."""

    def __init__(self, client: APIClient) -> None:
        self.client = client

    def send(self, *events: dict[str, Any], session_id: str = SESSION, **more: Any) -> Any:
        body = {"session_id": session_id, "machine_id": MACHINE, "events": list(events), **more}
        return self.client.post("/api/v1/traces/stream/event", body, format="json")

    def post(self, what: str, session_id: str = SESSION, **more: Any) -> Any:
        return self.client.post(f"/api/v1/shadow/{what}", {"session_id": session_id, **more}, format="json")

    def understanding(self, session_id: str = SESSION, query: str = "") -> Any:
        return self.client.get(f"/api/v1/shadow/{session_id}/understanding{query}")

    def show(self, events: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
        """Show a whole task, and return the steps that were understood."""
        assert self.send(presence()).status_code == 202
        assert self.post("start").status_code == 200
        assert self.send(*(events or refund())).status_code == 202
        stopped = self.post("stop")
        assert stopped.status_code == 200, stopped.content
        steps: list[dict[str, Any]] = stopped.json()["understanding"]
        return steps

    def build(self, name: str = "Rembourser une commande", **more: Any) -> dict[str, Any]:
        """Validate all that was understood, and build."""
        assert self.post("feedback", action="validate").json()["status"] == "feedback_applied"
        built = self.post("build", name=name, **more)
        assert built.status_code == 200, built.content
        workflow: dict[str, Any] = built.json()["workflow_ir"]
        return workflow

    def build_again(self, **more: Any) -> dict[str, Any]:
        workflow: dict[str, Any] = self.post("build", name="Rembourser", **more).json()["workflow_ir"]
        return workflow

    def persist(self, workflow: Any) -> Any:
        return self.client.post(
            "/api/v1/lea/competences/candidate/persist",
            {"workflow_ir": workflow, "machine_id": MACHINE},
            format="json",
        )


def server_of(tenant: Tenant) -> Shower:
    """The organization's own server, with a secret key."""
    _key, value = sdk_key_create(organization=tenant.organization, actor=None, name="Serveur", kind=SdkKey.Kind.SECRET)
    return Shower(ApiFromPage(headers={"Authorization": f"Bearer {value}"}))


def browser_of_author(tenant: Tenant, role: str = "author") -> Shower:
    """A member's browser, with a recorder token."""
    code = recorder_code_create(organization=tenant.organization, actor=getattr(tenant, role))
    token = recorder_code_exchange(organization=tenant.organization, code=code).token
    return Shower(ApiFromPage(headers={"Authorization": f"Bearer {token}", "Origin": ORIGIN, "Accept-Language": "fr"}))
