"""Learnt pages: scans, page-skills and the routes they stand for."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SkillsConfig(AppConfig):
    name = "skills"
    verbose_name = _("Learnt pages")

    def ready(self) -> None:
        from skills import receivers, review

        receivers.connect()
        review.register()
