"""The Celery app: two queues, so that a question never waits behind a page being learnt.

The database row is the truth and the queue a hint: a task takes ids, may run twice, and a sweeper finds what was lost.
"""

import os
from logging.config import dictConfig
from typing import Any

from celery import Celery, signals
from celery.schedules import crontab
from django.conf import settings
from kombu import Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "circuy.settings")

# A task that is acknowledged late is given to another worker after the visibility timeout: it must have ended by then.
HARD_TIME_LIMIT_S = 300
SOFT_TIME_LIMIT_S = 240
VISIBILITY_TIMEOUT_S = 900
# A broker that does not answer must not hold a web thread: the row is committed, and a sweeper finds it.
BROKER_TIMEOUT_S = 2


def broker_url(redis_url: str) -> str:
    """The address in Celery's words: Celery names a Unix socket `redis+socket`, redis-py `unix`."""
    return redis_url.replace("unix://", "redis+socket://", 1)


app = Celery("circuy")
app.conf.update(
    broker_url=broker_url(settings.REDIS_URL),
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "visibility_timeout": VISIBILITY_TIMEOUT_S,
        "socket_timeout": BROKER_TIMEOUT_S,
        "socket_connect_timeout": BROKER_TIMEOUT_S,
    },
    # Once more at once, for the connection that a restarted broker has closed; no longer.
    task_publish_retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0},
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_time_limit=HARD_TIME_LIMIT_S,
    task_soft_time_limit=SOFT_TIME_LIMIT_S,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    task_queues=[Queue("interactive"), Queue("bulk")],
    task_default_queue="bulk",
    task_routes={"tours.tasks.answer_question": {"queue": "interactive"}},
    timezone=settings.TIME_ZONE,
    beat_schedule_filename=str(settings.DATA_DIR / "beat-schedule"),
    beat_schedule={
        "requeue-stale-questions": {"task": "tours.tasks.requeue_stale_questions", "schedule": 30.0},
        "requeue-stale-scans": {"task": "skills.tasks.requeue_stale_scans", "schedule": 60.0},
        "renew-stale-indexes": {"task": "skills.tasks.renew_stale_indexes", "schedule": 300.0},
        "requeue-stale-runs": {"task": "tours.tasks.requeue_stale_runs", "schedule": 60.0},
        "deliver-due-notifications": {"task": "moderation.tasks.deliver_due_notifications", "schedule": 15.0},
        "expire-failing-tours": {"task": "tours.tasks.expire_failing_tours", "schedule": crontab(minute=10)},
        "apply-deadlines": {"task": "moderation.tasks.apply_deadlines", "schedule": crontab(minute=40)},
        "purge-expired": {"task": "organizations.tasks.purge_expired", "schedule": crontab(hour=3, minute=20)},
    },
)
app.autodiscover_tasks()


@signals.setup_logging.connect
def _log_like_django(**_kwargs: Any) -> None:
    dictConfig(settings.LOGGING)


@signals.celeryd_init.connect
@signals.beat_init.connect
@signals.before_task_publish.connect
def _have_the_broker_started(**_kwargs: Any) -> None:
    """Celery's own connections do not start the embedded Valkey as the cache's and the database's do."""
    if settings.REDIS_EMBEDDED:
        from circuy.embedded.client import ensure_running

        ensure_running(settings.PLACES, scratch=not settings.EMBEDDED_DURABLE)


@signals.worker_init.connect
def _be_ready_for_the_first_question(**_kwargs: Any) -> None:
    """Before the pool is forked, so that its processes share what is read."""
    import engine.remote.provider  # noqa: F401 - its client takes half a second to load
    from engine.service import warm_up

    warm_up()


@signals.worker_ready.connect
def _announce(**_kwargs: Any) -> None:
    """Tells the supervisor, through the pipe it gave, that this worker takes tasks."""
    if pipe := os.environ.pop("CIRCUY_READY_FD", None):
        os.write(int(pipe), b"1")
        os.close(int(pipe))
