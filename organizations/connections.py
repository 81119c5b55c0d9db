"""The database connections of a process, of which there are fewer than threads."""

from django.db import connection


def lend_connection() -> None:
    """Give this thread's connection back to the pool before a long wait; the next query takes one again.

    Inside a transaction nothing is given back: it would be the end of it.
    """
    if not connection.in_atomic_block:
        connection.close()
