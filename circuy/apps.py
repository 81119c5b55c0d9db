"""Circuy as a Django app: the room that wires the others."""

from django.apps import AppConfig
from django.conf import settings

from engine.embedding import EmbeddingServer, use_server


class CircuyConfig(AppConfig):
    """Loads the Celery app, so that every `shared_task` of the rooms belongs to it in web processes too, and tells the
    engine who reads texts: it knows no settings."""

    name = "circuy"

    def ready(self) -> None:
        import circuy.celery
        import circuy.checks  # noqa: F401

        if settings.EMBEDDINGS_MODEL:
            use_server(
                EmbeddingServer(
                    base_url=settings.EMBEDDINGS_BASE_URL,
                    model=settings.EMBEDDINGS_MODEL,
                    spaces=settings.DATA_DIR / "spaces",
                    api_key=settings.EMBEDDINGS_API_KEY,
                )
            )
