"""Reading ids while they are written."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engine.remote.growing import IdReader

PIECES = ['"', "\\", "}", "]", '{"steps": [', "\\u00e9", '", "steps": ["9"]']
TEXTS = st.text(max_size=30) | st.sampled_from(PIECES)
IDS = st.lists(st.from_regex(r"[0-9]{1,3}[a-z]?", fullmatch=True), max_size=6)


def read(pieces: list[str]) -> list[str]:
    reader = IdReader()
    return [one for piece in pieces for one in reader.feed(piece)]


@given(TEXTS, IDS, st.lists(st.integers(1, 9), min_size=1), st.booleans())
def test_wherever_a_text_is_cut_the_ids_are_those_of_the_whole(title, ids, lengths, title_first):
    whole = {"title": title, "steps": ids} if title_first else {"steps": ids, "title": title}
    text = json.dumps({**whole, "more": ["no step"]})
    pieces, at = [], 0
    while at < len(text):
        length = lengths[len(pieces) % len(lengths)]
        pieces.append(text[at : at + length])
        at += length
    assert read(pieces) == ids


@given(st.text(max_size=200))
def test_no_text_breaks_it(text):
    assert all(isinstance(one, str) for one in read([*text, '{"steps": [', text, '"', text, '"']))


def test_an_id_is_there_as_soon_as_it_closes():
    reader = IdReader()
    assert reader.feed('{"steps": ["12') == []
    assert reader.feed('"') == ["12"]
    assert reader.feed(', "1') == []
    assert not reader.is_done


def test_the_list_is_done_before_the_title_is_written():
    reader = IdReader()
    assert reader.feed('{"steps": ["12"], "ti') == ["12"]
    assert reader.is_done


def test_what_stands_before_the_object_is_passed_over():
    fenced = 'Voici [ma] réponse :\n```json\n{"steps": ["1"]}\n```'
    assert read([fenced]) == ["1"]


def test_strings_elsewhere_are_no_ids():
    assert read(['{"title": "1", "stages": ["2"], "deep": {"steps": ["3"]}, "steps": [["4"], {"i": "5"}, "6"]}']) == [
        "6"
    ]


def test_a_string_without_an_end_is_not_kept_for_ever():
    reader = IdReader()
    reader.feed('{"steps": ["')
    for _ in range(100):
        reader.feed("x" * 1000)
    [cut] = reader.feed('"')
    assert len(cut) < 100
