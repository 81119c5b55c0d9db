"""Reading steps while they are written."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engine.remote.growing import StepReader

PIECES = ['"', "\\", "}", "]", '{"steps": [', "\\u00e9", '", "steps": [{"i": "i9"}]']
TEXTS = st.text(max_size=30) | st.sampled_from(PIECES)
STEPS = st.lists(st.fixed_dictionaries({"i": TEXTS, "title": TEXTS, "text": TEXTS}), max_size=4)


def read(pieces: list[str]) -> list[dict[str, object]]:
    reader = StepReader()
    return [step for piece in pieces for step in reader.feed(piece)]


@given(TEXTS, STEPS, st.lists(st.integers(1, 9), min_size=1), st.booleans())
def test_wherever_a_text_is_cut_the_steps_are_those_of_the_whole(title, steps, lengths, ascii_only):
    text = json.dumps({"title": title, "steps": steps, "more": [{"i": "no step"}]}, ensure_ascii=ascii_only)
    pieces, at = [], 0
    while at < len(text):
        length = lengths[len(pieces) % len(lengths)]
        pieces.append(text[at : at + length])
        at += length
    assert read(pieces) == steps


@given(st.text(max_size=200))
def test_no_text_breaks_it(text):
    assert all(isinstance(step, dict) for step in read([*text, '{"steps": [', text, "{", text, "}"]))


def test_a_step_is_there_as_soon_as_it_closes():
    reader = StepReader()
    assert reader.feed('{"title": "Remise", "steps": [{"i": "i1", "title": "a", "text": "b"') == []
    assert reader.feed("}") == [{"i": "i1", "title": "a", "text": "b"}]
    assert reader.feed(', {"i": "i2"') == []


def test_what_stands_before_the_object_is_passed_over():
    fenced = 'Voici [ma] réponse :\n```json\n{"steps": [{"i": "i1"}]}\n```'
    assert read([fenced]) == [{"i": "i1"}]


def test_objects_elsewhere_are_no_steps():
    assert read(['{"title": {"i": "i1"}, "stages": [{"i": "i2"}], "deep": {"steps": [{"i": "i3"}]}}']) == []


def test_a_step_may_hold_objects():
    assert read(['{"steps": [{"i": "i1", "more": {"a": [1, {"b": 2}]}}, 7, "x"]}']) == [
        {"i": "i1", "more": {"a": [1, {"b": 2}]}}
    ]


def test_a_step_without_an_end_is_not_kept_for_ever():
    reader = StepReader()
    reader.feed('{"steps": [{"i": "')
    for _ in range(100):
        reader.feed("x" * 1000)
    assert reader.feed('"}') == []
