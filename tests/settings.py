"""The settings under test: Circuy's own, over a scratch data folder.

PostgreSQL and Valkey are the embedded ones, started at the first connection and gone with the last process that uses
them; `DATABASE_URL` and `REDIS_URL` point the tests to servers of one's own (the Redis is emptied between tests).
"""

import atexit
import os
import shutil
import tempfile

os.environ["CIRCUY_DATA_DIR"] = tempfile.mkdtemp(prefix="circuy-tests-")
os.environ.setdefault("SECRET_KEY", "the-tests-sign-with-this-key-and-nothing-else-does")
os.environ.setdefault("ENCRYPTION_KEYS", "dGhlLXRlc3RzLWVuY3J5cHQtd2l0aC10aGlzLWtleS4=")

from circuy.settings import *  # noqa: F403
from circuy.settings import DATA_DIR, PLACES, STATIC_ROOT

EMBEDDED_DURABLE = False
STATIC_ROOT.mkdir()  # nothing is collected: the files come from their sources
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@atexit.register
def _remove_unused_folder() -> None:
    """The keeper removes the folder when services ran in it; otherwise nobody else does."""
    if not PLACES.state.exists():
        shutil.rmtree(DATA_DIR, ignore_errors=True)
