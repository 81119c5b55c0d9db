"""The organization that every test here is about is built once, and gone when the last of them is done."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.matrix.world import World, make_world


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    # Hundreds of refusals are what is expected here: writing each of them down takes longer than the refusing.
    logging.disable(logging.ERROR)
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)
    logging.disable(logging.NOTSET)
