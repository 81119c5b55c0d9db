"""The one exception that services raise for a refusal the caller should read."""

from __future__ import annotations


class ServiceError(Exception):
    """A refusal with a stable machine code and a sentence for people.

    ``status`` is the HTTP status a door on the web answers with; ``fields`` names the parts of the
    input that are wrong, as ``{"path.to.field": "what is wrong and what to do"}``.
    """

    def __init__(self, code: str, detail: str, *, status: int = 400, fields: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.status = status
        self.fields = fields or {}


def not_found(detail: str) -> ServiceError:
    """The answer for what does not exist and for what belongs to somebody else: nobody can tell which."""
    return ServiceError("not_found", detail, status=404)
