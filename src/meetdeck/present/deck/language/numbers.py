"""Numbers in a locale's format: grouped, rounded half up as in Excel, with percent signs and currencies.

Babel knows the formats but takes 25 µs a number. So it provides, once per style and locale, the frame around the
digits; the digits themselves are written here if they follow the usual grouping by three, and by Babel otherwise.
"""

import re
from collections.abc import Callable, Mapping
from copy import copy
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation, localcontext
from functools import lru_cache
from typing import Final, NamedTuple, cast

from babel import Locale, UnknownLocaleError
from babel.numbers import (
    NumberPattern,
    UnknownCurrencyError,
    format_compact_decimal,
    format_currency,
    get_currency_precision,
    validate_currency,
)

from meetdeck.present.deck.language.values import Unwritable

MOST_DECIMALS: Final = 10
MOST_DIGITS: Final = 60
# The parts of a language tag beyond language, script, region and variant (RFC 5646, 2.2.6).
_EXTENSION: Final = re.compile(r"(?<=.)-[0-9A-Za-z]-")
# Rounds as Excel does, and has room for all digits. Making one for each number would take as long as everything else.
_CONTEXT: Final = Context(prec=2 * MOST_DIGITS, rounding=ROUND_HALF_UP)
_MINUS: Final = re.compile("[-\u2212]")
_NUMERIC: Final = (int, float, Decimal, str)
_ZERO: Final = Decimal(0)
# A double has 15 digits: these before the decimal sign, and as many behind it as are nearly always written.
_MOST_EXACT: Final = 1e9
_DECIMALS_EXACT: Final = 5
_HALF: Final = 5
_PROBES: Final = tuple(map(Decimal, ("1", "-1", "0", "1234", "-1234567.25", "0.5", "98765432100")))


@lru_cache(maxsize=256)
def parse_locale(name: str) -> Locale:
    """Return a locale by its BCP 47 or POSIX name (`da-DK`, `da_DK`). Raises `UnknownLocale` for an unknown one."""
    try:
        return Locale.parse(_EXTENSION.split(name)[0].replace("-", "_"))
    except (ValueError, TypeError, UnknownLocaleError):
        raise UnknownLocale(f"{name[:40]!r} is not a known locale; write one like 'da-DK'.") from None


def write_digits(text: str, locale: str) -> str:
    """Return a number's digits with the locale's decimal sign, not grouped, so that a year stays a year."""
    return text.replace(".", _symbols(parse_locale(locale)).get("decimal", "."))


def _symbols(locale: Locale) -> Mapping[str, str]:
    return cast("Mapping[str, str]", cast("Mapping[str, object]", locale.number_symbols).get("latn", {}))


def read_number(value: object) -> Decimal:
    """Return a value as a number; texts like `1234.5` count. Raises `Unwritable` for anything else."""
    if isinstance(value, _NUMERIC) and not isinstance(value, bool):
        try:
            number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        except (InvalidOperation, ValueError):
            number = Decimal("NaN")
        if number.is_finite() and abs(number.adjusted()) < MOST_DIGITS:
            return number
    raise Unwritable("it is not a number; write digits with a decimal point, like 1234.5.")


def write_number(value: object, decimals: int | None, locale: str, *, signed: bool = False) -> str:
    """Return a number as text, see `number_writer`."""
    return number_writer(decimals, locale, signed=signed)(value)


def write_percent(value: object, decimals: int, locale: str, *, signed: bool = False) -> str:
    """Return a share as per cent, see `percent_writer`."""
    return percent_writer(decimals, locale, signed=signed)(value)


def number_writer(decimals: int | None, locale: str, *, signed: bool = False) -> Callable[[object], str]:
    """Return the function that writes numbers with that many decimals; with None: up to three, as many as they have.

    `signed` ones have a plus when they are greater than zero as written.
    """
    least, most = (0, 3) if decimals is None else (decimals, decimals)
    return _make_writer(_number_style(least, most, locale), signed=signed)


