"""
Render pages of Django's own administration in one language, in a Python that has Django: `render_admin.py FOLDER LANG`.
The same invented users stand behind every language; scripts and style sheets are left out.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import django
from django.conf import settings

PAGES = {
    "index": "/admin/",
    "users": "/admin/auth/user/",
    "user_add": "/admin/auth/user/add/",
    "user_change": "/admin/auth/user/2/change/",
    "user_delete": "/admin/auth/user/2/delete/",
    "user_history": "/admin/auth/user/2/history/",
    "groups": "/admin/auth/group/",
    "group_add": "/admin/auth/group/add/",
    "password": "/admin/password_change/",
}
INVENTED = ("alix", "brune", "cyprien", "diane", "elie", "flore", "gaspard", "hortense", "isaure", "jules")

settings.configure(
    SECRET_KEY="rendered-once",  # noqa: S106 - signs nothing that lasts
    ALLOWED_HOSTS=["testserver"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    STATIC_URL="/static/",
    INSTALLED_APPS=[
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.locale.LocaleMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
)
django.setup()

from django.contrib import admin  # noqa: E402
from django.contrib.auth.models import Group, User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import path  # noqa: E402

urlpatterns = [path("admin/", admin.site.urls)]


def main(folder: Path, language: str) -> None:
    call_command("migrate", verbosity=0)
    chief = User.objects.create_superuser("camille", "camille@example.org", "x")
    for name in INVENTED:
        User.objects.create_user(name, f"{name}@example.org", "x", is_staff=name < "f")
    Group.objects.bulk_create(Group(name=name) for name in ("Atelier", "Boutique"))
    client = Client(headers={"accept-language": language})
    client.force_login(chief)  # type: ignore[arg-type]  # not the product's user
    for name, url in PAGES.items():
        answer = client.get(url)
        assert answer.status_code == 200, f"{url}: {answer.status_code}"  # noqa: S101 - a script
        html = re.sub(r"<script\b.*?</script>|<link\b[^>]*>", "", answer.content.decode(), flags=re.DOTALL)
        (folder / f"{name}.html").write_text(html, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
