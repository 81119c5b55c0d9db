"""Pages of known applications in two releases: an action of the old one is found again in the new one, and no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser, BrowserContext

from bench.browser.chromium import Tab, offline_context
from bench.browser.corpus import VERSIONS
from bench.learning.checks import SCRIPT, scan_of
from engine.service import propose_skill
from engine.types import EngineConfig, Intent
from skills.matching import same_actions

pytestmark = pytest.mark.skipif(not VERSIONS.is_dir(), reason=f"no pages at {VERSIONS}: set CORPUS")

RELEASES = [
    ("django-2.2/user_change.html", "django-3.2/user_change.html"),
    ("django-3.2/users100.html", "django-4.2/users100.html"),
    ("django-4.2/flatpage_add.html", "django-5.2/flatpage_add.html"),
    ("adminlte-v3.0.5/pages/mailbox/mailbox.html", "adminlte-v3.2.0/pages/mailbox/mailbox.html"),
]
# Of the elements that are the same beyond doubt; a few of them differ in what they do: a link became a button.
ENOUGH = 0.95


def learnt(context: BrowserContext, page: str, bundle: str) -> tuple[Intent, ...]:
    tab = Tab(context, (VERSIONS / page).as_uri(), [bundle, SCRIPT.read_text(encoding="utf-8")])
    scan = scan_of(tab.call("CircuyResolving.scan()", seconds=60))
    tab.close()
    return propose_skill(scan, locale=scan.locale, config=EngineConfig()).intents


def alone(intents: Sequence[Intent]) -> dict[tuple[str, ...], str]:
    """The ids of intents whose element no other could be taken for, by what it is and what it says."""

    def identity(intent: Intent) -> tuple[str, ...]:
        element = intent.element
        return (intent.action_type, element.tag, element.type, element.name, element.label.replace("’", "'"))

    counted = Counter(map(identity, intents))
    return {identity(intent): intent.intent_id for intent in intents if counted[identity(intent)] == 1}


@pytest.mark.parametrize(("older", "newer"), RELEASES, ids=[older for older, _ in RELEASES])
def test_actions_are_found_again_in_the_next_release(browser: Browser, bundle: str, older: str, newer: str) -> None:
    context = offline_context(browser)
    before, after = learnt(context, older, bundle), learnt(context, newer, bundle)
    context.close()
    pairs = same_actions(after, before)
    known, now = alone(before), alone(after)
    same = {now[one]: known[one] for one in known.keys() & now.keys()}

    assert {new: pairs[new] for new in same if new in pairs and pairs[new] != same[new]} == {}
    assert len(same.keys() & pairs.keys()) >= ENOUGH * len(same)
    assert len(pairs) >= len(same)
