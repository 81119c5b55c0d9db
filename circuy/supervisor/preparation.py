"""What must be true before the web server and the workers start: schema, static files."""

import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

# Any fixed number: whoever migrates this database holds the lock of that number.
_MIGRATION_LOCK = 0x63697263


def migrate_if_needed() -> bool:
    """Brings the schema up to date, one process at a time. Returns whether there was anything to do.

    A server that starts while another migrates waits for it, then finds nothing left to do.
    """
    if not _pending_migrations():
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATION_LOCK])
        try:
            pending = _pending_migrations()
            if pending:
                call_command("migrate", interactive=False, verbosity=0)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATION_LOCK])
    return pending


def _pending_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def collect_static_if_needed() -> bool:
    """Collects and compresses the static files when one was added, changed or removed. Returns whether it did."""
    stamp = settings.DATA_DIR / "static.stamp"
    digest = _static_digest()
    if settings.STATIC_ROOT.is_dir() and stamp.exists() and stamp.read_text() == digest:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(digest)
    settings.WHITENOISE_USE_FINDERS = settings.DEBUG  # decided at start, when there was nothing collected yet
    return True


def _static_digest() -> str:
    files = []
    for finder in get_finders():
        for name, storage in finder.list(ignore_patterns=[]):
            status = Path(storage.path(name)).stat()
            files.append((name, status.st_size, status.st_mtime_ns))
    return hashlib.sha256(json.dumps(sorted(files)).encode()).hexdigest()
