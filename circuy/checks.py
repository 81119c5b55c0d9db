"""What `manage.py check` says of this installation, beside what Django says."""

from typing import Any

from django.core.checks import CheckMessage, Warning, register

from engine.embedding import current_embedder
from engine.embedding.space import space_file, trained_by


@register
def check_space(app_configs: Any, **_kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Warn when texts are to be read by a model whose space was never trained."""
    embedder = current_embedder()
    if embedder is None or space_file(embedder.model).is_file():
        return []
    return [
        Warning(
            f"No space was trained for the embedding model {embedder.model}: questions are answered by words alone.",
            hint=f"Run {trained_by(embedder)} once.",
            id="circuy.W001",
        )
    ]
