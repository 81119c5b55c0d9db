"""The review workflow for anything that needs a human yes."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ModerationConfig(AppConfig):
    name = "moderation"
    verbose_name = _("Review")

    def ready(self) -> None:
        from moderation import receivers

        receivers.connect()
