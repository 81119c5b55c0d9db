"""Learn every page of the corpus twice, and look its elements up in the real page: `make bench-learning`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence

from bench.browser.chromium import Tab, chromium, offline_context
from bench.browser.corpus import SavedPage, need_corpus, question_pages, releases, version_pages
from bench.browser.table import Table, say
from bench.engine.scans import BUNDLE
from bench.learning.checks import SCRIPT, call_of, faults_of, pairs_of, scan_of
from bench.learning.naming_model import NamingModel
from engine.service import propose_skill
from engine.types import EngineConfig, Scan, SkillProposal
from tests.fakes.llm_server import FakeLlmServer

_COLUMNS = ("intents", "lost", "unsound", "by model", "invented", "dropped", "fell back")


def main() -> None:
    """Print a row a page, what is wrong under it, and the summary as one JSON object on the last line."""
    parser = argparse.ArgumentParser(prog="make bench-learning", description="Learn the pages of the corpus.")
    parser.add_argument("--quick", action="store_true", help="only the pages that questions are asked about")
    options = parser.parse_args()
    need_corpus("bench-learning")
    pages = [*question_pages(), *([] if options.quick else _released())]
    totals: Counter[str] = Counter()
    table = Table("page", 44, _COLUMNS)
    with chromium() as browser, FakeLlmServer() as server:
        learner = _Learner(server)
        context = offline_context(browser)
        for number, page in enumerate(pages):
            tab = Tab(context, page.url, [BUNDLE.read_text(encoding="utf-8"), SCRIPT.read_text(encoding="utf-8")])
            counts, faults = learner.learn(tab, number)
            tab.close()
            table.row(page.name.removeprefix("pages/"), [str(counts[column]) for column in _COLUMNS])
            for fault in faults:
                say(f"    {fault}")
            totals.update(counts)
    say(
        json.dumps(
            {
                "pages": len(pages),
                "intents": totals["intents"],
                "unresolved": totals["lost"],
                "unsound": totals["unsound"],
                "by_model": totals["by model"],
                "invented": totals["invented"],
                "dropped": totals["dropped"],
                "fell_back": totals["fell back"],
            }
        )
    )


def _released() -> list[SavedPage]:
    return [SavedPage(f"{release}/{page.name}", page.file) for release in releases() for page in version_pages(release)]


class _Learner:
    """Learns pages by the rules and by a model that invents on each third page, and ends too early on each fifth."""

    def __init__(self, server: FakeLlmServer) -> None:
        self._server = server
        self._model = NamingModel()
        server.script = self._model
        self._config = EngineConfig("openai", server.base_url, "secret-key", "naming-model", timeout_s=30)

    def learn(self, tab: Tab, number: int) -> tuple[Counter[str], list[str]]:
        """Return the columns of the page's row, and what is wrong with what was learnt."""
        scan = scan_of(tab.call("CircuyResolving.scan()", seconds=60))
        offline = propose_skill(scan, locale=scan.locale, config=EngineConfig())
        is_cut = number % 5 == 4
        self._model.invents = number % 3 == 0 and not is_cut
        self._model.invented = 0
        self._server.behave("truncated" if is_cut else "ok")
        worded = propose_skill(scan, locale=scan.locale, config=self._config)
        lost = _lost(tab, scan, (offline, worded))
        faults = [*faults_of(offline, scan), *faults_of(worded, scan), *(f"not found: {one}" for one in lost)]
        by_model = sum(a.user_goal != b.user_goal for a, b in zip(offline.intents, worded.intents, strict=True))
        counts = Counter(
            {
                "intents": len(offline.intents),
                "lost": len(lost),
                "unsound": len(faults) - len(lost),
                "by model": by_model,
                "invented": self._model.invented,
                "dropped": worded.dropped,
                "fell back": int(bool(worded.fell_back)),
            }
        )
        return counts, faults


def _lost(tab: Tab, scan: Scan, proposals: Sequence[SkillProposal]) -> list[str]:
    pairs = sorted({pair for proposal in proposals for pair in pairs_of(proposal.intents, scan)})
    return [selector for _, selector in tab.call(call_of(pairs), seconds=60)]


if __name__ == "__main__":
    main()
