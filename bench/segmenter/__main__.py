"""Understand demonstrations whose steps are known: see `make bench-segmenter ARGS=--help`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping

from bench.browser.chromium import chromium
from bench.browser.corpus import CORPUS
from bench.browser.table import Table, say
from bench.segmenter.families import HELD_OUT, TUNED, Policy
from bench.segmenter.miniwob import Stage, pages
from bench.segmenter.recordings import recorded
from bench.segmenter.truth import Episode, Score
from shadow.observer import segment

EPISODES = 12
QUICK_EPISODES = 3
PLAYS = 5
_COLUMNS = ["episodes", "exact", "precision", "recall", "naive"]


def main() -> None:
    """Print a row a family, and the summary: what was tuned on, and what was not."""
    parser = argparse.ArgumentParser(
        prog="make bench-segmenter", description="Measure how demonstrations are understood."
    )
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_EPISODES} episodes a family")
    parser.add_argument("--episodes", type=int, help=f"episodes a family (default: {EPISODES})")
    parser.add_argument("--misses", action="store_true", help="list what was understood otherwise than it was meant")
    options = parser.parse_args()
    count = options.episodes or (QUICK_EPISODES if options.quick else EPISODES)

    say("Per cent of demonstrations of which every step is right, of steps that are right, of steps that were found;")
    say("and of demonstrations that are right when each event is taken for a step.")
    table = Table("demonstrations", 36, _COLUMNS)
    recordings = _recordings(table)
    tuned, held = Score(), Score()
    folder = pages()
    if folder is None:
        say("The pages of MiniWoB++ cannot be had: measuring recordings alone.")
    else:
        with chromium() as browser:
            stage = Stage(browser, folder)
            tuned = _families(stage, table, TUNED, count, "written with these in view")
            held = _families(stage, table, HELD_OUT, count, "held out")
    if options.misses:
        _print_misses(recordings, tuned, held)
    _print_summary(recordings, tuned, held)


def _recordings(table: Table) -> Score:
    folder = CORPUS / "recordings"
    if not folder.is_dir():
        say(f"no recordings at {folder}: set CORPUS to the folder that holds recordings/")
        return Score()
    score = _scored(recorded(folder, PLAYS))
    table.row("public recordings, with noise", score.cells())
    return score


def _families(stage: Stage, table: Table, families: Mapping[str, Policy], count: int, called: str) -> Score:
    together = Score()
    for family, policy in families.items():
        score = _scored(stage.episodes(family, policy, count))
        table.row(family, score.cells())
        together.add(score)
    table.row(f"  all {len(families)} {called}", together.cells())
    return together


def _scored(episodes: Iterable[Episode]) -> Score:
    score = Score()
    for episode in episodes:
        score.count(episode, segment(episode.events))
    return score


def _print_misses(*scores: Score) -> None:
    for score in scores:
        for name, meant, understood in score.misses:
            say(f"\n{name}")
            say(f"  meant       {[tuple(deed) for deed in meant]}")
            say(f"  understood  {[tuple(deed) for deed in understood]}")


def _print_summary(recordings: Score, tuned: Score, held: Score) -> None:
    seen, everything = Score(), Score()
    seen.add(recordings)
    seen.add(tuned)
    everything.add(seen)
    everything.add(held)
    say()
    figures = {
        "exact": seen.share(seen.exact),
        "heldout_exact": held.share(held.exact) if held.episodes else None,
        "precision": everything.precision,
        "recall": everything.recall,
        "naive_exact": everything.share(everything.naive_exact),
        "episodes": everything.episodes,
    }
    say(json.dumps({name: round(value, 4) if isinstance(value, float) else value for name, value in figures.items()}))


if __name__ == "__main__":
    main()
