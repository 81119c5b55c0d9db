"""Figures about people, from rows about events: one GROUP BY over another, which Django's queries cannot say."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import QuerySet


def fold(rows: QuerySet[Any, Any], by: tuple[str, ...], **figures: str) -> list[dict[str, Any]]:
    """Return ``rows`` grouped again by some of their columns, with SQL aggregates over the others.

    ``rows`` is an aggregating ``values()`` queryset: it brings the tenant's scope with it, and nothing is read
    beside it. ``by`` and ``figures`` are ours, never a request's.
    """
    inner, params = rows.query.sql_with_params()
    columns = [*by, *figures]
    chosen = ", ".join([*by, *(f"{sql} AS {name}" for name, sql in figures.items())])
    groups = ", ".join(str(place + 1) for place in range(len(by)))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {chosen} FROM ({inner}) AS folded GROUP BY {groups}", params)  # noqa: S608
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
