"""Real tokens, counted by the tokenizer that `bench/scan` brings."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence

from bench.browser.bundles import ASIDE, npm_peers
from bench.browser.corpus import ROOT

_COUNT = """
require(process.argv[1]);
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(texts.map((text) => globalThis.countTokens(text))));
"""


def count_tokens(texts: Sequence[str]) -> list[int] | None:
    """The tokens of each text (o200k); None, after a line that says so, where the tokenizer cannot be had."""
    if npm_peers(ROOT / "bench" / "scan", "tokenizer.js") is None:
        return None
    bundle = ASIDE / "scan" / "bundled-tokenizer.js"
    counted = subprocess.run(  # noqa: S603 - a fixed command
        ["node", "-e", _COUNT, str(bundle)],  # noqa: S607
        input=json.dumps(list(texts)),
        capture_output=True,
        text=True,
        check=True,
    )
    numbers: list[int] = json.loads(counted.stdout)
    return numbers
