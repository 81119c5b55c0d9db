"""The ids that clients make up themselves."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _

from organizations.errors import ServiceError

ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


def id_clean(name: str, value: Any) -> str:
    """Return an id, or raise ``ServiceError`` (``invalid_input``, 422) naming the field."""
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise ServiceError(
            "invalid_input",
            _("The body is not as expected."),
            status=422,
            fields={name: _("1 to 64 letters, digits or _ . : - are expected")},
        )
    return value
