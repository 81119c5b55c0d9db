"""The same steps whatever the order in which events arrive; steps that people split and merge."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shadow.observer import Event, Segmenter, merge, segment, split
from tests.shadow.observer.made import ELEMENTS, ORDERS, Demonstration

_KINDS = ["click", "dblclick", "fill", "select", "check", "key", "submit", "upload", "navigate", "focus", "scroll"]
_said = st.fixed_dictionaries(
    {
        "kind": st.sampled_from([*_KINDS, "undo", "unseen", "pause"]),
        "element": st.sampled_from(sorted(ELEMENTS)),
        "wait": st.sampled_from([0.0, 0.1, 0.4, 2.0, 7.0]),
        "value": st.sampled_from(["", "1042", "Livrée"]),
        "checked": st.booleans(),
        "key": st.sampled_from(["Enter", "Space", "Escape", "Tab", "Control+s"]),
        "detail": st.sampled_from([0, 1, 2]),
        "cause": st.sampled_from(["link", "push", "replace", "typed", "back", "pop", "script"]),
        "undone": st.lists(st.integers(0, 12), max_size=2),
    }
)


def _events(acts: list[dict[str, Any]]) -> list[Event]:
    now, events = 0.0, []
    for number, act in enumerate(acts):
        now += act["wait"]
        kind = act["kind"]
        event = {"sequence": number, "kind": kind, "at": now, "url": ORDERS}
        if kind == "undo":
            event["undone"] = act["undone"]
        elif kind == "navigate":
            event |= {"cause": act["cause"], "url": f"{ORDERS}/{number % 3}", "from_url": ORDERS}
        else:
            event |= {"target": ELEMENTS[act["element"]]}
            event |= {key: act[key] for key in ("value", "checked", "key", "detail")}
        events.append(Event.from_wire(event))
    return events


@given(st.lists(_said, max_size=14), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_events_in_any_order_make_the_same_steps_as_all_at_once(acts, chance):
    events = _events(acts)
    segmenter = Segmenter("fr")
    for event in chance.sample(events, len(events)):
        segmenter.observe(event)
        segmenter.observe(event)
        assert all(step.intent for step in [*segmenter.steps, segmenter.current] if step is not None)
    segmenter.finish()
    steps = segment(events, "fr")
    assert segmenter.steps == steps
    assert all(0 < step.confidence <= 1 for step in steps)
    assert all(not set(one.events) & set(other.events) for one, other in pairwise(steps))


def test_the_last_step_is_open_until_the_recording_ends():
    shown = Demonstration().does("click", "refund").does("fill", "amount", value="12")
    segmenter = Segmenter("fr")
    for event in shown.events:
        segmenter.observe(event)
    assert [step.kind for step in segmenter.steps] == ["click"]
    assert segmenter.current is not None
    assert segmenter.current.value == "12"
    assert [notice.message for notice in segmenter.notices] == ["Étape 1 comprise : Cliquer sur Rembourser"]
    segmenter.finish()
    assert segmenter.current is None
    assert len(segmenter.steps) == len(segmenter.notices) == 2


def test_two_steps_merge_into_one_that_keeps_both_actions():
    shown = Demonstration().does("fill", "amount", value="12").does("click", "refund")
    merged = merge(shown.events[:1], shown.events[1:], "fr")
    assert merged.intent == "Saisir « 12 » dans Montant, puis cliquer sur Rembourser"
    assert (merged.kind, merged.events) == ("click", (0, 1))
    assert [part.value for part in merged.parts] == ["12", None]


def test_a_step_splits_where_both_sides_are_something_that_somebody_does():
    shown = Demonstration().does("click", "amount").does("fill", "amount", value="1").does("fill", "amount", value="12")
    assert [step.kind for step in split(shown.events, 1, "fr")] == ["click", "fill"]
    assert [step.value for step in split(shown.events, 2, "fr")] == ["1", "12"]
    left = Demonstration().does("click", "refund").goes("/fait", "script")
    assert len(split(left.events, 1, "fr")) == 1
