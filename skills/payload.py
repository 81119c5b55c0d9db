"""The scan payload: what is accepted, masked once more, before it is stored."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import unquote

from django.utils.translation import gettext as _

from engine.masking import Rule, mask
from organizations.errors import ServiceError
from skills.routes import pattern_clean, pattern_masked

log = logging.getLogger(__name__)

MAX_NODES = 2_000
MAX_TEXT = 300
MAX_OPTIONS = 12
MAX_FINGERPRINT = 160
# Opaque here; what the scanner needs to write one, and nothing that any reader of it would have to escape.
FINGERPRINT = r"^[a-z0-9.~_:-]+$"
NODE_TEXTS = ("id", "tag", "type", "label", "placeholder", "role", "selector", "fallbackSelector", "name", "frame")
NODE_REQUIRED = ("id", "tag", "selector")
NODE_MASKED = ("type", "label", "placeholder", "role", "name")
# What finds an element, or means it elsewhere: masked it would find nothing.
NODE_KEYS = ("id", "tag", "selector", "frame")
CONTEXT_TEXTS = ("heading", "form", "group", "row", "column", "landmark")
_CSS_ESCAPE = re.compile(r"\\(?:(?P<code>[0-9A-Fa-f]{1,6})[ \t\n]?|(?P<plain>.))", re.DOTALL)
_LAST_CODE_POINT = 0x10FFFF
STATE_FLAGS = ("closed", "disabled", "required", "checked", "selected", "expanded", "ariaHidden")


def scan_payload_clean(data: Any, masks: Sequence[Rule] = ()) -> dict[str, Any]:
    """Return the ``PageScanPayload`` in ``data`` with its texts masked and unknown keys left out.

    ``masks`` are the organization's own, which come before those of all. A personal segment of the pattern becomes
    ``*``. A selector cannot be masked and still find something: a node whose own holds personal data is left out, a
    fallback, an opener or a fingerprint that does is taken away from its node; the log says how many.
    Raises ``ServiceError``: ``too_many_nodes`` (413), or ``invalid_scan`` (422) that names the first
    fields that are wrong. Nothing is repaired: a wrong scan is refused whole.
    """
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise _invalid({"nodes": _("a list of nodes is expected")})
    if len(data["nodes"]) > MAX_NODES:
        raise ServiceError(
            "too_many_nodes",
            _("The scan has %(count)d nodes, at most %(max)d are accepted. Learn the page in parts.")
            % {"count": len(data["nodes"]), "max": MAX_NODES},
            status=413,
        )
    wrong: dict[str, str] = {}
    for key in ("urlPattern", "pageTitle"):
        _check_text(data, key, wrong, prefix="", required=True)
    if not isinstance(data.get("truncated", False), bool):
        wrong["truncated"] = _("true or false is expected")
    nodes = [_node_clean(node, f"nodes[{index}]", wrong) for index, node in enumerate(data["nodes"])]
    if wrong:
        raise _invalid(wrong)
    kept = [node for node in nodes if not _is_named_after_somebody(node, masks)]
    if not any(node["isInteractive"] for node in kept):
        raise _invalid({"nodes": _("the page holds nothing that a user can act on")})
    masked = [_node_masked(node, masks) for node in kept]
    _log_dropped(len(nodes) - len(kept), kept, masked)
    return {
        "urlPattern": pattern_masked(pattern_clean(data["urlPattern"]), masks),
        "pageTitle": mask(data["pageTitle"], masks),
        "nodes": masked,
        **({"truncated": True} if data.get("truncated") else {}),
    }


def node_clean(data: Any, masks: Sequence[Rule] = ()) -> dict[str, Any]:
    """Return one ``A11yNode`` as a scan would keep it: checked, and masked as in ``scan_payload_clean``.

    Raises ``ServiceError`` (422): ``invalid_node`` naming the fields that are wrong, or ``personal_selector`` for one
    that a scan would leave out.
    """
    wrong: dict[str, str] = {}
    node = _node_clean(data, "node", wrong)
    if wrong:
        raise ServiceError("invalid_node", _("This is not an element of a page."), status=422, fields=wrong)
    if _is_named_after_somebody(node, masks):
        raise ServiceError(
            "personal_selector",
            _("What finds this element holds personal data: nobody else's page has it. Choose another element."),
            status=422,
        )
    return _node_masked(node, masks)


def _node_clean(node: Any, where: str, wrong: dict[str, str]) -> dict[str, Any]:
    if not isinstance(node, dict):
        wrong[where] = _("an object is expected")
        return {"isInteractive": False}
    for key in NODE_TEXTS:
        _check_text(node, key, wrong, prefix=where + ".", required=key in NODE_REQUIRED)
    interactive = node.get("isInteractive")
    if not isinstance(interactive, bool):
        wrong[f"{where}.isInteractive"] = _("true or false is expected")
    clean: dict[str, Any] = {key: node[key] for key in NODE_TEXTS if isinstance(node.get(key), str)}
    clean["isInteractive"] = interactive is True
    if node.get("fingerprint") is not None:
        clean["fingerprint"] = _fingerprint_clean(node["fingerprint"], f"{where}.fingerprint", wrong)
    if "options" in node:
        clean["options"] = _options_clean(node["options"], f"{where}.options", wrong)
    for key, cleaner in (("context", _context_clean), ("state", _state_clean)):
        if key in node:
            clean[key] = cleaner(node[key], f"{where}.{key}", wrong)
    return clean


def _node_masked(node: dict[str, Any], masks: Sequence[Rule]) -> dict[str, Any]:
    """Return a clean node with all that people could read in it masked."""
    hide = partial(mask, extra=masks)
    masked = {**node, **{key: hide(node[key]) for key in NODE_MASKED if key in node}}
    if "options" in node:
        masked["options"] = [hide(option) for option in node["options"]]
    if "context" in node:
        masked["context"] = {key: hide(text) for key, text in node["context"].items()}
    for key in ("fallbackSelector", "fingerprint"):
        if not is_harmless(node.get(key, ""), masks):
            del masked[key]
    if not is_harmless(node.get("state", {}).get("opener", ""), masks):
        masked["state"] = {key: value for key, value in node["state"].items() if key != "opener"}
    return masked


def _is_named_after_somebody(node: dict[str, Any], masks: Sequence[Rule]) -> bool:
    return not all(is_harmless(node.get(key, ""), masks) for key in NODE_KEYS)


def is_harmless(written: str, masks: Sequence[Rule]) -> bool:
    """Whether a selector holds no personal data, neither as it is written nor as a browser or a server reads it."""
    read = _CSS_ESCAPE.sub(_unescaped, written)
    # In a text #0612345678 is a reference; in a selector the sign says nothing of what follows.
    forms = {written, read, unquote(read), read.replace("#", " ")}
    return all(mask(form, masks) == form for form in forms)


def _unescaped(escape: re.Match[str]) -> str:
    if escape["plain"]:
        return escape["plain"]
    code = int(escape["code"], 16)
    return chr(code) if code <= _LAST_CODE_POINT else "\ufffd"


def _log_dropped(nodes: int, kept: list[dict[str, Any]], masked: list[dict[str, Any]]) -> None:
    parts = sum(
        len(before) - len(after) + len(before.get("state", {})) - len(after.get("state", {}))
        for before, after in zip(kept, masked, strict=True)
    )
    if nodes or parts:
        log.warning("a scan held personal data in selectors: %d nodes and %d parts of nodes left out", nodes, parts)


def _fingerprint_clean(fingerprint: Any, where: str, wrong: dict[str, str]) -> str:
    if not isinstance(fingerprint, str) or not re.fullmatch(FINGERPRINT, fingerprint):
        wrong[where] = _("only small letters, digits and . ~ _ : - are accepted")
        return ""
    if len(fingerprint) > MAX_FINGERPRINT:
        wrong[where] = _("at most %(max)d characters are accepted") % {"max": MAX_FINGERPRINT}
    return fingerprint


def _options_clean(options: Any, where: str, wrong: dict[str, str]) -> list[str]:
    if not isinstance(options, list) or len(options) > MAX_OPTIONS:
        wrong[where] = _("a list of at most %(max)d texts is expected") % {"max": MAX_OPTIONS}
        return []
    if not all(isinstance(option, str) and len(option) <= MAX_TEXT for option in options):
        wrong[where] = _("texts of at most %(max)d characters are expected") % {"max": MAX_TEXT}
        return []
    return [*options]


def _context_clean(context: Any, where: str, wrong: dict[str, str]) -> dict[str, str]:
    if not isinstance(context, dict):
        wrong[where] = _("an object is expected")
        return {}
    for key in CONTEXT_TEXTS:
        _check_text(context, key, wrong, prefix=where + ".")
    return {key: context[key] for key in CONTEXT_TEXTS if isinstance(context.get(key), str)}


def _state_clean(state: Any, where: str, wrong: dict[str, str]) -> dict[str, Any]:
    if not isinstance(state, dict):
        wrong[where] = _("an object is expected")
        return {}
    clean: dict[str, Any] = {}
    for key in STATE_FLAGS:
        if key in state and not isinstance(state[key], bool):
            wrong[f"{where}.{key}"] = _("true or false is expected")
        elif key in state:
            clean[key] = state[key]
    _check_text(state, "opener", wrong, prefix=where + ".")
    if isinstance(state.get("opener"), str):
        clean["opener"] = state["opener"]
    return clean


def _check_text(data: dict[str, Any], key: str, wrong: dict[str, str], *, prefix: str, required: bool = False) -> None:
    value = data.get(key)
    if value is None and not required:
        return
    if not isinstance(value, str) or (required and not value.strip()):
        wrong[prefix + key] = _("a text is expected")
    elif len(value) > MAX_TEXT:
        wrong[prefix + key] = _("at most %(max)d characters are accepted") % {"max": MAX_TEXT}


def _invalid(wrong: dict[str, str]) -> ServiceError:
    shown = dict(list(wrong.items())[:20])
    return ServiceError("invalid_scan", _("This is not a page scan."), status=422, fields=shown)
