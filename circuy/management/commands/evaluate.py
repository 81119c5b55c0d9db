"""`manage.py evaluate`: how many labelled questions reach the right element."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.evaluation import LabelledQuestion, Score, evaluate
from engine.service import propose_skill
from engine.types import EngineConfig, Page, Scan, ScanNode

SCANS = Path("demo/scans")
QUESTIONS = Path("demo/questions.json")


class Command(BaseCommand):
    """Learns the pages from stored scans, asks every labelled question, prints the score and the misses."""

    help = "Scores the engine on labelled questions. Exits 1 when the score is below --goal."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--questions", type=Path, default=settings.BASE_DIR / QUESTIONS, help="labelled questions")
        parser.add_argument("--scans", type=Path, default=settings.BASE_DIR / SCANS, help="folder of stored scans")
        parser.add_argument("--goal", type=float, default=0.0, help="least share of right answers, 0 to 1")
        parser.add_argument(
            "--base-url", default="", help="ask an OpenAI-compatible server instead of the local engine"
        )
        parser.add_argument("--model", default="", help="the model on that server")
        parser.add_argument("--api-key", default="", help="its key")

    def handle(self, *_args: Any, **options: Any) -> None:
        config = EngineConfig(
            provider="openai" if options["model"] else "local",
            base_url=options["base_url"],
            model=options["model"],
            api_key=options["api_key"],
            timeout_s=settings.ENGINE_TIMEOUT_S,
        )
        pages = {file.stem: _learn(file, config) for file in sorted(options["scans"].glob("*.json"))}
        try:
            labelled = json.loads(options["questions"].read_text(encoding="utf-8"))
            questions = [LabelledQuestion.from_json(entry) for entry in labelled]
            score = evaluate(questions, pages, config=config)
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"{options['questions']}: {error}") from error
        self._print(score)
        if _right_share(score) < options["goal"]:
            raise CommandError(f"{_right_share(score):.0%} right, below the goal of {options['goal']:.0%}")

    def _print(self, score: Score) -> None:
        for row in score.rows:
            mark = "✓" if row.right else "✗"
            asked = row.question
            self.stdout.write(f"{mark} {asked.page:22} {asked.locale}  {asked.question}")
            if not row.right:
                wanted = " → ".join(" or ".join(step) for step in asked.targets) or "(nothing)"
                self.stdout.write(f"      wanted {wanted}\n      got    {' → '.join(row.steps) or '(nothing)'}")
        self.stdout.write("")
        figures = {
            "questions": len(score.rows),
            "right": round(_right_share(score), 3),
            "top1": round(score.top1, 3),
            "top3": round(score.top3, 3),
            "plan_exact": round(score.plan_exact, 3),
            "absent_refused": round(score.absent_refused, 3),
            "false_refusals": round(score.false_refusals, 3),
        }
        for name, value in figures.items():
            self.stdout.write(f"{name:16} {value}")
        self.stdout.write(json.dumps(figures))


def _learn(file: Path, config: EngineConfig) -> Page:
    body = json.loads(file.read_text(encoding="utf-8"))
    scan = Scan(
        url_pattern=body["urlPattern"],
        page_title=body["pageTitle"],
        nodes=tuple(ScanNode.from_wire(node) for node in body["nodes"]),
        locale=body["locale"],
        name=body["name"],
    )
    proposal = propose_skill(scan, locale=scan.locale, config=config)
    return Page(proposal.name, proposal.summary, scan.url_pattern, scan.locale, proposal.intents)


def _right_share(score: Score) -> float:
    return sum(row.right for row in score.rows) / len(score.rows) if score.rows else 0.0
