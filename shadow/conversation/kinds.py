"""What an HTTP status and a problem's code mean to Léa."""

from __future__ import annotations

from shadow.conversation.gateway import Call, Kind

_KINDS: dict[int, Kind] = {401: "unauthorized", 404: "not_found", 408: "timeout", 504: "timeout"}


def kind_of(status: int, code: str, call: Call) -> Kind:
    """Return the kind of ``GatewayError`` that a refusal is."""
    if code == "not_observing":
        return "not_observing"
    if status == 400 and call == "build" and code in ("nothing_validated", "not_all_validated", ""):
        return "bad_request"
    if status in _KINDS:
        return _KINDS[status]
    return "broken" if status >= 500 else "refused"
