from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from demo.seed import seed_maison_oree


class Command(BaseCommand):
    help = "Fill Maison Orée's back-office with demonstration data, unless it holds some already."

    def handle(self, *_args: Any, **_options: Any) -> None:
        written = seed_maison_oree()
        self.stdout.write(
            "Maison Orée is ready." if written else "Maison Orée holds data already: nothing was changed."
        )
