"""The filters of tags: `{{amount | number:2}}`, `{{date | date:"d MMMM y"}}`, `{{name | upper}}`."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, NamedTuple, cast

from babel.dates import format_datetime

from meetdeck.present.deck.language.date_patterns import DATE_STYLES, find_doubt
from meetdeck.present.deck.language.digit_systems import find_digits_fault, replace_digits
from meetdeck.present.deck.language.field_types import ADDRESS, DATE, LIST, NUMBER, SHARE, WHOLE, FieldType
from meetdeck.present.deck.language.markdown import plain_text
from meetdeck.present.deck.language.moments import add_step, parse_step, read_moment
from meetdeck.present.deck.language.numbers import (
    MOST_DECIMALS,
    currency_writer,
    is_currency,
    number_writer,
    parse_locale,
    percent_writer,
    write_digits,
    write_short,
)
from meetdeck.present.deck.language.ordinals import write_ordinal
from meetdeck.present.deck.language.plurals import write_plural
from meetdeck.present.deck.language.quotes import quotation_marks
from meetdeck.present.deck.language.steps import NoStepsError, find_step, read_steps
from meetdeck.present.deck.language.text_colors import NoColorError, read_text_color
from meetdeck.present.deck.language.values import Unwritable, write_plain

_SAMPLE: Final = datetime(2026, 1, 31, 12, 30)  # noqa: DTZ001 - dates in decks are written as given, without a zone
# Their output is more than text: runs and paragraphs of their own, if the tag is in a text body.
RICH_FILTERS: Final = frozenset({"link", "goto", "markdown"})
# These give the text its own color, if the tag is in a text body.
COLOR_FILTERS: Final = frozenset({"color", "negative"})
LAST_FILTERS: Final = RICH_FILTERS | COLOR_FILTERS
# Filters about lists, whose arguments are names or expressions (`expressions/lists.py`).
LIST_FILTERS: Final = frozenset(
    {"count", "sum", "average", "min", "max", "first", "last", "sort", "where", "group", "distinct"}
)
# These need more than the value: names of the data, or the day.
COMPUTED_FILTERS: Final = LIST_FILTERS | {"relative"}
# Of each word; no word begins after an apostrophe.
_FIRST_LETTER: Final = re.compile(r"(?<!\w)(?<!\w['\u2019])[^\W\d_]")


_Apply = Callable[[object], object]


class FilterCall(NamedTuple):
    """A filter in a tag: its name and its argument, empty without one."""

    name: str
    argument: str


class _Filter(NamedTuple):
    """A filter: `check` returns the fault of an argument, or None.

    `prepare` takes argument and locale, and returns the function of the value.
    """

    check: Callable[[str], str | None]
    prepare: Callable[[str, str], _Apply]


def find_fault(call: FilterCall, *, is_last: bool = True) -> str | None:
    """Return the fault of a call, or None. A call without a fault can fail only because of its value."""
    known = FILTERS.get(call.name)
    if known is not None:
        return known.check(call.argument) if is_last or call.name not in LAST_FILTERS else "it must be the last filter"
    if call.name in COMPUTED_FILTERS:
        return "its argument cannot be read"
    name, _, argument = call.name.partition(" ")
    if name in FILTER_NAMES:
        return f"its argument follows a colon, like {name}:{argument.strip()}"
    nearest = find_nearest(call.name)
    hint = f"did you mean {nearest!r}?" if nearest else f"there are {', '.join(FILTER_NAMES)}"
    return f"there is no filter {call.name!r}; {hint}"


def find_nearest(name: str) -> str:
    """Return the filter that a misspelled name may mean, empty without one."""
    return next(iter(get_close_matches(name.lower(), FILTER_NAMES, 1)), "")


def apply_filters(value: object, calls: Sequence[FilterCall], locale: str) -> object:
    """Return the value after all filters. A missing value stays missing unless `default` replaces it.

    Raises `Unwritable` when a value is of the wrong kind for a filter.
    """
    for name, argument in calls:
        if value is not None or name == "default":
            value = _prepare(name, argument, locale)(value)
    return value


def filter_all(values: Iterable[object], calls: Sequence[FilterCall], locale: str) -> Iterable[object]:
    """Return values after all filters, see `apply_filters`."""
    for name, argument in calls:
        apply = _prepare(name, argument, locale)
        if name == "default":
            values = map(apply, values)
        else:
            values = [None if value is None else apply(value) for value in values]
    return values


# A template has few filters, and tables many values for each.
@lru_cache(maxsize=1_024)
def _prepare(name: str, argument: str, locale: str) -> _Apply:
    """Return a filter as a function of the value. Raises `UnknownLocale`."""
    return FILTERS[name].prepare(argument, locale)


def _each(apply: Callable[[object, str, str], object]) -> Callable[[str, str], _Apply]:
    """Return how a filter is prepared that has nothing to prepare."""
    return lambda argument, locale: lambda value: apply(value, argument, locale)


def _no_argument(argument: str) -> str | None:
    return "it takes no argument" if argument else None


def _any_argument(_argument: str) -> str | None:
    return None


def _decimals(argument: str) -> str | None:
    argument = argument.removeprefix("+")
    is_number = argument.isascii() and argument.isdigit() and len(argument) <= len(str(MOST_DECIMALS))
    if not argument or (is_number and int(argument) <= MOST_DECIMALS):
        return None
    return f"its argument is the number of decimals, from 0 to {MOST_DECIMALS}, or with a plus before it"


def _currency_code(argument: str) -> str | None:
    return None if is_currency(argument.removeprefix("+")) else 'its argument is a currency code, like currency:"DKK"'


def _date_pattern(argument: str) -> str | None:
    try:
        _write_date(_SAMPLE, argument, "en")
    except (ValueError, KeyError, AttributeError, TypeError, IndexError):
        doubt = find_doubt(argument)
        if doubt and doubt.meant:
            return f'{doubt.reason}; did you mean date:"{doubt.meant}"?'
        return 'its argument is a date pattern, like date:"d MMMM y", or short, medium, long or full'
    return None


def _write_date(value: object, argument: str, locale: str) -> str:
    return _write_day(value, argument, locale) if isinstance(value, str) else _write_moment(value, argument, locale)


# Reading a date takes twice as long as finding its text here.
@lru_cache(maxsize=4_096)
def _write_day(text: str, argument: str, locale: str) -> str:
    return _write_moment(text, argument, locale)


def _write_moment(value: object, argument: str, locale: str) -> str:
    moment = read_moment(value)
    pattern = argument or "medium"
    if pattern in DATE_STYLES:
        pattern = _date_style(pattern, locale)
    return _format_moment(moment, pattern, locale)


# Babel takes 5 µs, and there are few days.
@lru_cache(maxsize=4_096)
def _format_moment(moment: datetime, pattern: str, locale: str) -> str:
    return format_datetime(moment, pattern, locale=parse_locale(locale))


@lru_cache(maxsize=256)
def _date_style(style: str, locale: str) -> str:
    return parse_locale(locale).date_formats[style].pattern


def _steps_argument(argument: str) -> str | None:
    try:
        read_steps(argument)
    except NoStepsError as problem:
        return str(problem)
    return None


def _steps(value: object, argument: str, _locale: str) -> str | None:
    return find_step(read_steps(argument), value)


def _color_argument(name: str) -> Callable[[str], str | None]:
    def find(argument: str) -> str | None:
        try:
            read_text_color(name, argument)
        except NoColorError as problem:
            return str(problem)
        return None

    return find


def _keep(value: object, _argument: str, _locale: str) -> object:
    return value


def _join(value: object, argument: str, locale: str) -> str:
    if isinstance(value, Mapping | str) or not isinstance(value, Sequence):
        raise Unwritable("it is not a list; join puts the items of a list together.")
    items = cast("Sequence[object]", value)
    return (argument or ", ").join(_write_item(item, locale) for item in items if item is not None)


def _write_item(item: object, locale: str) -> str:
    text = write_plain(item)
    return write_digits(text, locale) if isinstance(item, float | Decimal) else text


def _default(value: object, argument: str, _locale: str) -> object:
    return argument if value is None or value == "" else value


def _capitalize(value: object, _argument: str, _locale: str) -> str:
    text = write_plain(value)
    return text[:1].upper() + text[1:]


def _number(argument: str, locale: str) -> _Apply:
    decimals = argument.removeprefix("+")
    return number_writer(int(decimals) if decimals else None, locale, signed=decimals != argument)


def _percent(argument: str, locale: str) -> _Apply:
    decimals = argument.removeprefix("+")
    return percent_writer(int(decimals or 0), locale, signed=decimals != argument)


def _short(value: object, argument: str, locale: str) -> str:
    decimals = argument.removeprefix("+")
    return write_short(value, int(decimals or 1), locale, signed=decimals != argument)


def _currency(argument: str, locale: str) -> _Apply:
    currency = argument.removeprefix("+")
    return currency_writer(currency, locale, signed=currency != argument)


def _step(argument: str) -> str | None:
    return None if parse_step(argument) else 'its argument is a span of time, like add:"3 years" or add:"-2 weeks"'


def _add(value: object, argument: str, _locale: str) -> date:
    step = parse_step(argument)
    if step is None:  # pragma: no cover - checked when the template is read
        raise Unwritable(f"{argument!r} is not a span of time.")
    return add_step(value, step)


def _plural_forms(argument: str) -> str | None:
    forms = argument.split(",")
    return None if len(forms) > 1 and all(map(str.strip, forms)) else 'its argument is the forms, like "goal, goals"'


def _upper(value: object, _argument: str, _locale: str) -> str:
    return write_plain(value).upper()


def _lower(value: object, _argument: str, _locale: str) -> str:
    return write_plain(value).lower()


def _title(value: object, _argument: str, _locale: str) -> str:
    return _FIRST_LETTER.sub(lambda letter: letter[0].upper(), write_plain(value))


def _trim(value: object, _argument: str, _locale: str) -> str:
    return write_plain(value).strip()


def _quote(value: object, _argument: str, locale: str) -> str:
    text = write_plain(value)
    opening, closing = quotation_marks(locale)
    return f"{opening}{text}{closing}" if text else text


def _digits(value: object, argument: str, _locale: str) -> str:
    return replace_digits(write_plain(value), argument)


def _link_text(value: object, text: str, _locale: str) -> str:
    return text or write_plain(value)


def _plain_text(value: object, _argument: str, _locale: str) -> str:
    return write_plain(value)


def _markdown_text(value: object, _argument: str, _locale: str) -> str:
    return plain_text(write_plain(value))


FILTERS: Final = {
    "number": _Filter(_decimals, _number),
    "percent": _Filter(_decimals, _percent),
    "currency": _Filter(_currency_code, _currency),
    "short": _Filter(_decimals, _each(_short)),
    "plural": _Filter(_plural_forms, _each(write_plural)),
    "ordinal": _Filter(_no_argument, _each(write_ordinal)),
    "digits": _Filter(find_digits_fault, _each(_digits)),
    "date": _Filter(_date_pattern, _each(_write_date)),
    "add": _Filter(_step, _each(_add)),
    "default": _Filter(_any_argument, _each(_default)),
    "upper": _Filter(_no_argument, _each(_upper)),
    "lower": _Filter(_no_argument, _each(_lower)),
    "capitalize": _Filter(_no_argument, _each(_capitalize)),
    "title": _Filter(_no_argument, _each(_title)),
    "trim": _Filter(_no_argument, _each(_trim)),
    "join": _Filter(_any_argument, _each(_join)),
    "quote": _Filter(_no_argument, _each(_quote)),
    "link": _Filter(_any_argument, _each(_link_text)),
    "goto": _Filter(_any_argument, _each(_plain_text)),
    "markdown": _Filter(_no_argument, _each(_markdown_text)),
    "steps": _Filter(_steps_argument, _each(_steps)),
    "color": _Filter(_color_argument("color"), _each(_keep)),
    "negative": _Filter(_color_argument("negative"), _each(_keep)),
}
# The type of a value that a filter needs; any other accepts a text.
TYPE_BY_FILTER: Final[Mapping[str, FieldType]] = {
    "steps": NUMBER,
    "negative": NUMBER,
    "number": NUMBER,
    "percent": SHARE,
    "currency": NUMBER,
    "short": NUMBER,
    "plural": NUMBER,
    "ordinal": WHOLE,
    "add": DATE,
    "date": DATE,
    "join": LIST,
    "link": ADDRESS,
}
FILTER_NAMES: Final = tuple(sorted(FILTERS.keys() | COMPUTED_FILTERS))
