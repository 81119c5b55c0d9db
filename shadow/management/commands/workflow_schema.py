"""Show the JSON Schema of workflows, or write it into the documentation."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from shadow.workflow_ir import schema_text


class Command(BaseCommand):
    help = "Shows the JSON Schema of workflows; with --write, writes docs/schemas/workflow-ir.schema.json."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", action="store_true", help="write the file instead")

    def handle(self, *_args: Any, write: bool, **_options: Any) -> None:
        if not write:
            self.stdout.write(schema_text(), ending="")
            return
        path = settings.BASE_DIR / "docs" / "schemas" / "workflow-ir.schema.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(schema_text(), encoding="utf-8")
