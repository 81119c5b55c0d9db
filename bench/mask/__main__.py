"""Measures the masks on labelled texts: what is hidden of what must be, and how many texts lose what they may keep.

The last line is JSON: `recall` and `false_alarms` over the whole set, `n` texts. `--split dev` or `--split held`
measures one half: rules are tuned on the first only.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.browser.table import say
from engine.masking import mask
from engine.masking.rules import builtin_rules

HERE = Path(__file__).parent
INSTALLED = HERE.parents[1] / ".circuy/bench/mask"
PLAIN = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.]+|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|\b(?:\d[ -]?){13,19}\b"
    r"|\b[A-Z]{2}\d{2}[A-Z0-9 ]{11,30}\b|(?:\+|00)?\d[\d .()/-]{7,}\d"
)
Record = dict[str, Any]
Masking = Callable[[Sequence[str]], list[str]]


def plain_regexes(texts: Sequence[str]) -> list[str]:
    """What most applications do: one expression a kind."""
    return [PLAIN.sub("[MASKED]", text) for text in texts]


def ours(texts: Sequence[str]) -> list[str]:
    """The masks of this repository."""
    return [mask(text) for text in texts]


def asked(*command: str | Path) -> Masking:
    """A masking that a program does, from a JSON list to a JSON list."""

    def answers(texts: Sequence[str]) -> list[str]:
        answered: list[str] = json.loads(run(command, texts))
        return answered

    return answers


def run(command: Sequence[str | Path], given: object) -> str:
    """What `command` prints when it reads `given` as JSON."""
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "NODE_PATH": str(INSTALLED / "node/node_modules")}
    done = subprocess.run(  # noqa: S603 (our own programs)
        [str(part) for part in command],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return done.stdout


def is_hidden(value: str, out: str) -> bool:
    """Whether neither the datum nor a half of it can be read."""
    half = len(value) // 2
    return not any(part in out for part in (value, value[:half], value[half:]))


def is_harmed(record: Record, out: str) -> bool:
    """Whether the masked text lost anything that it may keep."""
    return any(kept not in out for kept in record["keep"])


def measure(records: list[Record], outs: list[str]) -> tuple[Counter[str], int]:
    """How many data of each class are hidden, and how many texts are harmed."""
    pairs = list(zip(records, outs, strict=True))
    hidden = Counter(
        datum["class"] for record, out in pairs for datum in record["must"] if is_hidden(datum["value"], out)
    )
    return hidden, sum(is_harmed(record, out) for record, out in pairs)


def slow_patterns() -> str:
    """What a checker for regular expressions says of the rules."""
    checker = HERE / "peers/redos.cjs"
    expressions = [
        [rule.pattern.pattern, "i" if rule.pattern.flags & re.IGNORECASE else ""] for rule in builtin_rules()
    ]
    counts = Counter(json.loads(run(["node", checker], expressions)))
    return ", ".join(f"{count} {status}" for status, count in counts.most_common())


def main() -> None:
    """Print the table, the failures of ours, and the line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=["dev", "held"])
    split = parser.parse_args().split
    lines = (HERE / "labelled.jsonl").read_text(encoding="utf-8").splitlines()
    records = [record for record in map(json.loads, lines) if split in (None, record["split"])]
    texts = [record["text"] for record in records]
    maskings: dict[str, Masking] = {"Circuy": ours, "plain regexes": plain_regexes}
    if (INSTALLED / "presidio/.installed").exists():
        maskings["Presidio*"] = asked(INSTALLED / "presidio/bin/python", HERE / "peers/presidio_mask.py")
    if (INSTALLED / "node/.installed").exists():
        maskings["redact-pii"] = asked("node", HERE / "peers/redact_pii.cjs")
    outs = {name: masking(texts) for name, masking in maskings.items()}
    measured = {name: measure(records, out) for name, out in outs.items()}

    totals = Counter(datum["class"] for record in records for datum in record["must"])
    say(f"{'hidden, of':22}{'':>6}" + "".join(f"{name:>15}" for name in maskings))
    for kind, total in sorted(totals.items()):
        say(f"{kind:22}{total:>6}" + "".join(f"{hidden[kind]:>15}" for hidden, _ in measured.values()))
    say(
        f"{'recall':22}{'':>6}"
        + "".join(f"{hidden.total() / totals.total():>15.1%}" for hidden, _ in measured.values())
    )
    say(f"{'false alarms, of':22}{len(records):>6}" + "".join(f"{harmed:>15}" for _, harmed in measured.values()))
    say("* its pattern recognizers; those that need a language model are left out")
    if "redact-pii" in maskings:
        say(f"patterns that could be slow, says recheck: {slow_patterns()}")
    for record, out in zip(records, outs["Circuy"], strict=True):
        missed = [datum["class"] for datum in record["must"] if not is_hidden(datum["value"], out)]
        if missed or is_harmed(record, out):
            say(f"  {'missed ' + ', '.join(missed) if missed else 'false alarm'}: {record['text']!r} → {out!r}")
    hidden, harmed = measured["Circuy"]
    recall, false_alarms = hidden.total() / totals.total(), harmed / len(records)
    say(json.dumps({"recall": round(recall, 4), "false_alarms": round(false_alarms, 4), "n": len(records)}))


if __name__ == "__main__":
    main()
