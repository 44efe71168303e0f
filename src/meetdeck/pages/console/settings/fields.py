"""The fields of forms: what they show of a resource, and what they make of what was typed. Pure.

A field's `member` is where its value is in the resource, the steps of an RFC 6901 pointer: `serviceLevel/priority`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple, cast

from meetdeck.pages.texts import Texts

Resource = Mapping[str, Any]
Sent = Callable[[str], list[str]]
"""Returns the texts that a form sent under a name."""

_LENGTH: Final = re.compile(r"(?:(\d+)\.)?(\d+):(\d+):(\d+)")
_CLOCK: Final = re.compile(r"(\d{2}:\d{2})(:\d{2})?")
_LENGTHS: Final = {"clock": len("09:30"), "day": len("2026-11-24")}
"""How much of a value the inputs of a kind show."""
MOST_SHOWN: Final = 30
"""How many choices a field shows that are not chosen; others are found by typing."""


class Choice(NamedTuple):
    """One of the values that a field may have, and what people call it."""

    value: str
    label: str


class Field(NamedTuple):
    """A field of a form, with its words in English; `source` names the choices that it has."""

    member: str
    label: str
    kind: str = "line"
    """line, text, email, url, number, minutes, clock, day, tick, one, several or lines."""
    hint: str = ""
    source: str = ""
    is_required: bool = False
    empty: Any = ""
    """The value of a field that was left empty."""
    read_from: str = ""
    """The member of the resource that has the value, if it is another: ids, or resources with ids."""

    @property
    def name(self) -> str:
        """Return the name of the field's input."""
        return self.member.replace("/", ".")

    def find(self, resource: Resource) -> Any:  # noqa: ANN401 - any member
        """Return the field's value in a resource, as the API takes it."""
        value: Any = resource
        for step in (self.read_from or self.member).split("/"):
            value = cast("Resource", value).get(step) if isinstance(value, Mapping) else None
        if self.read_from and isinstance(value, list):
            return [one["id"] for one in cast("list[Resource]", value)]
        return value

    def write(self, value: Any) -> list[str]:  # noqa: ANN401 - any member
        """Return a value of the API as the form's inputs have it."""
        if value is None or value == "":
            return []
        if self.kind == "tick":
            return ["yes"] if value else []
        if isinstance(value, list):
            texts = [str(one) for one in cast("list[object]", value)]
            return ["\n".join(texts)] if self.kind == "lines" else texts
        if self.kind == "minutes":
            return [str(round(read_length(str(value)).total_seconds() / 60))]
        return [str(value)[: _LENGTHS.get(self.kind)]]

    def read(self, sent: Sent) -> Any:  # noqa: ANN401 - any member
        """Return what was typed as the API takes it. Raises Mistyped."""
        texts = [text for text in sent(self.name) if text.strip()]
        if self.kind == "tick":
            return bool(texts)
        if self.kind == "several":
            return texts
        text = texts[-1].strip() if texts else ""
        if self.kind == "lines":
            return [line.strip() for line in text.splitlines() if line.strip()]
        if not text:
            if self.is_required:
                raise Mistyped(self)
            return self.empty
        return _READERS.get(self.kind, _read_line)(self, text)

    def show(self, value: Any, choices: Sequence[Choice]) -> str:  # noqa: ANN401 - any member
        """Return a value in words: choices by their labels."""
        labels = {choice.value: choice.label for choice in choices}
        return ", ".join(labels.get(text, text) for text in self.write(value)).replace("\n", ", ")


class Mistyped(Exception):  # noqa: N818 - as our errors are named
    """The text that was typed into a field is no value of it."""

    def __init__(self, field: Field) -> None:
        super().__init__(field.member)
        self.field = field

    def explain(self, texts: Texts) -> str:
        """Return what to do."""
        label = texts.say(self.field.label)
        sentences = {
            "number": texts.say("{label} is a whole number, such as 8.", label=label),
            "minutes": texts.say("{label} is a number of minutes, such as 45.", label=label),
            "clock": texts.say("{label} is a time of day, such as 09:30.", label=label),
            "day": texts.say("{label} is a day, such as 2026-11-24.", label=label),
        }
        return sentences.get(self.field.kind) or texts.say("{label} is missing.", label=label)


def _read_line(_field: Field, text: str) -> str:
    return text


def _read_number(field: Field, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Mistyped(field) from None


def _read_minutes(field: Field, text: str) -> str:
    minutes = _read_number(field, text)
    if minutes < 0:
        raise Mistyped(field)
    days, rest = divmod(minutes, 24 * 60)
    return f"{f'{days}.' if days else ''}{rest // 60:02}:{rest % 60:02}:00"


def _read_clock(field: Field, text: str) -> str:
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise Mistyped(field)
    return f"{found[1]}:00"


def _read_day(field: Field, text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Mistyped(field) from None


_READERS: Final[Mapping[str, Callable[[Field, str], Any]]] = {
    "number": _read_number,
    "minutes": _read_minutes,
    "clock": _read_clock,
    "day": _read_day,
}


def read_length(text: str) -> timedelta:
    """Return a length as the API writes it, `1.02:30:00`; none for what is no length."""
    found = _LENGTH.match(text)
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups()) if found else (0, 0, 0, 0)
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
