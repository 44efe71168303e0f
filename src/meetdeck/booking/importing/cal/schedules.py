"""Cal.com's default schedules as employee schedules, and their overrides as calendar entries."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from meetdeck.booking.importing.cal.people import People
from meetdeck.booking.importing.cal.schemas import CalSchedule, ScheduleItem
from meetdeck.booking.importing.rows import Row
from meetdeck.booking.importing.translated import Report, replace_hours


def translate_schedules(
    items: Iterable[ScheduleItem], people: People, now: datetime, report: Report
) -> tuple[list[Row], list[Row]]:
    """Return the schedules of employees, and the entries of the overrides from today on."""
    schedules: list[Row] = []
    entries: list[Row] = []
    for row, content in items:
        address = people.find_address(content.owner_id)
        if not content.is_default:
            report.leave_out(row, "isDefault", "Left out: an employee has one schedule, the default.", content.name)
        elif address is None:
            report.leave_out(row, "ownerId", "Left out: users.json has no such user.", content.name)
        else:
            members: dict[str, object] = {"employeeId": address, "workdays": _write_workdays(content)}
            schedules.append(Row(row.file, row.line, members, place=row.place))
            try:
                written = list(_write_overrides(address, content, now))
            except (ValueError, KeyError, OverflowError) as error:
                report.problems.add(row, "/overrides", f"A date, time or time zone cannot be read: {error}.")
                continue
            entries += [Row(row.file, row.line, entry, place=row.place) for entry in written]
    return schedules, entries


def _write_workdays(content: CalSchedule) -> list[object]:
    return [
        {"dayOfWeek": day, "from": hours.start_time, "to": hours.end_time}
        for hours in content.availability
        for day in hours.days
    ]


def _write_overrides(address: str, content: CalSchedule, now: datetime) -> Iterator[dict[str, object]]:
    """Yield entries that replace the hours of each date. Raises ValueError, KeyError or OverflowError."""
    if not content.overrides:
        return
    zone = ZoneInfo(content.time_zone)
    spans: defaultdict[date, list[tuple[datetime, datetime]]] = defaultdict(list)
    for override in content.overrides:
        day = date.fromisoformat(override.date)
        begins, ends = _read_time(override.start_time), _read_time(override.end_time)
        last_day = day + timedelta(days=1) if begins > ends == time() else day
        spans[day].append((datetime.combine(day, begins, zone), datetime.combine(last_day, ends, zone)))
    for day, hours in sorted(spans.items()):
        if day >= now.astimezone(zone).date():
            yield from replace_hours(address, day, sorted(hours), zone)


def _read_time(text: str) -> time:
    """Return a time of day. Raises ValueError."""
    found = time.fromisoformat(text)
    if found.tzinfo is not None:
        raise ValueError(f"'{text}' has an offset")
    return found