def percent_writer(decimals: int, locale: str, *, signed: bool = False) -> Callable[[object], str]:
    """Return the function that writes shares as per cent: 0.125 is 12.5 %. For `signed` see `number_writer`."""
    return _make_writer(_percent_style(decimals, locale), signed=signed)


def currency_writer(currency: str, locale: str, *, signed: bool = False) -> Callable[[object], str]:
    """Return the function that writes amounts with their currency (ISO 4217) and that currency's decimals.

    For `signed` see `number_writer`.
    """
    return _make_writer(_currency_style(currency, locale), signed=signed)


def write_short(value: object, decimals: int, locale: str, *, signed: bool = False) -> str:
    """Return a number in thousands, millions and so on with at most that many decimals: 1234567 is 1.2M.

    For `signed` see `number_writer`.
    """
    number, known = read_number(value), parse_locale(locale)
    unit = _short_unit(number, known)
    last = _last_digit(decimals)
    rounded = _CONTEXT.multiply(_CONTEXT.divide(number, unit).quantize(last, context=_CONTEXT), unit)
    if signed and rounded > 0:
        return _with_plus(format_compact_decimal(-rounded, locale=known, fraction_digits=decimals), known)
    return format_compact_decimal(rounded, locale=known, fraction_digits=decimals)


