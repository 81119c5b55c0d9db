"""Masks a workflow that came from outside: what was built here is masked already, and stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.masking import Rule, mask
from organizations.masks import mask_rules
from organizations.models import Organization
from shadow.secret_fields import is_secret
from shadow.workflow_ir import WorkflowIR
from skills.payload import is_harmless

# What names something for programs: it is left out, or starred, rather than masked.
_CODES = frozenset({"version", "locale", "session_id", "shown_at", "id", "page", "parameter", "kind", "cause", "state"})
# Of these lists' members, what is no text of people's.
_NAMED_IN_CODE = {"parameters": frozenset({"name"}), "locators": frozenset({"value"})}
_SHORTEST = {"name": 120, "domain": 60}


def workflow_masked(ir: WorkflowIR, organization: Organization) -> WorkflowIR:
    """Return a workflow without personal data, and without the value of any element that holds a secret."""
    masks = mask_rules(organization)
    data = ir.to_json()
    for step in data["steps"]:
        for action in (*step.get("before", ()), step):
            _forget_secret(action)
            target = action.get("target")
            if target:
                target["locators"] = [one for one in target.get("locators", ()) if is_harmless(one["value"], masks)]
    used = {action.get("parameter") for step in data["steps"] for action in (*step.get("before", ()), step)}
    data["parameters"] = [one for one in data.get("parameters", ()) if one["name"] in used]
    return WorkflowIR.read({key: _masked(value, masks, key) for key, value in data.items()})


def _forget_secret(action: dict[str, Any]) -> None:
    """Elements are known by their names here as well: whoever sends a workflow may have typed it."""
    found = {locator["kind"]: locator["value"] for locator in (action.get("target") or {}).get("locators", ())}
    target = {
        **(action.get("target") or {}),
        "selector": found.get("css", ""),
        "fallbackSelector": found.get("fallback"),
    }
    if is_secret({"kind": action["kind"], "secret": action.get("secret"), "target": target}):
        for key in ("value", "option", "parameter"):
            action.pop(key, None)
        action["secret"] = True


def _masked(value: Any, masks: Sequence[Rule], key: str) -> Any:
    if isinstance(value, str):
        if key in _CODES:
            return value
        return _route_masked(value, masks) if key == "route" else mask(value, masks)[: _SHORTEST.get(key, 300)]
    if isinstance(value, list | tuple):
        return [_masked(one, masks, key) for one in value]
    if isinstance(value, dict):
        kept = _NAMED_IN_CODE.get(key, frozenset())
        return {name: one if name in kept else _masked(one, masks, name) for name, one in value.items()}
    return value


def _route_masked(route: str, masks: Sequence[Rule]) -> str:
    segments = route.split("/")
    return "/".join("*" if mask(segment, masks) != segment else segment for segment in segments)
