"""The log: one readable line a message."""

import logging
from typing import Any

# They run every few seconds, mostly to find nothing to do; what they do find is logged by whoever does it.
_PERIODIC = frozenset({"tours.tasks.requeue_stale_questions", "moderation.tasks.deliver_due_notifications"})


class WithoutPeriodicSuccesses(logging.Filter):
    """Drops “task succeeded” of the periodic tasks; their failures stay."""

    def filter(self, record: logging.LogRecord) -> bool:
        task = getattr(record, "data", None)
        return record.levelno > logging.INFO or not isinstance(task, dict) or task.get("name") not in _PERIODIC


def logging_config(level: str) -> dict[str, Any]:
    """Django's LOGGING, for every process: web, workers, commands."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"format": "%(asctime)s %(levelname)-7s %(name)s: %(message)s", "datefmt": "%H:%M:%S"},
        },
        "filters": {"without_periodic": {"()": WithoutPeriodicSuccesses}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["without_periodic"]}
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": ["console"], "level": level, "propagate": False},
            "django.db.backends": {"level": "INFO"},
            "celery.worker.strategy": {"level": "WARNING"},  # “task received”, said again when it has succeeded
            "celery.beat": {"level": "WARNING"},
            "httpx2": {"level": "WARNING"},  # “HTTP Request”, once for each text that a server reads
        },
    }
