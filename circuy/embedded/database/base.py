"""Django's PostgreSQL backend, which has the embedded server started before its first connection.

Commands that never touch the database (`makemessages`, `collectstatic`) therefore start nothing.
"""

from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from django.db.utils import OperationalError

from circuy.embedded.client import ensure_running
from circuy.embedded.errors import EmbeddedError


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL, started on demand. Raises Django's `OperationalError` when it cannot be."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        try:
            ensure_running(settings.PLACES, scratch=not settings.EMBEDDED_DURABLE)
        except EmbeddedError as error:
            raise OperationalError(str(error)) from error
        return super().get_new_connection(conn_params)
