"""Questions, answers, tours and what happens to them."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ToursConfig(AppConfig):
    name = "tours"
    verbose_name = _("Tours")

    def ready(self) -> None:
        from tours import receivers, review
        from tours.evaluation import gate

        receivers.connect()
        review.register()
        gate.register()
