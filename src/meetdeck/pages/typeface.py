"""The typeface of the pages: Inter (OFL), in two files by their characters; browsers fetch those that they need.

docs/decisions/0184.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent.parent / "web/assets/inter"
# The characters of each, as its package lists them.
_RANGES: Final = {
    "latin": "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,"
    "U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    "latin-ext": "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,"
    "U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
}


@cache
def read_fonts() -> dict[str, bytes]:
    """Return the typeface's files, by the part of the alphabet in each; empty if none was fetched."""
    paths = {part: _FOLDER / f"inter-{part}-wght-normal.woff2" for part in _RANGES}
    return {part: path.read_bytes() for part, path in paths.items() if path.is_file()}


def write_faces(names: Mapping[str, str]) -> str:
    """Return the CSS that defines the files as `Inter`, by their addresses from the style sheet."""
    return "".join(
        f'@font-face{{font-family:"Inter";font-weight:100 900;font-display:swap;src:url("{name}") format("woff2");'
        f"unicode-range:{_RANGES[part]}}}"
        for part, name in names.items()
    )
