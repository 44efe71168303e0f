"""The fields of forms: their display of a resource's values, and their reading of typed values. Pure.

A field's `member` is the place of its value in the resource, the steps of an RFC 6901 pointer: `serviceLevel/priority`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple, cast

from meetdeck.pages.console.forms.lengths import read_length_of, show_length, write_length
from meetdeck.pages.texts import Texts
from meetdeck.platform.identity import Access
from meetdeck.platform.values import Duration

Resource = Mapping[str, Any]
Sent = Callable[[str], list[str]]
"""Returns the texts that a form sent with a name."""

_LENGTH: Final = re.compile(r"(?:(\d+)\.)?(\d+):(\d+):(\d+)")
_CLOCK: Final = re.compile(r"(\d{2}:\d{2})(:\d{2})?")
_LENGTHS: Final = {"clock": len("09:30"), "day": len("2026-11-24")}
"""The length of a value that the inputs of a kind show."""
MOST_SHOWN: Final = 30
"""The number of unselected choices that a field shows; others are found by typing."""


class Choice(NamedTuple):
    """A possible value of a field, and its label."""

    value: str
    label: str


class Field(NamedTuple):
    """A field of a form, with its words in English; `source` names its choices."""

    member: str
    label: str
    kind: str = "line"
    """line, text, code, email, url, number, length, clock, day, tick, one, several, lines, hidden, rows,
    secret or key."""
    hint: str = ""
    source: str = ""
    """The source of its choices; for a line they are suggestions."""
    is_required: bool = False
    empty: Any = ""
    """The value of an empty field."""
    read_from: str = ""
    """The member of the resource with the value, if it is another: ids, or resources with ids."""
    columns: tuple["Field", ...] = ()
    """The fields of each of its rows."""
    order: str = ""
    """The member by which rows are ordered, if they are numbered."""
    more: str = ""
    """The words of the button that adds a row."""
    localized: str = ""
    """The member with its texts in other languages, if any."""
    language: str = ""
    """The language of a text that is not in the main one."""
    needs: Access = Access.EMPLOYEE
    """The access needed to change the field, beyond the page's own; others can only see it."""
    section: str = ""
    """The heading of the form's section that begins with the field."""
    choices: tuple[Choice, ...] = ()
    """Choices that only this field has, if no source names them."""
    is_added: bool = False
    """True if it has so many choices that each is added from a list; otherwise each is a checkbox."""
    unit: str = "minutes"
    """The unit that is selected while a length is empty."""
    counted: timedelta | None = None
    """Of a length that the API counts as a whole number: what it counts."""

    @property
    def name(self) -> str:
        """Return the name of the field's input."""
        return self.member.replace("/", ".")

    @property
    def unit_name(self) -> str:
        """Return the name of the input with the unit of a length."""
        return f"{self.name}.unit"

    @property
    def is_secret(self) -> bool:
        """Return whether the value is only written: no page shows it."""
        return self.kind in {"secret", "key"}

    def find(self, resource: Resource) -> Any:  # noqa: ANN401 - any member
        """Return the field's value in a resource, as the API accepts it."""
        value: Any = resource
        for step in (self.read_from or self.member).split("/"):
            value = cast("Resource", value).get(step) if isinstance(value, Mapping) else None
        if self.read_from and isinstance(value, list):
            return [one["id"] for one in cast("list[Resource]", value)]
        if self.columns:
            rows = cast("list[Resource]", value or [])
            return [to_members({one.member: one.find(row) for one in self.columns}) for row in rows]
        return value

    def list_cells(self, key: str) -> list["Field"]:
        """Return the fields of a row, whose names are unique in the whole form."""
        return [one._replace(member=f"{self.name}:{key}:{one.name}", read_from="") for one in self.columns]

    def find_cell(self, path: str) -> "Field":
        """Return the field to which a path in the resource refers; one in a row, if the path leads into one."""
        key, _, within = path.removeprefix(f"{self.member}/").partition("/")
        for column, cell in zip(self.columns, self.list_cells(key), strict=True):
            if f"{within}/".startswith(f"{column.member}/"):
                return cell
        return self

    def write_all(self, value: Any) -> dict[str, list[str]]:  # noqa: ANN401 - any member
        """Return a value of the API as the values of the form's inputs, by their names."""
        if self.kind == "length" and value is not None:
            number, unit = write_length(self._measure(value))
            return {self.name: [number], self.unit_name: [unit]}
        if self.kind != "rows":
            return {self.name: self.write(value)}
        rows = sorted(value or [], key=lambda row: row[self.order] if self.order else 0)
        written = {self.name: [str(place) for place in range(len(rows))]}
        for place, row in enumerate(rows):
            for column, cell in zip(self.columns, self.list_cells(str(place)), strict=True):
                written |= cell.write_all(column.find(row))
        return written

    def _read_rows(self, sent: Sent) -> list[dict[str, Any]]:
        """Return the rows in the form's order."""
        rows = [
            to_members(
                {one.member: cell.read(sent) for one, cell in zip(self.columns, self.list_cells(key), strict=True)}
            )
            for key in sent(self.name)
        ]
        places: list[int] = [row[self.order] for row in rows] if self.order else []
        if places != sorted(places):
            for place, row in enumerate(rows):
                row[self.order] = place
        return rows

    def write(self, value: Any) -> list[str]:  # noqa: ANN401 - any member
        """Return a value of the API as the value of the form's input."""
        if value is None or value == "":
            return []
        if self.kind == "tick":
            return ["yes"] if value else []
        if isinstance(value, list):
            texts = [str(one) for one in cast("list[object]", value)]
            return ["\n".join(texts)] if self.kind == "lines" else texts
        return [str(value)[: _LENGTHS.get(self.kind)]]

    def read(self, sent: Sent) -> Any:  # noqa: ANN401 - any member
        """Return a typed value as the API accepts it. Raises FieldMistake."""
        if self.kind == "rows":
            return self._read_rows(sent)
        texts = [text for text in sent(self.name) if text.strip()]
        if self.kind == "tick":
            return bool(texts)
        if self.kind == "several":
            return texts or (None if self.empty is None else [])
        text = texts[-1].strip() if texts else ""
        if self.kind == "lines":
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            return lines or (None if self.empty is None else [])
        if not text:
            if self.is_required:
                raise FieldMistake(self)
            return self.empty
        units = sent(self.unit_name)[-1:]
        return (
            self._read_length(text, units) if self.kind == "length" else _READERS.get(self.kind, _read_line)(self, text)
        )

    def _measure(self, value: str | int) -> timedelta:
        return value * self.counted if self.counted is not None and isinstance(value, int) else read_length(str(value))

    def _read_length(self, number: str, units: Sequence[str]) -> str | int:
        length = read_length_of(number, *(units or [self.unit]))
        if length is None or (self.counted is not None and length % self.counted):
            raise FieldMistake(self)
        return str(Duration.of(length)) if self.counted is None else length // self.counted

    def show(self, value: Any, choices: Sequence[Choice], texts: Texts) -> str:  # noqa: ANN401 - any member
        """Return a value in words: choices by their labels."""
        if self.kind == "length" and value is not None:
            return show_length(self._measure(value), texts)
        if self.kind == "rows":
            columns = [one for one in self.columns if one.kind != "hidden"]
            shown = [
                [one.show(one.find(row), (), texts) for one in columns] for row in cast("list[Resource]", value or [])
            ]
            return "; ".join(" · ".join(text for text in row if text) for row in shown)
        labels = {choice.value: choice.label for choice in choices}
        return ", ".join(labels.get(text, text) for text in self.write(value)).replace("\n", ", ")


