"""`manage.py reset_second_factor`: for whoever lost theirs, where no owner may do it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from organizations.models import User
from organizations.second_factor import second_factors_delete


class Command(BaseCommand):
    """Takes all second factors from an account: of its owner, a member of several organizations, a superuser."""

    help = "Deletes an account's authenticator app, passkeys and recovery codes. Its password stays."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the account's e-mail address")

    def handle(self, *_args: Any, **options: Any) -> None:
        person = User.objects.filter(email=options["email"].lower()).first()
        if person is None:
            raise CommandError(f"Nobody has the address {options['email']}.")
        if not second_factors_delete(person):
            raise CommandError(f"{person.email} has no second factor.")
        self.stdout.write(f"The second factors of {person.email} are gone.")
