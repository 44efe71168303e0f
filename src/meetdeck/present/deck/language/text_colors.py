"""The color of a tag's text: `{{change | color:"red"}}`, by bounds, by a value of the data, or only for negatives."""

import re
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.present.deck.language.colors import COLOR_WORDS, UnknownColor, read_color
from meetdeck.present.deck.language.steps import NoStepsError, Step, read_steps

# Keeps the template's own color.
OWN_COLOR: Final = "auto"
_NAME: Final = re.compile(r"[^\W\d][\w-]*(?:\.[\w-]+)*")
_ADVICE: Final = (
    'its argument is a color, like color:"accent2" or color:"#C00000", colors by bounds, like '
    'color:"red, 50: amber, 80: green", or the name of a value that is one'
)


class TextColor(NamedTuple):
    """A rule for the color of a tag's text: by the steps of its number, or the value of a name."""

    steps: tuple[Step, ...] = ()
    name: str = ""


class NoColorError(ValueError):
    """A filter's argument names no color; the message says what to write."""


@lru_cache(maxsize=1_024)
def read_text_color(filter_name: str, argument: str) -> TextColor:
    """Return the rule of `color:…` or `negative:…`. Raises `NoColorError`."""
    if filter_name == "negative":
        color = argument or "red"
        _check(color)
        return TextColor((Step(None, color), Step(Decimal(0), OWN_COLOR)))
    if "," not in argument and ":" not in argument and not _is_color(argument):
        if get_close_matches(argument.lower(), COLOR_WORDS, 1) or not _NAME.fullmatch(argument):
            _check(argument)
        return TextColor(name=argument)
    try:
        steps = read_steps(argument)
    except NoStepsError as problem:
        raise NoColorError(_ADVICE) from problem
    for step in steps:
        _check(step.value)
    return TextColor(steps)


def _check(color: str) -> None:
    if color in {"", OWN_COLOR}:
        return
    try:
        read_color(color)
    except UnknownColor as problem:
        nearest = get_close_matches(color.lower(), COLOR_WORDS, 1)
        hint = f"{color[:40]!r} is not a color; did you mean {nearest[0]!r}?" if nearest else _ADVICE
        raise NoColorError(hint) from problem


def _is_color(text: str) -> bool:
    try:
        read_color(text)
    except UnknownColor:
        return text == OWN_COLOR
    return True
