"""`manage.py evaluate`: how many labelled questions reach the right element."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.evaluation import LabelledQuestion, Score, evaluate
from engine.indexing import page_vectors
from engine.service import propose_skill
from engine.types import EngineConfig, Page, Scan, ScanNode
from organizations.errors import ServiceError
from organizations.models import Organization
from organizations.scoping import tenant_scope
from tours.evaluation.runs import evaluation_continue, evaluation_start
from tours.evaluation.selectors import Measure, latest_measures, providers_of, reference_pages

SCANS = Path("demo/scans")
QUESTIONS = Path("demo/questions.json")


class Command(BaseCommand):
    """Asks every labelled question and prints the score and the misses.

    Of stored scans and a file of questions; or, with ``--organization``, of its published pages and its reference
    questions, as a measure that the administration shows too.
    """

    help = "Scores the engine on labelled questions. Exits 1 when the score is below --fail-under."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--questions", type=Path, default=settings.BASE_DIR / QUESTIONS, help="labelled questions")
        parser.add_argument("--scans", type=Path, default=settings.BASE_DIR / SCANS, help="folder of stored scans")
        parser.add_argument(
            "--fail-under", "--goal", dest="goal", type=float, default=0.0, help="least share of right answers, 0 to 1"
        )
        parser.add_argument("--organization", default="", help="short name of the organization whose pages are asked")
        parser.add_argument(
            "--provider",
            choices=["local", "model", "all"],
            default="local",
            help="with --organization: ask the local engine, its model (counted in the month's tokens), or both",
        )
        parser.add_argument(
            "--base-url", default="", help="ask an OpenAI-compatible server instead of the local engine"
        )
        parser.add_argument("--model", default="", help="the model on that server")
        parser.add_argument("--api-key", default="", help="its key")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["organization"]:
            self._measure(options["organization"], options["provider"], options["goal"])
        else:
            self._score_files(options)

    def _measure(self, slug: str, wanted: str, least: float) -> None:
        organization = Organization.objects.filter(slug=slug).first()
        if organization is None:
            raise CommandError(f"there is no organization {slug!r}")
        providers = {
            provider: label
            for provider, label in providers_of(organization)
            if wanted == "all" or (wanted == "local") == (provider == Organization.Provider.LOCAL)
        }
        if not providers:
            raise CommandError(f"{slug} has no model: set one in its settings")
        with tenant_scope(organization.pk):
            shares = [self._measure_one(organization, *one) for one in providers.items()]
        if min(shares) < least:
            raise CommandError(f"{min(shares):.0%} right, below {least:.0%}")

    def _measure_one(self, organization: Organization, provider: str, label: str) -> float:
        try:
            run = evaluation_start(organization=organization, actor=None, provider=provider, send=False)
        except ServiceError as error:
            raise CommandError(error.detail) from error
        while evaluation_continue(run_id=run.pk):
            pass
        run.refresh_from_db()
        measure = latest_measures().get((organization.pk, provider))
        if measure is None or measure.run.pk != run.pk:
            raise CommandError(f"{label}: {run.get_state_display()}")
        self._print_measure(measure, label)
        return measure.overall.share

    def _print_measure(self, measure: Measure, label: str) -> None:
        self.stdout.write(f"{label}: {measure.run.get_state_display()}")
        for page in reference_pages():
            score = measure.scores.get(page.key)
            if score is None:
                continue
            trend = "" if score.more_right is None else f"  {score.more_right:+d}"
            self.stdout.write(f"  {page.route_pattern:32} {score.right}/{score.asked} right{trend}")
            figures = {
                "top1": f"{score.top1}/{score.single}",
                "top3": f"{score.top3}/{score.single}",
                "plan_exact": f"{score.plans_exact}/{score.plans}",
                "absent_refused": f"{score.absent_refused}/{score.absent}",
                "false_refusals": f"{score.false_refusals}/{score.answerable}",
                "not_asked": str(score.unasked),
            }
            self.stdout.write("    " + "  ".join(f"{name} {value}" for name, value in figures.items()))
            for result in score.misses:
                wanted = " → ".join(result.reference.intent_ids) or "(nothing)"
                got = " → ".join(result.answer_ids) or f"({result.outcome})"
                self.stdout.write(f"    ✗ {result.reference.text}\n        wanted {wanted}\n        got    {got}")
        overall = measure.overall
        self.stdout.write(f"  all pages: {overall.right}/{overall.asked} right\n")

    def _score_files(self, options: dict[str, Any]) -> None:
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
    page = Page(proposal.name, proposal.summary, scan.url_pattern, scan.locale, proposal.intents)
    return replace(page, vectors=page_vectors(page))


def _right_share(score: Score) -> float:
    return sum(row.right for row in score.rows) / len(score.rows) if score.rows else 0.0
