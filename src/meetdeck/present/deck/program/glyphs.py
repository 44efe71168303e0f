"""Findings on characters of filled text that no installed font can draw: pages show empty boxes instead."""

import unicodedata

from meetdeck.present.deck.findings import Finding, Place, warning
from meetdeck.present.deck.program.scope import Scope

# A table or list repeats its texts.
_REPEATS = 50
_MOST_NAMED = 5


def report_undrawable(text: str, place: Place, scope: Scope) -> None:
    """Report the characters of a text that pages cannot show; repeats in a row are reported once."""
    typefaces = scope.typefaces
    missing = typefaces.undrawable(text) if typefaces is not None else ""
    if missing:
        finding = missing_glyphs(missing, scope.slide, place.shape, {"part": place.part, "position": scope.position})
        if finding not in scope.findings[-_REPEATS:]:
            scope.findings.append(finding)


def missing_glyphs(characters: str, slide: str, shape: str, more: dict[str, str | int]) -> Finding:
    """Return the finding about characters that no font has."""
    named = ", ".join(
        f"{character} (U+{ord(character):04X} {unicodedata.name(character, 'unnamed')})"
        for character in characters[:_MOST_NAMED]
    )
    others = f" and {len(characters) - _MOST_NAMED} more" if len(characters) > _MOST_NAMED else ""
    message = (
        f"No font on this machine can draw {named}{others}: PDFs and pictures show an empty box there. Install a font "
        "that has it, or use another character."
    )
    details: dict[str, str | int] = {"shape": shape, "characters": characters, **more}
    return warning("missing-glyph", message, slide, **details)
