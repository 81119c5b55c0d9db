"""`manage.py create_organization`: a new tenant, from the command line."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from organizations.errors import ServiceError
from organizations.onboarding import organization_create


class Command(BaseCommand):
    """Creates an organization, its owner and a publishable key, and prints the script tag."""

    help = "Creates an organization. The owner's password is read from CIRCUY_OWNER_PASSWORD or asked for."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--name", required=True, help="the organization's name")
        parser.add_argument("--owner", required=True, help="e-mail address of its first member")
        parser.add_argument("--origin", action="append", required=True, help="https://app.example.com; repeatable")
        parser.add_argument("--locale", default="fr", choices=["fr", "en"])

    def handle(self, *_args: Any, **options: Any) -> None:
        from getpass import getpass

        password = os.environ.get("CIRCUY_OWNER_PASSWORD") or getpass(f"Password for {options['owner']}: ")
        try:
            made = organization_create(
                name=options["name"],
                owner_email=options["owner"],
                owner_password=password,
                origins=options["origin"],
                locale=options["locale"],
            )
        except ServiceError as error:
            lines = [error.detail, *(f"  {field}: {text}" for field, text in error.fields.items())]
            raise CommandError("\n".join(lines)) from error
        server = settings.PUBLIC_URL
        self.stdout.write(f"{made.organization.name}: {server}/admin/ ({made.owner.email})")
        self.stdout.write(
            f'<script src="{server}/static/circuy/circuy.js" data-key="{made.publishable_key}" async></script>'
        )
