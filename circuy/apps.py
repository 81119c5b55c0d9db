"""Circuy as a Django app: the room that wires the others."""

from django.apps import AppConfig


class CircuyConfig(AppConfig):
    """Loads the Celery app, so that every `shared_task` of the rooms belongs to it in web processes too."""

    name = "circuy"

    def ready(self) -> None:
        import circuy.celery  # noqa: F401
