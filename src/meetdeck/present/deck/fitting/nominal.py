"""Nominal fonts, for a machine without any."""

from typing import Final

from meetdeck.present.deck.program.typefaces import Typeface


class _NominalTypeface:
    """A font of usual line height whose text has no width."""

    line_height = 1.2

    def estimate(self, text: str) -> float:  # noqa: ARG002 - see `Typeface`
        """Return no width."""
        return 0.0

    measure = estimate


class _NominalTypefaces:
    """Fonts for a machine without any: rows without a height still get one."""

    def match(self, family: str, *, bold: bool, italic: bool) -> Typeface:  # noqa: ARG002 - see `Typefaces`
        """Return the usual font."""
        return _FACE

    def undrawable(self, text: str) -> str:  # noqa: ARG002 - as above
        """Return no character."""
        return ""


_FACE: Final = _NominalTypeface()
NOMINAL: Final = _NominalTypefaces()
