"""Demonstrations on MiniWoB++ pages, in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page

from bench.browser.bundles import bundled, pip_peers
from bench.browser.chromium import offline_context
from bench.segmenter.families import Policy
from bench.segmenter.hand import Hand, OutOfReachError
from bench.segmenter.truth import Episode
from shadow.observer import Event

HERE = Path(__file__).parent
# An episode of these pages ends by itself after a time, and starts at a press of its cover.
_BEGIN = "seed => { core.EPISODE_MAX_TIME = 1e8; Math.seedrandom(seed); core.startEpisodeReal(); CircuyWatch.start(); }"
_IS_OVER = "() => WOB_DONE_GLOBAL"


def pages() -> Path | None:
    """The folder of the pages; None, with a line, where they cannot be had."""
    python = pip_peers(HERE, "--no-deps")
    if python is None:
        return None
    return next(python.parent.parent.glob("lib/python*/site-packages/miniwob/html"), None)


class Stage:
    """One tab in which episodes are played. The same seed plays the same episode."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._context = offline_context(browser)
        self._folder = folder
        self._script = bundled(HERE / "page" / "watch.ts", "CircuyWatch")

    def episodes(self, family: str, policy: Policy, count: int) -> Iterator[Episode]:
        """Play a family's page `count` times."""
        page = self._context.new_page()
        page.goto((self._folder / "miniwob" / f"{family}.html").as_uri())
        page.evaluate(f"{self._script}\nglobalThis.CircuyWatch = CircuyWatch;")
        for number in range(count):
            yield _play(page, policy, f"{family} #{number}")
        page.close()


def _play(page: Page, policy: Policy, name: str) -> Episode:
    chance = Random(name)  # noqa: S311 - the same hand every time
    page.evaluate(_BEGIN, name)
    hand = Hand(page, chance)
    with suppress(OutOfReachError):
        for _ in policy(hand, chance):
            if page.evaluate(_IS_OVER):
                break
    told = page.evaluate("CircuyWatch.take()")
    elements = {event["sequence"]: event["number"] for event in told}
    return Episode(name, [Event.from_wire(event) for event in told], hand.meant, elements)
