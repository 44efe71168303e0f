"""The columns of a spreadsheet, and reading their cells as members of a body."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

from msgspec import inspect

from meetdeck.booking.configuration.employee_schedules.schemas import Weekday
from meetdeck.booking.importing import danish
from meetdeck.booking.importing.kinds import BODIES, REFERENCES, alias_of, plain
from meetdeck.booking.importing.moments import read_moment
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.members import DANISH_HEADERS
from meetdeck.booking.localization.texts import list_pairs
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.values import LanguageTagError, Moment, TimeOfDay, read_language_tag

_TRUE: Final = {"true", "yes", "1", "ja", "wahr", "sand"}
_FALSE: Final = {"false", "no", "0", "nej", "nein", "falsch", "falsk"}
_WHOLE: Final = re.compile(r"([+-]?[0-9]{1,18})(?:[.,]0+)?")  # 12,0 is how some tools write a column with gaps
_SCIENTIFIC: Final = re.compile(r"[0-9](?:[.,][0-9]+)?E\+?[0-9]+", re.IGNORECASE)
_TIME: Final = re.compile(r"([0-9]{1,2})[:.]([0-9]{2})(?:[:.]([0-9]{2}))?(?:\s?([ap])\.?m\.?)?", re.IGNORECASE)
_HALF_A_DAY: Final = 12
_FEWEST_LETTERS: Final = 3  # of a weekday
_TRANSLATION: Final = re.compile(r"(?P<member>[^(.]+)(?:\((?P<tag>[^)]+)\)|\.(?P<dotted>.+))")
_AS_TEXT: Final = re.compile(r'="(.*)"', re.DOTALL)  # written so that Excel keeps a number as text

Cell = Callable[[str], object]


class MemberColumn(NamedTuple):
    """A member as a column; `path` is its path in the body, with a schedule's workdays treated as one object."""

    name: str
    path: tuple[str, ...]
    read: Cell


@cache
def list_columns(kind: Kind, separator: str) -> Mapping[str, MemberColumn]:
    """Return the columns of a kind by their plain names, for a file with this `separator` of cells."""
    body = inspect.type_info(BODIES[kind])
    found = [MemberColumn("id", ("id",), str.strip)]
    if isinstance(body, inspect.StructType):
        aliases = {alias_of(name) for name in REFERENCES[kind] if name.endswith("Ids")}
        found += [one for field in body.fields if field.encode_name not in aliases for one in _list(field, separator)]
    columns = {plain(column.name): column for column in found}
    for name in REFERENCES[kind]:
        column = columns.get(plain(name)) or columns[plain(name.rpartition(".")[2])]
        columns.setdefault(plain(alias_of(column.name)), column)
    for column in list(columns.values()):
        columns.setdefault(plain(DANISH_HEADERS.get(column.name, column.name)), column)
    return columns


def find_column(kind: Kind, known: Mapping[str, MemberColumn], title: str) -> MemberColumn | None:
    """Return the column of a header's title among the `known` ones; None for none.

    A text in another language has a column of its own: `name (da-DK)`, `localizedName.da-DK`.
    """
    if (column := known.get(plain(title))) is not None:
        return column
    found = _TRANSLATION.fullmatch(title.strip())
    if found is None:
        return None
    member = plain(found["member"])
    base = known.get(member)
    try:
        tag = read_language_tag((found["tag"] or found["dotted"]).strip())
    except LanguageTagError:
        return None
    translated = [pair.localized_name for pair in list_pairs(BODIES[kind]) if base and base.name == pair.plain_name]
    translated += [pair.localized_name for pair in list_pairs(BODIES[kind]) if member == plain(pair.localized_name)]
    if not translated:
        return None
    localized = translated[0]
    return MemberColumn(f"{localized}.{tag}", (localized, tag), _read_text)


def _list(field: inspect.Field, separator: str) -> list[MemberColumn]:
    """Return the column of a member, or those of its own members."""
    kind, name = _bare(field.type), field.encode_name
    if isinstance(kind, inspect.DictType):  # texts by language: `find_column`
        return []
    if isinstance(kind, inspect.StructType):
        return [
            column._replace(name=f"{name}.{column.name}", path=(name, *column.path))
            for each in kind.fields
            for column in _list(each, separator)
        ]
    item = _bare(kind.item_type) if isinstance(kind, inspect.ListType) else None
    if isinstance(item, inspect.StructType) and len(item.fields) > 1:
        return [column._replace(path=(name, *column.path)) for each in item.fields for column in _list(each, separator)]
    return [MemberColumn(name, (name,), _read_phone if name == "phone" else _choose(kind, separator))]