class FieldMistake(Exception):  # noqa: N818 - as our errors are named
    """The text typed into a field is not a valid value."""

    def __init__(self, field: Field) -> None:
        super().__init__(field.member)
        self.field = field

    def explain(self, texts: Texts) -> str:
        """Return a sentence that says how to correct the value."""
        label = texts.translate(self.field.label)
        sentences = {
            "number": texts.translate("{label} is a whole number, such as 8.", label=label),
            "length": texts.translate("{label} is a number with its unit, such as 45 minutes.", label=label),
            "clock": texts.translate("{label} is a time of day, such as 09:30.", label=label),
            "day": texts.translate("{label} is a day, such as 2026-11-24.", label=label),
        }
        return sentences.get(self.field.kind) or texts.translate("{label} is missing.", label=label)


def _read_line(_field: Field, text: str) -> str:
    return text


def _read_text(_field: Field, text: str) -> str:
    """Return a text of several lines with plain line ends: browsers send those of mails."""
    return text.replace("\r\n", "\n")


def _read_number(field: Field, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise FieldMistake(field) from None


def _read_hidden(field: Field, text: str) -> str | int:
    """Return a hidden value: a number if the field's empty value is a number."""
    return _read_number(field, text) if isinstance(field.empty, int) else text


def _read_clock(field: Field, text: str) -> str:
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise FieldMistake(field)
    return f"{found[1]}:00"


def _read_day(field: Field, text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise FieldMistake(field) from None


_READERS: Final[Mapping[str, Callable[[Field, str], Any]]] = {
    "number": _read_number,
    "text": _read_text,
    "key": _read_text,
    "hidden": _read_hidden,
    "clock": _read_clock,
    "day": _read_day,
}


def to_members(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return members with nested ones: `{"a/b": 1}` becomes `{"a": {"b": 1}}`."""
    nested: dict[str, Any] = {}
    for member, value in values.items():
        *steps, last = member.split("/")
        within = nested
        for step in steps:
            within = within.setdefault(step, {})
        within[last] = value
    return nested


def move_item(field: Field, values: Mapping[str, list[str]], deed: str) -> dict[str, list[str]]:
    """Return a form's texts with a row added, removed or moved: `add`, `2:remove`, `2:up`, `2:down`."""
    keys = [*values.get(field.name, [])]
    key, _, what = deed.partition(":")
    if deed == "add":
        keys.append("new")
    elif key in keys:
        place = keys.index(key)
        keys.pop(place)
        if what in {"up", "down"}:
            keys.insert(max(0, place - 1) if what == "up" else place + 1, key)
    inside = f"{field.name}:"
    moved = {name: texts for name, texts in values.items() if not name.startswith(inside)}
    moved[field.name] = [str(place) for place in range(len(keys))]
    for place, old in enumerate(keys):
        for before, after in zip(field.list_cells(old), field.list_cells(str(place)), strict=True):
            moved |= {after.name: values.get(before.name, []), after.unit_name: values.get(before.unit_name, [])}
    return moved


def read_length(text: str) -> timedelta:
    """Return a length as the API writes it, `1.02:30:00`; None for an invalid one."""
    found = _LENGTH.match(text)
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups()) if found else (0, 0, 0, 0)
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
