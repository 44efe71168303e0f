"""Shares and angles of the data: numbers that size, turn and draw."""

from typing import Final

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.numbers import read_number
from meetdeck.present.deck.language.values import ABSENT, Unwritable
from meetdeck.present.deck.program.scope import Scope, bad_data, data_path, report_missing, report_value, resolve

_NO_SHARE: Final = "it is not a share; write a number from 0 to 1, like 0.12 for 12 %."
_NO_ANGLE: Final = "it is not a number of degrees; write a number, like 90 for a quarter turn clockwise."


def find_share(directive: Directive, place: Place, scope: Scope) -> float | None:
    """Return a directive's share, from 0 to 1; None for a missing one.

    Report one that is cut. Raises `BadData` for a value that is not a number.
    """
    number = _find_number(directive, place, scope, _NO_SHARE)
    if number is None or 0 <= number <= 1:
        return number
    path = data_path(directive, scope)
    cut = 0.0 if number < 0 else 1.0
    message = f"{directive.source} shows {path!r}, which is {number:g}, as {cut:g}: a share is from 0 to 1."
    report_value("out-of-range", message, directive, place, scope, path)
    return cut


def find_angle(directive: Directive, place: Place, scope: Scope) -> float | None:
    """Return a directive's angle in degrees, or None. Raises `BadData` for a value that is not a number."""
    return _find_number(directive, place, scope, _NO_ANGLE)


def _find_number(directive: Directive, place: Place, scope: Scope, fault: str) -> float | None:
    value = resolve(directive, scope, place)
    if value is ABSENT or value is None or value == "":
        return None
    try:
        return float(read_number(value))
    except Unwritable as problem:
        raise bad_data(directive, place, scope, fault) from problem


def report_kept(directive: Directive, place: Place, scope: Scope, kept: str) -> None:
    """Report that the data has no value, so that what the template drew is kept."""
    report_missing(directive, place, scope, f"{kept} stays as the template has it")