def _bare(kind: inspect.Type) -> inspect.Type:
    """Return a type without its limits, null and UNSET."""
    if isinstance(kind, inspect.Metadata):
        return _bare(kind.type)
    if isinstance(kind, inspect.UnionType):
        return next(_bare(one) for one in kind.types if not isinstance(one, inspect.NoneType))
    return kind


def _choose(kind: inspect.Type, separator: str) -> Cell:
    match kind:
        case inspect.StrType():
            return _read_text
        case inspect.IntType():
            return _read_whole
        case inspect.BoolType():
            return _read_truth
        case inspect.ListType():
            return _make_list_reader(_bare(kind.item_type), separator)
        case inspect.CustomType(cls=cls) | inspect.EnumType(cls=cls):
            return _READERS.get(cls, str.strip)
        case _:
            return str.strip


def _make_list_reader(item: inspect.Type, separator: str) -> Cell:
    wrapped = item.fields[0].encode_name if isinstance(item, inspect.StructType) else None
    named = _bare(item.fields[0].type) if isinstance(item, inspect.StructType) else item
    is_meeting_type = isinstance(named, inspect.CustomType | inspect.EnumType) and named.cls is MeetingType
    words: Mapping[str, str] = danish.MEETING_TYPES if is_meeting_type else {}

    def read(text: str) -> list[object]:
        between = ";" if separator != ";" and "|" not in text else "|"
        parts = [part.strip() for part in _read_text(text).split(between)]
        items = [words.get(part.casefold(), part) for part in parts if part]
        return [{wrapped: each} if wrapped else each for each in items]

    return read


def _read_text(text: str) -> str:
    told = _AS_TEXT.fullmatch(text.strip())
    return told[1].replace('""', '"') if told else text


def _read_phone(text: str) -> str:
    number = _read_text(text)
    if _SCIENTIFIC.fullmatch(number.strip()):
        raise ValueError(
            f"'{number}' was written by a spreadsheet in place of a number; format the column as text, and type "
            "it again"
        )
    return number


def _read_whole(text: str) -> int:
    found = _WHOLE.fullmatch(_read_text(text).strip())
    if found is None:
        raise ValueError(f"'{_shorten(text)}' is not a whole number")
    return int(found[1])


def _read_time(text: str) -> str:
    """Return `8:30`, `08.30` or `1:30 PM` as the API writes a time of day; any other text unchanged."""
    found = _TIME.fullmatch(_read_text(text).strip())
    if found is None:
        return text.strip()
    hour, minute, second, half = found.groups()
    if half and 1 <= int(hour) <= _HALF_A_DAY:
        hour = str(int(hour) % _HALF_A_DAY + (_HALF_A_DAY if half.lower() == "p" else 0))
    return ":".join([f"{int(hour):02}", minute, *([second] if second else [])])


def _read_weekday(text: str) -> str:
    """Return the English name of a Danish or English weekday, or of its first letters (`man.`, `Tue`)."""
    word = _read_text(text).strip().rstrip(".").casefold()
    for names in (danish.WEEKDAYS, [day.value.casefold() for day in Weekday]):
        for name, day in zip(names, Weekday, strict=True):
            if len(word) >= _FEWEST_LETTERS and name.startswith(word):
                return day.value
    return text.strip()


def _read_moment(text: str) -> str:
    """Return `23-11-2026 9:30` as ISO 8601, as the API writes a moment. Raises ValueError."""
    return read_moment(_read_text(text)).isoformat()


def _read_status(text: str) -> str:
    word = _read_text(text).strip()
    return danish.ENTRY_STATUSES.get(word.casefold(), word)


def _read_truth(text: str) -> bool:
    word = _read_text(text).strip().casefold()
    if word not in _TRUE | _FALSE:
        raise ValueError(f"'{_shorten(text)}' is neither true nor false")
    return word in _TRUE


_READERS: Final[Mapping[type, Cell]] = {
    Moment: _read_moment,
    SlotStatus: _read_status,
    TimeOfDay: _read_time,
    Weekday: _read_weekday,
}


def _shorten(text: str) -> str:
    most = 40
    return text if len(text) <= most else f"{text[:most]}…"


def write_columns(kind: Kind) -> list[str]:
    """Return the names of a kind's columns, for people."""
    return list(dict.fromkeys(column.name for column in list_columns(kind, ",").values()))
