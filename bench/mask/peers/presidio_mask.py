"""Masks the texts given as a JSON list, with the recognizers of Presidio that need no language model."""

from __future__ import annotations

import json
import sys

from presidio_analyzer.predefined_recognizers import (  # type: ignore[import-not-found]
    CreditCardRecognizer,
    DateRecognizer,
    DeVatIdRecognizer,
    EmailRecognizer,
    IbanRecognizer,
    IpRecognizer,
    PhoneRecognizer,
)

RECOGNIZERS = [
    EmailRecognizer(),
    CreditCardRecognizer(),
    IbanRecognizer(),
    IpRecognizer(),
    DateRecognizer(),
    DeVatIdRecognizer(),
    PhoneRecognizer(supported_regions=("FR", "US", "GB", "DE", "BE", "CH")),
]


def masked(text: str) -> str:
    spans = []
    for recognizer in RECOGNIZERS:
        found = recognizer.analyze(text, recognizer.supported_entities, None) or []
        spans += [(result.start, result.end) for result in found if result.score >= 0.35]
    out, copied = "", 0
    for start, end in sorted(spans):
        if start >= copied:
            out += text[copied:start] + "[MASKED]"
        copied = max(copied, end)
    return out + text[copied:]


json.dump([masked(text) for text in json.load(sys.stdin)], sys.stdout)
