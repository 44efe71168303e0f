"""Reading JSON files: a list as the API answers it, or an object of several such lists."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from meetdeck.booking.importing.kinds import IMPORTED, find_kind, list_members, plural_of
from meetdeck.booking.importing.rows import FileProblems, Row
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import SetupError

_ITEMS = list[msgspec.Raw]
_NULL_CHARACTER = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


class Document:
    """A JSON file: an array of one kind, or an object with an array for each kind."""

    def __init__(self, path: Path, content: bytes, kind: Kind | None) -> None:
        self._name = str(path)
        self._content = content.removeprefix(b"\xef\xbb\xbf")
        self._lists = self._read_lists(kind)

    @property
    def kinds(self) -> frozenset[Kind]:
        """Return the kinds in the file."""
        return frozenset(self._lists)

    def count(self, kind: Kind) -> int:
        """Return the number of rows of a kind."""
        return len(self._lists[kind][1]) if kind in self._lists else 0

    def rows(self, kind: Kind, problems: FileProblems) -> Iterator[Row]:
        """Yield the rows of a kind, each with the line where it begins."""
        known = list_members(kind)
        position, items = self._lists.get(kind, (0, ()))
        for row in read_items(self._name, self._content, (position, items), kind.imported_as, problems):
            for member, value in row.members.items():
                if member not in known and value is not None:
                    problems.warn(self._name, row.line, member, "An unknown member, left out.")
            yield row

    def _read_lists(self, kind: Kind | None) -> dict[Kind, tuple[int, Sequence[msgspec.Raw]]]:
        """Return the offset and items of each kind's list."""
        try:
            if self._content.lstrip()[:1] == b"[":
                return {_require(kind, self._name): (0, msgspec.json.decode(self._content, type=_ITEMS))}
            lists: dict[Kind, tuple[int, Sequence[msgspec.Raw]]] = {}
            position = 0
            for name, raw in msgspec.json.decode(self._content, type=dict[str, msgspec.Raw]).items():
                begins = self._content.find(bytes(raw), position)
                position = begins + len(bytes(raw))
                found = _require(find_kind(name), f"{self._name}: '{name}'")
                if found in lists:
                    raise SetupError(f"{self._name} has {plural_of(found)} twice, under two names; merge the lists.")
                lists[found] = (begins, msgspec.json.decode(raw, type=_ITEMS))
        except msgspec.ValidationError:
            raise SetupError(
                f'{self._name} must hold an array, or an object of arrays: {{"employees": […], "rooms": […]}}.'
            ) from None
        except RecursionError:
            raise SetupError(f"{self._name} is nested too deeply.") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise SetupError(f"{self._name} is not valid JSON: {find_json_fault(self._content) or error}.") from None
        return lists


def read_items(
    name: str, content: bytes, listed: tuple[int, Sequence[msgspec.Raw]], what: str, problems: FileProblems
) -> Iterator[Row]:
    """Yield the items of a list as rows, each with its line; items that are not objects are reported as problems.

    `listed` is the list's offset in the content, and its items; `what` is its name in problems.
    """
    position, items = listed
    line = 1 + content.count(b"\n", 0, position)
    for number, raw in enumerate(items):
        text = bytes(raw)
        begins = content.find(text, position)
        line += content.count(b"\n", position, begins)
        row = _read_item(Row(name, line, {}, place=f"{what}[{number}]"), text, problems)
        line += text.count(b"\n")
        position = begins + len(text)
        if row is not None:
            yield row


def _read_item(row: Row, text: bytes, problems: FileProblems) -> Row | None:
    try:
        members: Any = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        problems.add(row, "", f"It is not valid JSON: {error}.")
        return None
    except RecursionError:
        raise SetupError(f"{row.file} is nested too deeply.") from None
    if not isinstance(members, dict):
        problems.add(row, "", "Each item of the array must be an object.")
        return None
    if _NULL_CHARACTER.search(text):
        problems.add(row, "", "A text contains U+0000, which cannot be stored. Leave it out.")
        return None
    row.members.update(cast("dict[str, object]", members))
    return row


def _require(kind: Kind | None, what: str) -> Kind:
    if kind is None:
        raise SetupError(
            f"{what} does not begin with one of {', '.join(one.imported_as for one in IMPORTED)}; rename it, or "
            "use --kind."
        )
    return kind


def find_json_fault(content: bytes) -> str:
    """Return the line and message of the JSON error; empty when only msgspec, which is stricter, finds one."""
    try:
        json.loads(content)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    except (UnicodeDecodeError, RecursionError):
        pass
    return ""
