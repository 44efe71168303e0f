"""Checks of single lines as they arrive: texts of all tables, and the members of the most numerous resources."""

import re
from collections.abc import Generator, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec

from meetdeck.administration.archives.reading import BrokenArchive, shorten
from meetdeck.administration.exports.checks.checking import describe_fault
from meetdeck.booking.scheduling.meetings.schemas.meetings import MeetingContent
from meetdeck.booking.scheduling.wishes.schemas import WishContent
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.values import SingleLine, read_builtins

_BODIES: Final[Mapping[str, tuple[type[msgspec.Struct], Mapping[str, str]]]] = {
    "meeting": (MeetingContent, {}),
    "wish": (WishContent, {"from": "from_at", "to": "to_at"}),
}
"""The body that a table's rows must match, and the columns whose names differ from their members'."""

_ONE_LINE: Final = re.compile(
    r"(?:.*_)?(?:name|title|subject|email|phone|initials|address|location|locale|language|color|type|url)"
)
"""The columns that contain one-line texts, in every table."""
_LONG: Final = 1_000_000  # columns' own lengths are the database's
_LINE: Final = SingleLine(0, _LONG, keeps_spaces=True)

# Escaped in JSON, or directly in UTF-8: only such lines are examined closely.
_DOUBTED: Final = re.compile(
    rb"\\[bfnrt]|\\u00(?:[0189][0-9a-fA-F]|7[fF])|\\u202[89aAbBcCdDeE]|\\u206[6-9]|\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]"
    rb"|\xe2\x81[\xa6-\xa9]"
)
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def require_sound_lines(table: str, tenant_id: UUID, lines: bytes) -> bytes:
    """Return the lines unchanged; a `Rewrite`. Raises BrokenArchive for texts and members that the API refuses."""
    del tenant_id
    body = _BODIES.get(table)
    if body is None and _DOUBTED.search(lines) is None:
        return lines
    for line in lines.split(b"\n"):
        if line and (body is not None or _DOUBTED.search(line)):
            _require_sound(table, line, body)
    return lines


def _require_sound(table: str, line: bytes, body: tuple[type[msgspec.Struct], Mapping[str, str]] | None) -> None:
    row = msgspec.json.decode(line, type=dict[str, Any])
    key = row.get(f"{table}_id") or row.get("entry_id") or ""
    if _DOUBTED.search(line):
        for column, value in row.items():
            _require_text(f"{table} {shorten(str(key))}, {column}", value, is_line=bool(_ONE_LINE.fullmatch(column)))
    if body is not None:
        kind, columns = body
        members = {name: row.get(columns.get(name, column)) for name, column in _list_members(kind)}
        try:
            read_builtins({name: value for name, value in members.items() if value is not None}, kind)
        except MeetdeckError as error:
            raise describe_fault(table, shorten(str(key)), error) from None


def _list_members(kind: type[msgspec.Struct]) -> Generator[tuple[str, str]]:
    """Yield the name of each member in JSON, and its column's."""
    for field in msgspec.structs.fields(kind):
        yield field.encode_name, field.name


def _require_text(at: str, value: object, *, is_line: bool) -> None:
    for text in _list_texts(value):
        found = _CONTROL.search(text)
        if found is not None:
            raise BrokenArchive(f"{at}: it has the control character U+{ord(found[0]):04X}")
        if is_line and (detail := _LINE.find_fault(text)):
            raise BrokenArchive(f"{at}: {detail.rstrip('.')}")


def _list_texts(value: Any) -> Generator[str]:  # noqa: ANN401 - any JSON
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
