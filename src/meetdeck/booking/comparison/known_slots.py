"""Reading a list of known slots: the answer of a slot search, as JSON, or a spreadsheet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from meetdeck.booking.importing import danish
from meetdeck.booking.importing.columns import MemberColumn
from meetdeck.booking.importing.documents import find_json_fault, read_items
from meetdeck.booking.importing.kinds import plain
from meetdeck.booking.importing.moments import read_moment
from meetdeck.booking.importing.rows import DEFAULT, FileProblem, FileProblems, Row
from meetdeck.booking.importing.spreadsheets import Layout, read_spreadsheet
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.errors import Invalid, SetupError
from meetdeck.platform.values import Moment, read_builtins

_SPREADSHEETS: Final = {".csv", ".tsv", ".txt"}
_MEMBERS: Final = {"at", "query", "slots"}

# The members of a slot, by the names that files use for them.
_MEMBER_BY_NAME: Final = {
    **dict.fromkeys(("employeeid", "employee", "medarbejder"), "employeeId"),
    **dict.fromkeys(("startdate", "start", "starttime", "fra"), "startDate"),
    **dict.fromkeys(("enddate", "end", "endtime", "til", "slut"), "endDate"),
    **dict.fromkeys(("meetingtype", "type", "mødetype"), "meetingType"),
}


class KnownSlot(msgspec.Struct, frozen=True, rename="camel"):
    """A slot of the list; the employee is an id, an e-mail address or a name; times may be the organization's."""

    employee_id: Annotated[str, Meta(min_length=1, max_length=500)]
    start_date: Moment
    end_date: Moment
    meeting_type: MeetingType


class KnownList(msgspec.Struct, frozen=True):
    """A list of known slots, each with its row; with the query and the time of the search, if the file has them."""

    name: str
    slots: list[tuple[Row, KnownSlot]]
    query: object
    """The text of a query or an address with one, or an object of parameters; None: missing."""
    at: Moment | None
    problems: list[FileProblem]
    warnings: list[FileProblem]


def read_known_slots(path: Path) -> KnownList:
    """Return the list in a file, with all problems of its rows. Raises SetupError for an unreadable file."""
    problems = FileProblems()
    name, query, at = str(path), None, None
    try:
        if path.suffix.lower() == ".json":
            content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
            listed, query, at = _read_document(name, content, problems)
            rows = map(_rename_members, read_items(name, content, listed, "slots", problems))
            slots = list(_read_slots(rows, problems))
        elif path.suffix.lower() in _SPREADSHEETS:
            slots = list(_read_slots(read_spreadsheet(path, _LAYOUT, problems), problems))
        else:
            raise SetupError(f"{path} is neither .json nor .csv; save it as one of these.")
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}.") from None
    return KnownList(name, slots, query, at, problems.list_by_line(), problems.warnings)


def _read_document(
    name: str, content: bytes, problems: FileProblems
) -> tuple[tuple[int, Sequence[msgspec.Raw]], object, Moment | None]:
    """Return the offset and items of the list in a JSON file, the query and the time."""
    try:
        if content.lstrip()[:1] == b"[":
            return (0, msgspec.json.decode(content, type=list[msgspec.Raw])), None, None
        members = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        for unknown in members.keys() - _MEMBERS:
            problems.warn(name, 1, unknown, "An unknown member, left out.")
        slots = members.get("slots", msgspec.Raw(b"null"))
        listed = content.find(bytes(slots)), msgspec.json.decode(slots, type=list[msgspec.Raw])
        query: Any = msgspec.json.decode(members.get("query", b"null"))
        at: Any = msgspec.json.decode(members.get("at", b"null"))
    except msgspec.ValidationError:
        raise SetupError(
            f'{name} must hold the response of a slot search, an array, or {{"at": …, "query": …, "slots": […]}}.'
        ) from None
    except RecursionError:
        raise SetupError(f"{name} is nested too deeply.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"{name} is not valid JSON: {find_json_fault(content) or error}.") from None
    return listed, query, _read_at(name, at)


def _read_at(name: str, at: object) -> Moment | None:
    try:
        return read_moment(at) if isinstance(at, str) else None
    except ValueError as error:
        raise SetupError(f"{name}: at: {error}.") from None


def _rename_members(row: Row) -> Row:
    """Return the row of a JSON file with the members' names of the search's answer; others are left out."""
    members = {
        _MEMBER_BY_NAME[known]: value
        for name, value in row.members.items()
        if (known := plain(name)) in _MEMBER_BY_NAME
    }
    return Row(row.file, row.line, members, place=row.place)


def _read_slots(rows: Iterable[Row], problems: FileProblems) -> Iterator[tuple[Row, KnownSlot]]:
    """Yield the slots of the valid rows; the faults of the others become problems."""
    for row in rows:
        given = {name: value for name, value in row.members.items() if value is not DEFAULT}
        try:
            slot = read_builtins(given, KnownSlot)
        except Invalid as error:
            for fault in error.faults:
                problems.add(row, fault.pointer, f"{fault.detail.rstrip('.')}.")
            continue
        fault = _find_fault_of_times(slot.start_date, slot.end_date)
        if fault:
            problems.add(row, "/endDate", fault)
        else:
            yield row, slot


def _find_fault_of_times(begin: datetime, end: datetime) -> str:
    if (begin.tzinfo is None) != (end.tzinfo is None):
        return "One of its times has an offset, and the other has none; write both in the same form."
    length = end - begin
    if length <= timedelta(0):
        return "It must end after it begins."
    return "" if length % timedelta(minutes=1) == timedelta(0) else "A slot lasts whole minutes."


def _read_cell_moment(text: str) -> str:
    return read_moment(text).isoformat()


def _read_meeting_type(text: str) -> str:
    return danish.MEETING_TYPES.get(text.strip().casefold(), text.strip())


@cache
def _list_columns(separator: str) -> Mapping[str, MemberColumn]:
    del separator  # no cell holds several values
    cells = {
        "employeeId": str.strip,
        "startDate": _read_cell_moment,
        "endDate": _read_cell_moment,
        "meetingType": _read_meeting_type,
    }
    columns = {member: MemberColumn(member, (member,), read) for member, read in cells.items()}
    return {name: columns[member] for name, member in _MEMBER_BY_NAME.items()}


def _find_column(known: Mapping[str, MemberColumn], title: str) -> MemberColumn | None:
    return known.get(plain(title))


_LAYOUT: Final = Layout(_list_columns, _find_column)