def _short_unit(number: Decimal, locale: Locale) -> Decimal:
    """Return the unit of a locale's short numbers: a thousand, a million; 1 for small ones."""
    formats = cast("Mapping[str, Mapping[str, NumberPattern]]", cast("object", locale.compact_decimal_formats["short"]))
    patterns = formats["other"]
    fitting = [magnitude for magnitude in patterns if abs(number) >= int(magnitude)]
    magnitude = max(fitting, key=int, default="")
    zeros = patterns[magnitude].pattern.count("0") if magnitude else 0
    is_short = bool(magnitude) and patterns[magnitude].pattern != "0"
    return Decimal(int(magnitude) // 10 ** (zeros - 1)) if is_short else Decimal(1)


def _with_plus(negative: str, locale: Locale) -> str:
    """Return a number's text with a plus where its negative has the minus."""
    return _MINUS.sub(_symbols(locale).get("plusSign", "+"), negative, count=1)


def is_currency(code: str) -> bool:
    """Return whether a code is one of ISO 4217's."""
    try:
        validate_currency(code)
    except UnknownCurrencyError:
        return False
    return True


class UnknownLocale(Unwritable):
    """The locale is unknown; the value to be written in it is not at fault."""


class _Style(NamedTuple):
    """A style of numbers: `frames` are the texts around the digits of positive and negative ones.

    `frames` is None if digits are not grouped by three or not Arabic; then `reference` writes everything. `plus` is the
    frame of positive ones that have a plus.
    """

    scale: int
    least: int
    most: int
    separators: dict[int, str]
    locale: Locale
    frames: tuple[tuple[str, str], tuple[str, str]] | None
    reference: Callable[[Decimal], str]
    plus: tuple[str, str] = ("", "")


@lru_cache(maxsize=256)
def _number_style(least: int, most: int, locale: str) -> _Style:
    known = parse_locale(locale)
    pattern = _with_decimals(known.decimal_formats[None], least, most)
    return _make_style(0, least, most, known, lambda number: pattern.apply(number, known))


@lru_cache(maxsize=256)
def _percent_style(decimals: int, locale: str) -> _Style:
    known = parse_locale(locale)
    pattern = _with_decimals(known.percent_formats[None], decimals, decimals)
    return _make_style(2, decimals, decimals, known, lambda number: pattern.apply(number, known))


def _with_decimals(pattern: NumberPattern, least: int, most: int) -> NumberPattern:
    # The locale's own pattern is shared by everybody who uses Babel.
    changed = copy(pattern)
    changed.frac_prec = (least, most)
    return changed


@lru_cache(maxsize=256)
def _currency_style(currency: str, locale: str) -> _Style:
    known = parse_locale(locale)
    decimals = get_currency_precision(currency)
    return _make_style(0, decimals, decimals, known, lambda number: format_currency(number, currency, locale=known))


def _make_style(scale: int, least: int, most: int, locale: Locale, reference: Callable[[Decimal], str]) -> _Style:
    symbols = _symbols(locale)
    named = {",": symbols.get("group", ","), ".": symbols.get("decimal", ".")}
    separators = {ord(mark): own for mark, own in named.items() if mark != own}
    bare = _Style(scale, least, most, separators, locale, None, reference)
    one = _digits(Decimal(1), bare)
    frames = tuple(reference(number).partition(one) for number in (Decimal(1), Decimal(-1)))
    plus = _with_plus("\0".join((frames[1][0], frames[1][2])), locale).partition("\0")
    style = bare._replace(frames=((frames[0][0], frames[0][2]), (frames[1][0], frames[1][2])), plus=(plus[0], plus[2]))
    known = all(frame[1] for frame in frames)
    agrees = known and all(_write(probe, style) == reference(_round(probe, style)) for probe in _PROBES)
    return style if agrees else bare


def _round(number: Decimal, style: _Style) -> Decimal:
    # Adding nothing turns minus zero into zero.
    return _CONTEXT.add(number.quantize(_last_digit(style.most + style.scale), context=_CONTEXT), _ZERO)


@lru_cache(maxsize=32)
def _last_digit(decimals: int) -> Decimal:
    return _CONTEXT.scaleb(Decimal(1), -decimals)


def _make_writer(style: _Style, *, signed: bool) -> Callable[[object], str]:
    """Return the function that writes values in a style.

    Usual numbers are rounded as floats. Python rounds to even, and what is less than a half in binary: that differs
    only for numbers whose digits end in a five behind the last decimal, so all that are near such a half are written by
    their digits. So are those that may become zero, which has no sign.
    """
    if style.frames is None or style.most > _DECIMALS_EXACT:
        return lambda value: _write(read_number(value), style, signed=signed)
    positive, negative = style.plus if signed else style.frames[0], style.frames[1]
    factor, last_digits, digits = 10.0**style.scale, 10.0 ** (style.most + 1), f",.{style.most}f"
    least = 1 if signed else 0

    def write(value: object) -> str:
        if (type(value) is float or type(value) is int) and -_MOST_EXACT < value < _MOST_EXACT:
            number = value * factor + 0.0  # not minus zero
            if not _HALF - 1 < number * last_digits % 10 < _HALF + 1:
                if least <= number < _MOST_EXACT:
                    return f"{positive[0]}{_separate(format(number, digits), style)}{positive[1]}"
                if -_MOST_EXACT < number <= -1:
                    return f"{negative[0]}{_separate(format(-number, digits), style)}{negative[1]}"
        return _write(read_number(value), style, signed=signed)

    return write


def _write(number: Decimal, style: _Style, *, signed: bool = False) -> str:
    rounded = _round(number, style)
    if signed and rounded > 0:
        return _with_plus(_write(-rounded, style), style.locale)
    if style.frames is None:
        with localcontext(_CONTEXT):
            return style.reference(rounded)
    before, after = style.frames[rounded.is_signed()]
    return f"{before}{_digits(rounded.copy_abs(), style)}{after}"


def _digits(number: Decimal, style: _Style) -> str:
    return _separate(f"{_CONTEXT.scaleb(number, style.scale) if style.scale else number:,.{style.most}f}", style)


def _separate(text: str, style: _Style) -> str:
    """Return digits with as many decimals as they have, and with the locale's separators."""
    if style.least < style.most:
        whole, _, decimals = text.partition(".")
        kept = decimals.rstrip("0").ljust(style.least, "0")
        text = f"{whole}.{kept}" if kept else whole
    return text.translate(style.separators) if style.separators else text
