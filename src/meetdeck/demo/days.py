"""The days of the demo firms: nine weeks of meetings around today, with their outcomes (no database here).

The coming three weeks are lightly filled, and there is nothing after them, so people who try the API find free
advisors.
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from enum import Enum
from itertools import count
from typing import Final, NamedTuple

from meetdeck.booking.slots.model import MeetingType
from meetdeck.demo.firm import WEEKDAYS, ZONE, Advisor, Firm

PAST: Final = timedelta(weeks=6)
COMING: Final = timedelta(weeks=3)
_BUSY_ADVISORS: Final = 4
"""The number of advisors who have meetings in the coming weeks."""
_DAY: Final = timedelta(days=1)
_STARTS: Final = (timedelta(minutes=30), timedelta(hours=4, minutes=30))
"""When an advisor's meetings of a day begin, after the start of the working day."""

CUSTOMERS: Final = (
    *("Agnes Skov", "Aksel Bjerre", "Astrid Munk", "Birgit Hald", "Christian Vang", "Dorte Bang", "Ejnar Toft"),
    *("Ellen Kragh", "Emma Dalgaard", "Erik Nørgaard", "Freja Winther", "Gustav Holst", "Hanne Riis", "Ib Søgaard"),
    *("Inger Ravn", "Jens Østergaard", "Johanne Lund", "Karl Thorsen", "Kirsten Brandt", "Lærke Vinter"),
    *("Mads Kirkegaard", "Maria Olsen", "Mikkel Storm", "Nina Ager", "Oscar Bech", "Pernille Dam", "Poul Hedegaard"),
    *("Rikke Steen", "Sven Aagaard", "Tove Bisgaard", "Valdemar Krog", "Yrsa Falk"),
)


class Outcome(Enum):
    """The state of a demo meeting: attended, missed, cancelled or still to come."""

    PLANNED = "planned"
    ATTENDED = "attended"
    NO_SHOW = "no-show"
    UNSAID = "unsaid"
    """The meeting is over, and attendance is not recorded."""
    CANCELLED = "cancelled"


class DemoMeeting(NamedTuple):
    """A meeting of a demo firm, and when its outcome was recorded."""

    advisor: str
    topic: str
    meeting_type: MeetingType
    starts_at: datetime
    ends_at: datetime
    booked_at: datetime
    customer: int
    """The customer's index in `CUSTOMERS`."""
    outcome: Outcome

    @property
    def recorded_at(self) -> datetime:
        """Return when it was cancelled, or its attendance was recorded."""
        if self.outcome is Outcome.CANCELLED:
            return self.booked_at + (self.starts_at - self.booked_at) / 8
        return self.ends_at


def plan_meetings(firm: Firm, now: datetime) -> list[DemoMeeting]:
    """Return a firm's meetings of the last six and the next three weeks: always the same for a firm and day."""
    today, numbers = now.astimezone(ZONE).date(), count(1)
    first, last = today - PAST, today + COMING
    days = (first + _DAY * number for number in range((last - first).days))
    return [
        meeting
        for day in days
        if day.weekday() in WEEKDAYS
        for place, advisor in enumerate(one for one in firm.advisors if one.active)
        if day < today or place < _BUSY_ADVISORS
        for meeting in _plan_day(firm, advisor, day, place, numbers, now)
    ]


def _plan_day(
    firm: Firm, advisor: Advisor, day: date, place: int, numbers: Iterator[int], now: datetime
) -> Iterator[DemoMeeting]:
    """Yield an advisor's meetings of a day, at most two."""
    minutes_by_topic = {name: minutes for name, minutes, _ in firm.topics}
    for turn in range((day.toordinal() * 2 + place) % 3):
        number = next(numbers)
        topic = advisor.topics[number % len(advisor.topics)]
        starts_at = datetime.combine(day, advisor.hours[0], ZONE) + _STARTS[turn]
        ends_at = starts_at + timedelta(minutes=minutes_by_topic[topic])
        yield DemoMeeting(
            advisor=advisor.name,
            topic=topic,
            meeting_type=MeetingType(advisor.meeting_types[number % len(advisor.meeting_types)]),
            starts_at=starts_at,
            ends_at=ends_at,
            booked_at=min(starts_at, now) - timedelta(days=1 + number % 12, hours=number % 5),
            customer=number * 7 % len(CUSTOMERS),
            outcome=_choose_outcome(number, is_over=ends_at <= now),
        )


def _choose_outcome(number: int, *, is_over: bool) -> Outcome:
    """Return the outcome of the firm's meeting of a number: every ninth is cancelled, every eleventh a no-show."""
    if (number + 5) % 9 == 0:
        return Outcome.CANCELLED
    if not is_over:
        return Outcome.PLANNED
    if (number + 8) % 11 == 0:
        return Outcome.NO_SHOW
    return Outcome.ATTENDED if number % 8 else Outcome.UNSAID


def find_workday(now: datetime, days: int) -> datetime:
    """Return the midnight, in the firms' zone, of the first workday at least this many days away."""
    day = now.astimezone(ZONE).date() + _DAY * days
    while day.weekday() not in WEEKDAYS:
        day += _DAY
    return datetime.combine(day, time(), ZONE)
