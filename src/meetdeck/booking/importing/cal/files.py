"""Opening a folder with answers of Cal.com's API v2 as a source of an import."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar, cast

import msgspec

from meetdeck.booking.importing.cal.bookings import translate_bookings
from meetdeck.booking.importing.cal.event_types import translate_event_types
from meetdeck.booking.importing.cal.people import find_people
from meetdeck.booking.importing.cal.schedules import translate_schedules
from meetdeck.booking.importing.cal.schemas import (
    BookingItem,
    CalBooking,
    CalEventType,
    CalSchedule,
    CalUser,
    EventTypeItem,
    ScheduleItem,
    UserItem,
)
from meetdeck.booking.importing.documents import find_json_fault, read_items
from meetdeck.booking.importing.rows import Row
from meetdeck.booking.importing.translated import Report, TranslatedFolder
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import Invalid, SetupError
from meetdeck.platform.values import read_builtins

S = TypeVar("S", bound=msgspec.Struct)

FILES: Final = ("users", "event-types", "schedules", "bookings")
"""The beginnings of the files' names; each may have several files, such as `bookings-2.json`."""


def open_folder(folder: Path, now: datetime) -> TranslatedFolder:
    """Read and translate the files of a folder. Raises SetupError."""
    paths = {name: sorted(folder.glob(f"{name}*.json")) for name in FILES}
    if not any(paths.values()):
        named = ", ".join(f"{name}.json" for name in FILES)
        raise SetupError(f"{folder} must be a folder with answers of Cal.com's API: {named} (docs/moving-from-cal.md).")
    report = Report()
    rows = {name: [row for path in paths[name] for row in _read_file(path, report)] for name in FILES}
    users = [UserItem(*each) for each in _read_all(rows["users"], CalUser, report)]
    schedules = [ScheduleItem(*each) for each in _read_all(rows["schedules"], CalSchedule, report)]
    bookings = [BookingItem(*each) for each in _read_all(rows["bookings"], CalBooking, report)]
    event_types = [EventTypeItem(*each) for each in _read_all(rows["event-types"], CalEventType, report)]
    people = find_people(users, schedules, bookings)
    topics, groups = translate_event_types(event_types, people, report)
    weeks, entries = translate_schedules(schedules, people, now, report)
    entries += translate_bookings(bookings, people, now, report)
    translated = {
        Kind.TOPIC: topics,
        Kind.EMPLOYEE: people.rows,
        Kind.EMPLOYEE_SCHEDULE: weeks,
        Kind.CALENDAR_ENTRY: entries,
        Kind.COMPETENCE_GROUP: groups,
    }
    return TranslatedFolder(translated, report)


def _read_file(path: Path, report: Report) -> Iterator[Row]:
    """Yield the items of an answer, `{"status": "success", "data": […]}`. Raises SetupError."""
    try:
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        answer = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        data = bytes(answer.get("data", b""))
        is_one = data[:1] == b"{"  # `GET /v2/me`
        items = [msgspec.Raw(data)] if is_one else msgspec.json.decode(data, type=list[msgspec.Raw])
    except RecursionError:
        raise SetupError(f"{path} is nested too deeply.") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        fault = find_json_fault(content) or 'expected {"status": "success", "data": […]}'
        raise SetupError(f"{path} is not a response of Cal.com's API: {fault}.") from None
    yield from read_items(str(path), content, (content.find(data), items), "data", report.problems)


def _read_all(rows: Sequence[Row], body: type[S], report: Report) -> Iterator[tuple[Row, S]]:
    """Yield the readable items with their rows, and report the others."""
    for row in rows:
        try:
            yield row, read_builtins(_flatten(row.members), body)
        except Invalid as error:
            for fault in error.faults:
                report.problems.add(row, fault.pointer, fault.detail)


def _flatten(members: Mapping[str, object]) -> Mapping[str, object]:
    """Return a team's membership as its user."""
    user = members.get("user")
    if isinstance(user, dict) and "userId" in members:
        return {**cast("dict[str, object]", user), "id": members["userId"]}
    return members
