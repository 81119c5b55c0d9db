"""No pattern can be slow: within a loop there is never more than one way to go on, and every loop ends.

So from one start a search takes at most as many steps as the longest match has characters, times a constant; and as
that length is bounded, a whole text takes time in proportion to its length."""

from __future__ import annotations

import re
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.masking import ExtraPatternError, compile_extra
from engine.masking.rules import builtin_rules

# Characters that stand for all that patterns tell apart.
SAMPLES = frozenset(chr(code) for code in range(128)) | set("éûÀÿŁΩЖ中ア\ufffc\ue000")


class Automaton:
    """The positions of a pattern (Glushkov's construction): fixed repetitions written out, others taken for loops."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.flags = pattern.flags
        self.symbols: list[frozenset[str]] = []
        self.follow: dict[int, set[int]] = {}
        self.endless = False
        self.doubled = False
        self.sequence(parser.parse(pattern.pattern, pattern.flags))

    def sequence(self, items) -> tuple[set[int], set[int], bool]:
        first: set[int] = set()
        last: set[int] = set()
        empty = True
        for item in items:
            item_first, item_last, item_empty = self.item(item)
            for position in last:
                self.follow[position] |= item_first
            first |= item_first if empty else set()
            last = item_last | (last if item_empty else set())
            empty = empty and item_empty
        return first, last, empty

    def item(self, item) -> tuple[set[int], set[int], bool]:
        kind, value = item
        if kind is op.SUBPATTERN:
            return self.sequence(value[3])
        if kind is op.BRANCH:
            options = [self.sequence(option) for option in value[1]]
            return (
                set().union(*(first for first, _, _ in options)),
                set().union(*(last for _, last, _ in options)),
                any(empty for _, _, empty in options),
            )
        if kind is op.MAX_REPEAT:
            fewest, most, body = value
            if fewest == most:
                return self.sequence(list(body) * fewest)
            first, last, empty = self.sequence(body)
            self.endless |= most is op.MAXREPEAT
            if most > 1:
                for position in last:
                    self.doubled |= bool(self.follow[position] & first)
                    self.follow[position] |= first
            return first, last, empty or fewest == 0
        if kind in (op.ASSERT, op.ASSERT_NOT):
            assert value[0] == 1, "looks behind"
            return set(), set(), True
        assert kind in (op.LITERAL, op.IN), f"{kind} is in no pattern of ours"
        one = re.compile(self.source(kind, value), self.flags & re.IGNORECASE)
        self.symbols.append(frozenset(char for char in SAMPLES if one.fullmatch(char)))
        position = len(self.symbols) - 1
        self.follow[position] = set()
        return {position}, {position}, False

    @staticmethod
    def source(kind, value) -> str:
        if kind is op.LITERAL:
            return re.escape(chr(value))
        parts = []
        for part, what in value:
            assert part in (op.LITERAL, op.RANGE), "negated sets match what no folding foresaw"
            low, high = (what, what) if part is op.LITERAL else what
            parts.append(f"{re.escape(chr(low))}-{re.escape(chr(high))}")
        return f"[{''.join(parts)}]"

    def reachable(self, start: int) -> set[int]:
        seen: set[int] = set()
        waiting = [start]
        while waiting:
            for position in self.follow[waiting.pop()] - seen:
                seen.add(position)
                waiting.append(position)
        return seen

    def ambiguous(self) -> bool:
        """Whether there is a position in a loop from which one character leads to two places, one of them in the same
        loop, or to one place in two ways."""
        reach = {position: self.reachable(position) for position in self.follow}
        return self.doubled or any(
            self.symbols[inside] & self.symbols[other]
            for position, following in self.follow.items()
            for inside in following
            if position in reach[inside]
            for other in following - {inside}
        )


@pytest.mark.parametrize("pattern", ["(?:a+)+b", "a*a*", "(?:a|ba|b[ac])*d", "[a-f]{1,9}[0-9a]{1,9}", "(?:a.?)*"])
def test_the_checker_knows_slow_patterns(pattern):
    pattern = pattern.replace(".", "[a-z]")
    assert Automaton(re.compile(pattern)).ambiguous()


@pytest.mark.parametrize("pattern", ["a+b+", "(?:[ -]{0,2}[0-9]){3,9}", "(?:ab|ac)[0-9]{2}"])
def test_the_checker_knows_quick_patterns(pattern):
    assert not Automaton(re.compile(pattern)).ambiguous()


@pytest.mark.parametrize("rule", builtin_rules(), ids=lambda rule: rule.pattern.pattern[:30])
def test_no_rule_can_be_slow(rule):
    automaton = Automaton(rule.pattern)
    assert not automaton.ambiguous()
    assert rule.resumes_at_end or not automaton.endless
    for around in filter(None, (rule.cue, rule.then, rule.somewhere)):
        assert not Automaton(around).ambiguous()


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab1é#?*\\ -.(+[|^$", min_size=1, max_size=20))
def test_no_pattern_of_an_organization_can_be_slow(pattern):
    try:
        (rule,) = compile_extra([pattern])
    except ExtraPatternError:
        return
    automaton = Automaton(rule.pattern)
    assert not automaton.ambiguous()
    assert not automaton.endless
