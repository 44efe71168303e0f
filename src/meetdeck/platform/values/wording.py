"""Refusals of values in the API's words; msgspec's own messages name Python's types and compare with signs."""

import re
from collections.abc import Sequence
from typing import Final

from meetdeck.platform.phrases import mark, phrase

_LONGEST_MESSAGE: Final = 1000

_EMPTY: Final = mark("Must not be empty.")
_DATE: Final = mark("Write a date as YYYY-MM-DD, for example 2026-03-02.")
_MOMENT: Final = mark("Write a date and time with its offset from UTC, for example 2026-03-02T09:00:00+01:00.")
_TIME_OF_DAY: Final = mark("Write a time of day as hh:mm:ss, for example 09:00:00.")
_UUID: Final = mark("Write a UUID, for example 6f9619ff-8b86-4d01-b42d-00cf4fc964ff.")
_LARGE: Final = mark("The number is too large or too small.")
_TYPES: Final = {
    "str": mark("Write a text."),
    "int": mark("Write a whole number."),
    "float": mark("Write a number."),
    "bool": mark("Write true or false."),
    "array": mark("Write a list."),
    "object": mark("Write an object."),
    "date": _DATE,
    "datetime": _MOMENT,
    "time": _TIME_OF_DAY,
    "uuid": _UUID,
    "int | str": mark("Write a whole number or a text."),
}
"""The words for each type, by msgspec's name for it without `null`."""

_LIMITS: Final = (
    (r"Expected `(?:int|float)` >= (?P<limit>.+?)(?:\.0)?", mark("Must be at least {limit}.")),
    (r"Expected `(?:int|float)` <= (?P<limit>.+?)(?:\.0)?", mark("Must be at most {limit}.")),
    (r"Expected `(?:int|float)` > (?P<limit>.+?)(?:\.0)?", mark("Must be greater than {limit}.")),
    (r"Expected `(?:int|float)` < (?P<limit>.+?)(?:\.0)?", mark("Must be less than {limit}.")),
    (r"Expected `(?:int|float)` that's a multiple of (?P<step>.+?)(?:\.0)?", mark("Must be a multiple of {step}.")),
    (r"Expected `(?:str|array|object)` of length >= 1", _EMPTY),
    (r"Expected `str` of length >= (?P<limit>\d+)", mark("Must have at least {limit} characters.")),
    (r"Expected `str` of length <= (?P<limit>\d+)", mark("Must have at most {limit} characters.")),
    (r"Expected `array` of length >= (?P<limit>\d+)", mark("Must have at least {limit} items.")),
    (r"Expected `array` of length <= (?P<limit>\d+)", mark("Must have at most {limit} items.")),
    (r"Expected `object` of length >= (?P<limit>\d+)", mark("Must have at least {limit} members.")),
    (r"Expected `object` of length <= (?P<limit>\d+)", mark("Must have at most {limit} members.")),
    (r"Expected `str` matching regex '(?P<pattern>.*)'", mark("Must match the pattern {pattern}.")),
    (r"Expected `datetime` with a timezone component", _MOMENT),
    (r"Invalid RFC3339 encoded date", _DATE),
    (r"Invalid RFC3339 encoded datetime|Timestamp is out of range ?|Invalid epoch timestamp", _MOMENT),
    (r"Invalid RFC3339 encoded time", _TIME_OF_DAY),
    (r"Invalid UUID", _UUID),
    (r"(?:Integer value|Number) out of range", _LARGE),
    (r"Object missing required field `(?P<name>.*)`", mark("{name} is required.")),
    (r"Invalid (?:enum )?value '?(?P<value>.*?)'?", mark("'{value}' is unknown.")),
)
_COMPILED: Final = tuple((re.compile(pattern, re.DOTALL), template) for pattern, template in _LIMITS)
_WRONG_TYPE: Final = re.compile(r"Expected `(?P<type>.*?)(?: \| null)?`(?:, got `.*`)?")


def explain(message: str, *, choices: Sequence[str] = (), example: str | None = None) -> str:
    """Return a sentence in the API's words for a message of msgspec; other messages only get their full stop.

    `choices` are the values of an enumeration, `example` a text as the pattern wants it.
    """
    if choices and (found := _COMPILED[-1][0].fullmatch(message)):
        value = _shorten(found["value"])
        return phrase("'{value}' is unknown; write one of {values}.", value=value, values=", ".join(choices))
    if example is not None and message.startswith("Expected `str` matching regex"):
        return phrase("Write it like {example}.", example=example)
    for pattern, template in _COMPILED:
        if found := pattern.fullmatch(message):
            return phrase(template, **{name: _shorten(value) for name, value in found.groupdict().items()})
    if (found := _WRONG_TYPE.fullmatch(message)) and (words := _TYPES.get(found["type"])):
        return phrase(words)
    return message if message.endswith(".") else phrase("{fault}.", fault=_shorten(message))


def _shorten(text: str) -> str:
    """Return a text without the middle of a long one: messages repeat values as they were sent."""
    if len(text) <= _LONGEST_MESSAGE:
        return text
    return f"{text[: _LONGEST_MESSAGE // 2]}…{text[-_LONGEST_MESSAGE // 2 :]}"
