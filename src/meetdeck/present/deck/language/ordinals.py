"""Ordinal numbers in digits, as languages write them: 3rd, 3., 3e."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from babel import Locale

from meetdeck.present.deck.language.numbers import parse_locale, read_number, write_number
from meetdeck.present.deck.language.values import Unwritable

# The ending of the number, by language and the language's plural form of ordinals (CLDR); `other` is all others.
_ENDINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"one": "st", "two": "nd", "few": "rd", "other": "th"},
    "fr": {"one": "er", "other": "e"},
    "nl": {"other": "e"},
    "sv": {"one": ":a", "other": ":e"},
    "ca": {"one": "r", "two": "n", "few": "t", "other": "è"},
    "es": {"other": ".º"},
    "it": {"other": "º"},
    "pt": {"other": "º"},
    "ru": {"other": "-й"},
    "uk": {"other": "-й"},
    "ko": {"other": "번째"},
}
# Everywhere else, Danish and German among them.
_POINT: Final[Mapping[str, str]] = {"other": "."}
_PREFIXED: Final = {"zh": "第", "ja": "第"}


def write_ordinal(value: object, _argument: str, locale: str) -> str:
    """Return a whole number as an ordinal. Raises `Unwritable` for anything else."""
    number = read_number(value)
    if number != number.to_integral_value():
        raise Unwritable("it is not a whole number; ordinal writes 3 as 3rd.")
    known, text = parse_locale(locale), write_number(number, 0, locale)
    if before := _PREFIXED.get(known.language):
        return before + text
    endings = _ENDINGS.get(known.language, _POINT)
    return text + endings.get(_find_form(abs(number), known), endings["other"])


def _find_form(number: Decimal, locale: Locale) -> str:
    return locale.ordinal_form(int(number))
