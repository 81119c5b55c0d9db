"""The overview's charts: figures put into words, and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tours.insight.charts import Caption, Column, Part, Series, lines, stacked_bars
from tours.insight.periods import Period
from tours.insight.selectors import KINDS, Bucket, Totals


def questions_chart(period: Period, buckets: Sequence[Bucket], figures: Totals) -> SafeString:
    """Return a bar a day or a week: questions by what became of them."""
    columns = [
        Column(
            short_day(bucket.day),
            _said(period, bucket),
            [Part(kind, bucket.counts[kind]) for kind in KINDS],
        )
        for bucket in buckets
    ]
    description = _("%(asked)d questions in %(days)d days; %(answered)d of %(settled)d found an answer.") % {
        "asked": figures.asked,
        "days": period.days,
        "answered": figures.answered,
        "settled": figures.settled,
    }
    title = _("Questions by week, by outcome") if period.by_week else _("Questions by day, by outcome")
    return stacked_bars(Caption("questions", title, description), columns)


def times_chart(period: Period, buckets: Sequence[Bucket], figures: Totals) -> SafeString:
    """Return two lines, in seconds: what half of the answers took at most, and what nineteen in twenty did."""
    said = [
        _("%(when)s: half within %(median)s, 95 %% within %(slow)s")
        % {
            "when": when(period, bucket.day),
            "median": seconds(bucket.median_ms),
            "slow": seconds(bucket.slow_ms),
        }
        if bucket.median_ms is not None
        else _("%(when)s: no answer") % {"when": when(period, bucket.day)}
        for bucket in buckets
    ]
    series = [
        Series("slow", [_in_seconds(bucket.slow_ms) for bucket in buckets]),
        Series("median", [_in_seconds(bucket.median_ms) for bucket in buckets]),
    ]
    description = _("Over the whole period, half of the answers came within %(median)s and 95 %% within %(slow)s.") % {
        "median": seconds(figures.median_ms),
        "slow": seconds(figures.slow_ms),
    }
    labels = [short_day(bucket.day) for bucket in buckets]
    return lines(Caption("times", _("Time to an answer"), description), labels, said, series, unit=" s")


def legend() -> list[tuple[str, Any]]:
    """Return the kinds of outcomes, with their words."""
    return [(kind, label) for kind, (label, _outcomes) in KINDS.items()]


def when(period: Period, day: date) -> str:
    """Return a bucket's name in a sentence."""
    named = date_format(day, "DATE_FORMAT")
    return _("week of %(day)s") % {"day": named} if period.by_week else named


def short_day(day: date) -> str:
    """Return a day in few characters: “12 Nov”."""
    return date_format(day, pgettext("a day in few characters, as Django's date filter says it", "j N"))


def seconds(milliseconds: float | None) -> str:
    """Return a time as people read it: “320 ms”, “1.4 s”; a dash when there is none."""
    if milliseconds is None:
        return "–"
    if milliseconds < 1000:
        return f"{round(milliseconds)} ms"
    return f"{number_format(milliseconds / 1000, decimal_pos=1)} s"


def _in_seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def _said(period: Period, bucket: Bucket) -> str:
    asked = ngettext("%(n)d question", "%(n)d questions", bucket.asked) % {"n": bucket.asked}
    lines_said: list[tuple[Any, Any]] = [(when(period, bucket.day), asked)]
    lines_said += [(label, bucket.counts[kind]) for kind, (label, _outcomes) in KINDS.items() if bucket.counts[kind]]
    return "\n".join(_("%(what)s: %(said)s") % {"what": what, "said": said} for what, said in lines_said)
