"""QR codes and bar codes of values, as pictures of exact pixels with their quiet zones.

The libraries are imported when the first code is made, which takes a tenth of a second.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.values import Unwritable, write_plain
from meetdeck.present.deck.program.conditions import HasValue
from meetdeck.present.deck.program.images.pictures import Picture
from meetdeck.present.deck.program.scope import Scope, data_path, report_value, resolve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A printed line of a code has at least this many pixels, so that scaling leaves its edges sharp.
_FEWEST_PIXELS: Final = 800
# Modules of white around a code: ISO/IEC 18004 (QR) and the widest of the bar codes' rules.
_QR_QUIET: Final = 4
_BARS_QUIET: Final = 11
_BARS_HEIGHT: Final = 200
# Longer bar codes have bars that no scanner can tell apart on a slide.
_LONGEST_BARS: Final = 80
_EAN: Final = 13
_CODE_39: Final = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%")


class NoCodeError(ValueError):
    """The value cannot be written as a code; the message says why and what to do."""


class HasCode(HasValue, frozen=True):
    """The condition of a shape that shows a code: it is kept while the data has a value that can be written as one."""

    def holds(self, scope: Scope) -> bool:
        """Return whether there is a code; report a missing value, and one without a code."""
        if not super().holds(scope):
            return False
        try:
            find_code(self.directive, scope)
        except (NoCodeError, Unwritable) as problem:
            self._report(scope, str(problem))
            return False
        return True

    def _report(self, scope: Scope, problem: str) -> None:
        path = data_path(self.directive, scope)
        message = f"{self.directive.source} cannot write {path!r} as a code, which is left out: {problem}"
        report_value("bad-code", message, self.directive, self.place, scope, path)


def find_code(directive: Directive, scope: Scope) -> Picture:
    """Return the code of a directive's value, made once per deck. Raises `NoCodeError` and `Unwritable`."""
    text = code_text(directive, scope)
    key = directive.kind, directive.options, text
    made = scope.media.made.get(key)
    if made is None:
        made = scope.media.made[key] = make_code(directive.kind, directive.options, text)
    return made


def code_text(directive: Directive, scope: Scope) -> str:
    """Return the text in a code. Raises `Unwritable`."""
    return write_plain(resolve(directive, scope)).strip()


@lru_cache(maxsize=256)  # all decks of a fund, or of a firm, have the same
def make_code(kind: str, options: tuple[tuple[str, str], ...], text: str) -> Picture:
    """Return the code of a text. Raises `NoCodeError`."""
    if not text:
        raise NoCodeError("it is empty.")
    if kind == "qr":
        return _make_qr(text, dict(options).get("level", "m"))
    return _make_bars(_BARS[dict(options).get("type", "code128")](text))


def _make_qr(text: str, level: str) -> Picture:
    from meetdeck.present.deck.program.images.qr_masks import make_qr  # noqa: PLC0415 - see above

    try:
        modules = make_qr(text, level)
    except ValueError as problem:
        raise NoCodeError("it is too long for a QR code; send a shorter address or text.") from problem
    return _draw(modules, _QR_QUIET, _QR_QUIET)


def _make_bars(modules: str) -> Picture:
    import numpy as np  # noqa: PLC0415 - see above

    return _draw(np.array([[module == "1" for module in modules]]), _BARS_QUIET, 0, _BARS_HEIGHT)


def _draw(is_dark: "NDArray[np.bool_]", left_quiet: int, top_quiet: int, height: int = 0) -> Picture:
    """Return a picture of modules with white around it; `height` is that of a row of bars."""
    import numpy as np  # noqa: PLC0415 - see above

    from meetdeck.present.deck.program.images.bitmaps import write_bitmap  # noqa: PLC0415 - see above

    is_white = np.pad(~is_dark, ((top_quiet, top_quiet), (left_quiet, left_quiet)), constant_values=True)
    rows, columns = is_white.shape
    scale = -(-_FEWEST_PIXELS // columns)
    height = height or scale
    return Picture(write_bitmap(is_white, scale, height), "png", columns * scale, rows * height)


def _code_128(text: str) -> str:
    if len(text) > _LONGEST_BARS:
        raise NoCodeError(f"it has {len(text):,} characters; a bar code has at most {_LONGEST_BARS}: use a QR code.")
    from barcode.codex import Code128  # noqa: PLC0415 - see above
    from barcode.errors import BarcodeError  # noqa: PLC0415

    try:
        return Code128(text).build()[0]
    except (BarcodeError, LookupError) as problem:
        raise NoCodeError("Code 128 has no letters but those of English (ASCII); use a QR code.") from problem


def _code_39(text: str) -> str:
    if len(text) > _LONGEST_BARS or not _CODE_39.issuperset(text):
        message = f"Code 39 has capitals, digits and - . $ / + % and blanks, at most {_LONGEST_BARS}; use type=code128."
        raise NoCodeError(message)
    from barcode.codex import Code39  # noqa: PLC0415 - see above

    return Code39(text, add_checksum=False).build()[0]


def _ean_13(text: str) -> str:
    number = "".join(text.split())
    if not (number.isascii() and number.isdigit() and len(number) in {_EAN - 1, _EAN}):
        raise NoCodeError("it is not an EAN of 13 digits (or 12, without the check digit).")
    if len(number) == _EAN and number[-1] != (expected := _check_digit(number[:-1])):
        raise NoCodeError(f"its check digit is {number[-1]}, and must be {expected}.")
    from barcode.ean import EuropeanArticleNumber13  # noqa: PLC0415 - see above

    return EuropeanArticleNumber13(number[: _EAN - 1]).build()[0]


def _check_digit(number: str) -> str:
    """Return the check digit of an EAN (GS1): digits are weighted 3 and 1 in turn, from the right."""
    total = sum(int(digit) * (1 if at % 2 else 3) for at, digit in enumerate(reversed(number)))
    return str(-total % 10)


_BARS: Final[Mapping[str, Callable[[str], str]]] = {
    "code128": _code_128,
    "code39": _code_39,
    "ean13": _ean_13,
}
