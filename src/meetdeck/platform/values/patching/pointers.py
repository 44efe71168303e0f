"""JSON Pointer (RFC 6901): a place in a JSON document, and how to read and write there."""

import json
import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
"""A JSON document, or a part of one."""

_WRONG_ESCAPE = re.compile(r"~(?![01])")
_INDEX = re.compile(r"0|[1-9][0-9]*")
_AFTER_LAST = "-"
_LONGEST_INDEX = 9  # digits; int() itself refuses thousands of them
_LONGEST_SHOWN = 60
_MOST_SHOWN = 8
_MOST_COMPARED = 200  # finding near names takes time by their number and length


class PointerError(ValueError):
    """An unusable pointer; the message says why and what to write instead."""


class NothingThereError(PointerError):
    """A pointer to nothing in the document; the message lists what exists instead."""


@dataclass(frozen=True, slots=True)
class Target:
    """The location that an operation works on (RFC 6902): a member of an object, an item of an array, or a new one."""

    container: Json
    token: str
    above: str
    """Points to the container."""

    def get(self) -> Json:
        """Return the value here. Raises PointerError."""
        if isinstance(self.container, dict):
            if self.token not in self.container:
                raise NothingThereError(self._describe_members(self.container))
            return self.container[self.token]
        if isinstance(self.container, list):
            return self.container[self._read_index(self.container, len(self.container) - 1)]
        raise NothingThereError(self._describe_no_members())

    def add(self, value: Json) -> None:
        """Set a member, or insert an item before this one; `-` is after the last. Raises PointerError."""
        if isinstance(self.container, dict):
            self.container[self.token] = value
        elif isinstance(self.container, list):
            end = len(self.container)
            index = end if self.token == _AFTER_LAST else self._read_index(self.container, end)
            self.container.insert(index, value)
        else:
            raise NothingThereError(self._describe_no_members())

    def replace(self, value: Json) -> None:
        """Replace the value here. Raises PointerError for a missing one."""
        self.get()
        if isinstance(self.container, dict):
            self.container[self.token] = value
        elif isinstance(self.container, list):
            self.container[int(self.token)] = value

    def remove(self) -> None:
        """Remove and return the value here. Raises PointerError for a missing one."""
        self.get()
        if isinstance(self.container, dict):
            del self.container[self.token]
        elif isinstance(self.container, list):
            del self.container[int(self.token)]

    def _read_index(self, items: list[Json], last: int) -> int:
        where, shown = _name(self.above), shorten(self.token)
        if self.token == _AFTER_LAST:
            raise NothingThereError(f"{shown} is the place after the last item of {where}, and nothing is there yet.")
        if _INDEX.fullmatch(self.token) is None:
            raise PointerError(f"'{shown}' is not an index: {where} is an array, whose items are 0, 1, 2 and so on.")
        if len(self.token) > _LONGEST_INDEX or int(self.token) > last:
            raise NothingThereError(f"There is no item {shown} in {where}, which is {describe(items)}, counted from 0.")
        return int(self.token)

    def _describe_members(self, members: dict[str, Json]) -> str:
        detail = f"There is no member '{shorten(self.token)}' in {_name(self.above)}."
        names = list(members)
        comparable = {name.casefold(): name for name in names[:_MOST_COMPARED] if len(name) <= _LONGEST_SHOWN}
        near = get_close_matches(self.token.casefold(), comparable) if len(self.token) <= _LONGEST_SHOWN else []
        if near:
            pointers = [f"{self.above}/{escape(comparable[name])}" for name in near]
            return f"{detail} Did you mean {' or '.join(pointers)}?"
        shown = ", ".join(shorten(name) for name in names[:_MOST_SHOWN])
        more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
        return f"{detail} It has {shown or 'none'}{more}."

    def _describe_no_members(self) -> str:
        return f"Nothing can be inside {_name(self.above)}: it is {describe(self.container)}."


def parse_pointer(pointer: str) -> list[str]:
    """Return the tokens: `""` is `[""]`, `/a/b~1c` is `["", "a", "b/c"]`. Raises PointerError."""
    if pointer and not pointer.startswith("/"):
        raise PointerError(f"'{shorten(pointer)}' must begin with /, as in /title.")
    if _WRONG_ESCAPE.search(pointer):
        raise PointerError(f"'{shorten(pointer)}' has a ~ that is neither ~0, which means ~, nor ~1, which means /.")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")]


def locate(root: dict[str, Json], pointer: str) -> Target:
    """Return a place in the document, which is the member `""` of `root`, so that the whole document has a place, too.

    Everything on the way must exist; the place itself need not. Raises PointerError.
    """
    first, *rest = parse_pointer(pointer)
    target, above = Target(root, first, ""), ""
    for token in rest:
        target, above = Target(target.get(), token, above), f"{above}/{escape(token)}"
    return target


def escape(name: str) -> str:
    """Return a member's name as a token."""
    return name.replace("~", "~0").replace("/", "~1")


def describe(value: Json) -> str:
    """Return a value in a few words: a text or number itself, an object or array by its size."""
    if isinstance(value, dict):
        return f"an object with {_count(len(value), 'member')}"
    if isinstance(value, list):
        return f"an array of {_count(len(value), 'item')}"
    return f"'{shorten(value)}'" if isinstance(value, str) else shorten(json.dumps(value))


def shorten(text: str) -> str:
    """Return a text short enough for a sentence."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _name(pointer: str) -> str:
    return shorten(pointer) or "the document"
