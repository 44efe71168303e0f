"""The body of Graph's getSchedule, and the parsing of the times in its answer; pure.

Only the status, start and end of an item are read. `availabilityView` is not, since it reports working elsewhere as
free.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec

from meetdeck.connections.icalendar import BusyTime, Kind
from meetdeck.connections.schedules import Schedule

_KINDS: Final = {"busy": Kind.BUSY, "oof": Kind.BUSY, "workingElsewhere": Kind.ELSEWHERE}
_TENTATIVE: Final = "tentative"
TOO_MANY: Final = "TooMany"
MALFORMED: Final = "Malformed"
_UNKNOWN: Final = "UnknownError"
_MOST_ITEMS: Final = 3_500
"""The most items that are read for a mailbox, as many as from a calendar's file."""
_LONGEST_CODE: Final = 100
_DIGITS: Final = 26  # Graph writes seven digits of a second, Python reads six


class _Time(msgspec.Struct, rename="camel"):
    date_time: str
    time_zone: str = "UTC"


class _Item(msgspec.Struct, rename="camel"):
    status: str
    start: _Time
    end: _Time


class _Error(msgspec.Struct, rename="camel"):
    response_code: str = _UNKNOWN


class _Schedule(msgspec.Struct, rename="camel"):
    schedule_id: str
    schedule_items: list[_Item] = []
    error: _Error | None = None


class _Answer(msgspec.Struct):
    value: Annotated[list[_Schedule], msgspec.Meta(max_length=1_000)]


def write_request(mailboxes: Sequence[str], window: tuple[datetime, datetime]) -> bytes:
    """Return the body that requests the times of mailboxes in a window."""
    begins_at, ends_at = ({"dateTime": f"{moment:%Y-%m-%dT%H:%M:%S}", "timeZone": "UTC"} for moment in window)
    asked = {"schedules": [*mailboxes], "startTime": begins_at, "endTime": ends_at, "availabilityViewInterval": 1_440}
    return msgspec.json.encode(asked)


def read_answer(
    body: bytes, window: tuple[datetime, datetime], *, tentative_blocks: bool = True
) -> Mapping[str, Schedule]:
    """Return the schedules in an answer, by address in lower case. Raises ValueError for a malformed answer.

    A mailbox with too many items or invalid times gets a problem; the others are read.
    """
    try:
        answer = msgspec.json.decode(body, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    return {one.schedule_id.lower(): _read(one, window, tentative_blocks=tentative_blocks) for one in answer.value}


def _read(schedule: _Schedule, window: tuple[datetime, datetime], *, tentative_blocks: bool) -> Schedule:
    if schedule.error is not None:
        code = schedule.error.response_code
        return Schedule([], code[:_LONGEST_CODE] if code.isascii() and code.isalnum() else _UNKNOWN)
    if len(schedule.schedule_items) > _MOST_ITEMS:
        return Schedule([], TOO_MANY)
    times = list[BusyTime]()
    try:
        for item in schedule.schedule_items:
            kind = Kind.BUSY if item.status == _TENTATIVE and tentative_blocks else _KINDS.get(item.status)
            starts_at, ends_at = _to_utc(item.start), _to_utc(item.end)
            if kind is not None and starts_at < ends_at and starts_at < window[1] and ends_at > window[0]:
                times.append(BusyTime(starts_at, ends_at, kind))
    except ValueError:
        return Schedule([], MALFORMED)
    return Schedule(times)


def _to_utc(time: _Time) -> datetime:
    """Return a moment in UTC. Raises ValueError for another zone: all are requested in UTC."""
    if time.time_zone != "UTC":
        raise ValueError(f"times in {time.time_zone} were not asked for")
    return datetime.fromisoformat(time.date_time[:_DIGITS]).replace(tzinfo=UTC)
