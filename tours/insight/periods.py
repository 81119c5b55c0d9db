"""The periods that figures are about, and the days or weeks that charts cut them into."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone

DAYS = (7, 30, 90)
DEFAULT_DAYS = 30
# A bar a day is readable for a month; for longer than that it is a bar a week.
LONGEST_IN_DAYS = 31
WEEK = 7


@dataclass(frozen=True, slots=True)
class Period:
    """The last so many days, today among them, in the platform's time zone."""

    days: int
    today: date

    @classmethod
    def of(cls, days: object) -> Period:
        """Return the period that an address names, or the usual one when it names none of ``DAYS``."""
        named = {str(one): one for one in DAYS}
        return cls(named.get(str(days), DEFAULT_DAYS), timezone.localdate())

    @property
    def since(self) -> datetime:
        """Return the first moment of the first day."""
        return _midnight(self.today - timedelta(days=self.days - 1))

    @property
    def before(self) -> datetime:
        """Return the first moment of the period of the same length before this one."""
        return _midnight(self.today - timedelta(days=2 * self.days - 1))

    @property
    def by_week(self) -> bool:
        return self.days > LONGEST_IN_DAYS

    @property
    def buckets(self) -> list[date]:
        """Return the days, or the Mondays of the weeks, that a chart shows; the first week may be cut."""
        first = self.bucket_of(self.today - timedelta(days=self.days - 1))
        step = WEEK if self.by_week else 1
        return [first + timedelta(days=n) for n in range(0, (self.today - first).days + 1, step)]

    def bucket_of(self, day: date) -> date:
        """Return the bucket that a day belongs to."""
        return day - timedelta(days=day.weekday()) if self.by_week else day


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
