"""Entries of the audit log in sentences: who changed what, with each value before and after."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import msgspec
from markupsafe import Markup

from meetdeck.pages.texts import Texts, mark

_LONGEST: Final = 200
_NOTHING: Final = "–"  # noqa: RUF001 - a dash stands for nothing
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORKDAYS: Final = "workdays"
_SENTENCES: Final = {
    "created": mark("{who} added {thing}"),
    "changed": mark("{who} changed {thing}"),
    "deleted": mark("{who} deleted {thing}"),
    "imported": mark("{who} imported {thing}"),
}
_HOURS: Final = mark("{who} changed the hours of {thing}")


class Change(msgspec.Struct, frozen=True):
    """A member of a resource, with its values before and after."""

    member: str
    before: object
    after: object


def write_sentence(texts: Texts, action: str, who: str, thing: Markup | str, *, is_hours: bool = False) -> Markup:
    """Return the sentence of an entry; names are strong, and everything is escaped."""
    text = texts.translate(
        _HOURS if is_hours and action == "changed" else _SENTENCES.get(action, _SENTENCES["changed"])
    )
    return Markup(text).format(who=Markup("<b>{}</b>").format(who), thing=thing)  # noqa: S704 - of our own catalogue


def list_values(texts: Texts, changes: Iterable[Change]) -> list[tuple[str, str, str]]:
    """Return each changed member in words, with its values before and after; for hours, each weekday that differs."""
    shown: list[tuple[str, str, str]] = []
    for change in changes:
        hours = (change.before, change.after)
        if change.member == _WORKDAYS and all(isinstance(one, list) for one in hours):
            shown += _list_hours(texts, *cast("tuple[list[Any], list[Any]]", hours))
        else:
            words = _CAPITAL.sub(" ", change.member).capitalize()
            shown.append((words, _write(change.before), _write(change.after)))
    return shown


def _list_hours(texts: Texts, before: list[Any], after: list[Any]) -> list[tuple[str, str, str]]:
    was, now = _read_hours(before), _read_hours(after)
    days = dict.fromkeys([*was, *now])
    return [
        (texts.name_weekday(day), was.get(day, _NOTHING), now.get(day, _NOTHING))
        for day in days
        if was.get(day) != now.get(day)
    ]


def _read_hours(days: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the hours of each weekday with hours: 08:00–12:00, 13:00–17:00."""  # noqa: RUF002 - a dash between times
    hours: dict[str, list[str]] = {}
    for day in days:
        if day.get("isAvailable", True):
            span = f"{day['from'][:5]}–{day['to'][:5]}"  # noqa: RUF001 - the same
            hours.setdefault(day["dayOfWeek"], []).append(span)
    return {day: ", ".join(spans) for day, spans in hours.items()}


def _write(value: object) -> str:
    """Return a short form of a member's value: texts unchanged, all else as JSON."""
    if value is None or value in ("", []):
        return _NOTHING
    if isinstance(value, list):
        items = cast("list[object]", value)
        if all(isinstance(one, str) for one in items):
            value = ", ".join(map(str, items))
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
