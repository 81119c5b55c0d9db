"""What every test gets."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

pytest_plugins = ["tests.fixtures", "tests.running_stack"]


@pytest.fixture(autouse=True)
def _nothing_left_in_the_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Counters and hints of one test do not reach the next; tests without a database start no service."""
    yield
    if {"db", "transactional_db"} & set(request.fixturenames):
        cache.clear()


@pytest.fixture
def tasks_run_at_once() -> Iterator[None]:
    """Celery tasks run in the caller, when they are sent."""
    from circuy.celery import app

    app.conf.task_always_eager = True
    app.conf.task_eager_propagates = True
    yield
    app.conf.task_always_eager = False
    app.conf.task_eager_propagates = False
