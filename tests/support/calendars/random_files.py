"""Random iCalendar files with one series, as calendar programs write them and as they do not."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ZONES = ("UTC", "Europe/Copenhagen", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")


@dataclass(frozen=True)
class Case:
    """A file, and the window in which it is read."""

    file: str
    begin: datetime
    end: datetime
    zone: str


def make_case(random: Random) -> Case:
    """Return a file with a series, its exceptions and changes."""
    zone = random.choice(ZONES)
    start = datetime(random.choice([1997, 2015, 2024, 2026]), 1, 1) + timedelta(days=random.randrange(700))  # noqa: DTZ001
    start += timedelta(minutes=random.choice([540, 600, 615, 870]))
    stamp = _Stamp(random.choice(["date", "local", "zone", "zone", "utc"]), zone)
    rule, start = _make_rule(random, start, stamp)
    lines = [stamp.write("DTSTART", start), f"RRULE:{rule}"]
    lines.append(
        f"DURATION:P{random.randint(1, 3)}D"
        if stamp.form == "date"
        else f"DURATION:PT{random.choice([15, 30, 60, 90])}M"
    )
    starts = [start + timedelta(days=random.choice([1, 7, 7, 14, 30, 31, 365])) * number for number in range(6)]
    if random.random() < 0.3:
        lines += [stamp.write("EXDATE", one) for one in random.sample(starts, 2)]
    if random.random() < 0.3:
        lines.append(stamp.write("RDATE", start + timedelta(days=random.randrange(400))))
    events = [["UID:series", *lines]]
    if random.random() < 0.3 and "BYHOUR" not in rule:  # the other library takes the day for the time
        replaced = random.choice(starts[1:])
        moved = replaced + timedelta(days=random.randint(-2, 2))
        events.append(
            [
                "UID:series",
                stamp.write("RECURRENCE-ID", replaced),
                stamp.write("DTSTART", moved),
                lines[2],
                "SEQUENCE:1",
            ]
        )
    begin = start.replace(tzinfo=UTC) + timedelta(days=random.choice([-3, 0, 0, 5, 40, 400, 2_000]))
    return Case(write_file(*events), begin, begin + timedelta(days=random.choice([1, 30, 90, 370])), zone)


def write_file(*events: list[str]) -> str:
    """Return a file with events, each the lines of one."""
    wrapped = [line for lines in events for line in ("BEGIN:VEVENT", *lines, "END:VEVENT")]
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test", *wrapped, "END:VCALENDAR", ""])


@dataclass(frozen=True)
class _Stamp:
    """A form in which a file writes its dates."""

    form: str
    zone: str

    def write(self, name: str, moment: datetime) -> str:
        """Return a property."""
        if self.form == "date":
            return f"{name};VALUE=DATE:{moment:%Y%m%d}"
        if self.form == "zone":
            return f"{name};TZID={self.zone}:{moment:%Y%m%dT%H%M%S}"
        return f"{name}:{moment:%Y%m%dT%H%M%S}" + ("Z" if self.form == "utc" else "")


def _make_rule(random: Random, start: datetime, stamp: _Stamp) -> tuple[str, datetime]:
    """Return a rule, and the start of its entry."""
    frequency = random.choice(["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY", "YEARLY"])
    parts = [f"FREQ={frequency}"]

    def add(chance: float, text: str) -> None:
        if random.random() < chance:
            parts.append(text)

    add(0.4, f"INTERVAL={random.choice([1, 2, 3, 5, 12])}")
    add(0.3, f"WKST={random.choice(_WEEKDAYS)}")
    months = sorted(random.sample(range(1, 13), random.randint(1, 4)))
    add(0.3, f"BYMONTH={','.join(map(str, months))}")
    if frequency != "WEEKLY":
        add(0.3, f"BYMONTHDAY={','.join(str(random.choice([*range(1, 32), -1, -2, -7])) for _ in range(2))}")
    by_week = frequency == "YEARLY" and random.random() < 0.2
    if by_week:
        parts.append(f"BYWEEKNO={','.join(str(random.choice([1, 2, 20, 52, 53, -1, -2])) for _ in range(2))}")
    elif frequency == "YEARLY":
        add(0.2, f"BYYEARDAY={','.join(str(random.choice([1, 60, 100, 200, 365, 366, -1, -100])) for _ in range(3))}")
    ordinals = frequency in {"MONTHLY", "YEARLY"} and not by_week and random.random() < 0.5
    days = random.sample(_WEEKDAYS, random.randint(1, 4))
    if by_week or random.random() < 0.5:
        parts.append(
            "BYDAY=" + ",".join(f"{random.choice([1, 2, 3, 4, 5, -1, -2])}{day}" if ordinals else day for day in days)
        )
    if stamp.form != "date":
        add(0.1, f"BYHOUR={','.join(map(str, sorted(random.sample(range(8, 18), 2))))}")
        add(0.1, "BYMINUTE=0,30")
    if frequency != "WEEKLY" and len(parts) > 2:
        add(0.3, f"BYSETPOS={random.choice(['1', '-1', '2', '1,-1', '3'])}")
    parts += _make_end(random, start, stamp)
    random.shuffle(parts)
    return ";".join(parts), start


def _make_end(random: Random, start: datetime, stamp: _Stamp) -> list[str]:
    """Return how often or until when a rule repeats, or nothing."""
    ending = random.random()
    if ending < 0.25:
        return [f"COUNT={random.choice([1, 3, 10, 50, 700])}"]
    if ending > 0.5:
        return []
    until = start + timedelta(days=random.choice([10, 100, 1000, 5000]))
    if stamp.form == "date":
        return [f"UNTIL={until:%Y%m%d}"]
    return [f"UNTIL={until:%Y%m%dT%H%M%S}" + ("" if stamp.form == "local" else "Z")]
