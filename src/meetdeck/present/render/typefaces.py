"""The fonts of this machine, as LibreOffice finds them: by fontconfig, with its substitutes for missing ones.

They measure text for the deck engine (`deck/fitting`). Without fontconfig, as on macOS, nothing is measured.
"""

import functools
import logging
import shutil
import subprocess
import unicodedata
from collections.abc import Container
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

_log: Final = logging.getLogger(__name__)
# A word takes some 100 bytes.
_MOST_WORDS: Final = 20_000
_MOST_FAMILIES: Final = 1_000
_MOST_FALLBACKS: Final = 20_000
# Looking up a font takes some 20 ms: unknown names are looked up no more often than this.
_MOST_STRANGERS: Final = 300
_USUAL: Final = frozenset(
    {"", "arial", "arial narrow", "calibri", "cambria", "courier new", "georgia", "helvetica", "segoe ui", "tahoma"}
    | {"times new roman", "trebuchet ms", "verdana", "consolas", "garamond", "century gothic", "book antiqua"}
)
_LONGEST_FAMILY: Final = 200
_PATIENCE_SECONDS: Final = 10
# LibreOffice draws letters only from outlines: a font of color bitmaps leaves holes in PDFs.
_OUTLINES: Final = frozenset({"glyf", "CFF ", "CFF2"})
# Characters that draw nothing, or change the one before: controls, joiners, variations.
# Characters newer than this Python are of no category.
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Cs", "Mn", "Me"})


# Joiners and variations: they change the character before them.
_LEANING: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")


def _leans(character: str) -> bool:
    """Return whether a character is a mark on the one before it."""
    return unicodedata.combining(character) != 0 or unicodedata.category(character) in {"Mn", "Mc", "Me"}


class _File(NamedTuple):
    """A font: a file, and its number in it."""

    path: str
    number: int


class _Advances(dict[str, float]):
    """The widths of characters in em, each computed once."""

    def __init__(self, face: "InstalledTypeface") -> None:
        self._face = face

    def __missing__(self, character: str) -> float:
        width = self[character] = self._face.find_advance(character)
        return width


class InstalledTypeface:
    """A font of this machine; a character that it lacks is measured in its substitute."""

    def __init__(self, file: _File, fonts: "InstalledTypefaces") -> None:
        import uharfbuzz as hb  # noqa: PLC0415 - few processes measure text

        self.hb_face: Final = hb.Face(hb.Blob.from_file_path(file.path), file.number)
        self._font: Final = hb.Font(self.hb_face)
        self._fonts = fonts
        extents = self._font.get_font_extents("ltr")
        self._upem: Final = self.hb_face.upem or 1_000
        self._line_height: Final = (extents.ascender - extents.descender + extents.line_gap) / self._upem
        self._advances = _Advances(self)
        self._words: dict[str, float] = {}

    @property
    def line_height(self) -> float:
        """The distance from one line to the next, in em."""
        return self._line_height

    def estimate(self, text: str) -> float:
        """Return the sum of the characters' widths."""
        return sum(map(self._advances.__getitem__, text))

    def measure(self, text: str) -> float:
        """Return the width of the shaped text."""
        width = self._words.get(text)
        if width is None:
            if len(self._words) >= _MOST_WORDS:
                self._words.clear()
            width = self._words[text] = self._shape(text)
        return width

    def find_advance(self, character: str) -> float:
        """Return the width of a character, 0 for an invisible one."""
        if unicodedata.category(character) in {"Mn", "Me", "Cf", "Cc"}:
            return 0.0
        glyph = self._font.get_nominal_glyph(ord(character))
        if glyph:
            return self._font.get_glyph_h_advance(glyph) / self._upem
        other = self._fonts.find_fallback(character)
        return other.find_advance(character) if other is not None and other is not self else 0.6

    def _shape(self, text: str) -> float:
        """Return the width of a text, each piece of which is shaped in the first font that has its characters."""
        stretches: list[tuple[InstalledTypeface, str]] = []
        for character in text:
            face = self._face_of(character) if character not in _LEANING else None
            if stretches and (face is None or face is stretches[-1][0] or _leans(character)):
                # A mark has the font of its base character.
                face, before = stretches.pop()
                stretches.append((face, before + character))
            else:
                stretches.append((face or self, character))
        return sum(face.shape_own(stretch) for face, stretch in stretches)

    def _face_of(self, character: str) -> "InstalledTypeface":
        """Return the font that draws a character: this one, another that has it, or this one's box for missing ones."""
        if self._font.get_nominal_glyph(ord(character)):
            return self
        return self._fonts.find_fallback(character) or self

    def shape_own(self, text: str) -> float:
        """Return the width of a text in only this font."""
        import uharfbuzz as hb  # noqa: PLC0415 - see above

        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(self._font, buffer)
        return sum(position.x_advance for position in buffer.glyph_positions or ()) / self._upem


class InstalledTypefaces:
    """The fonts that fontconfig knows. Raises `OSError` without fontconfig."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._files, self._families = _list_files()
        self._strangers = 0
        self._faces: dict[_File, InstalledTypeface] = {}
        self._matches: dict[tuple[str, bool, bool], InstalledTypeface] = {}
        self._coverage: list[tuple[_File, Container[int]]] | None = None
        self._drawable: dict[str, bool] = {}
        self._chosen: dict[_File, Container[int]] = {}
        self._fallbacks: dict[int, _File | None] = {}

    def has(self, family: str) -> bool:
        """Return whether a family is installed, under that name."""
        return family.casefold() in self._families

    def match(self, family: str, *, bold: bool, italic: bool) -> InstalledTypeface:
        """Return the font that pages use for a family; see `Typefaces`."""
        key = family, bold, italic
        face = self._matches.get(key)
        if face is None:
            with self._lock:
                face = self._find(self._known_name(family), bold=bold, italic=italic)
                if len(self._matches) >= _MOST_FAMILIES:
                    self._matches.clear()
                self._matches[key] = face
        return face

    def _known_name(self, family: str) -> str:
        """Return the name to look up: empty, the usual font's, after too many unknown ones."""
        if family.casefold() in self._families or family.casefold() in _USUAL:
            return family
        self._strangers += 1
        return family if self._strangers <= _MOST_STRANGERS else ""

    def _find(self, name: str, *, bold: bool, italic: bool) -> InstalledTypeface:
        key = name, bold, italic
        face = self._matches.get(key)
        if face is None:
            face = self._matches[key] = self._face(_match(_name_pattern(*key)) or self._files[0])
        return face

    def find_fallback(self, character: str) -> InstalledTypeface | None:
        """Return the font that pages use for a character missing in the text's own font, None when no font has it."""
        code = ord(character)
        if code not in self._fallbacks:
            with self._lock:
                if len(self._fallbacks) >= _MOST_FALLBACKS:
                    self._fallbacks.clear()
                self._fallbacks[code] = self._choose_fallback(code)
        file = self._fallbacks[code]
        return self._face(file) if file else None

    def _choose_fallback(self, code: int) -> _File | None:
        """Return the font that has a character: one chosen before, fontconfig's choice, or any other."""
        for file, codes in self._chosen.items():
            if code in codes:
                return file
        self._strangers += 1
        chosen = _match(f":charset={code:x}") if self._strangers <= _MOST_STRANGERS else None
        codes = _read_coverage(chosen) if chosen else ()
        if chosen and code in codes:
            self._chosen[chosen] = codes
            return chosen
        return next((file for file, codes in self._list_coverage() if code in codes), None)

    def undrawable(self, text: str) -> str:
        """Return the characters that no font has, each once."""
        if all(map(self._drawable.get, text)):
            return ""
        return "".join(character for character in dict.fromkeys(text) if not self._is_drawable(character))

    def _is_drawable(self, character: str) -> bool:
        known = self._drawable.get(character)
        if known is None:
            is_invisible = unicodedata.category(character) in _INVISIBLE
            known = self._drawable[character] = is_invisible or self.find_fallback(character) is not None
        return known

    def _face(self, file: _File) -> InstalledTypeface:
        face = self._faces.get(file)
        if face is None:
            face = self._faces[file] = InstalledTypeface(file, self)
        return face

    def _list_coverage(self) -> list[tuple[_File, Container[int]]]:
        if self._coverage is None:
            self._coverage = [(file, _read_coverage(file)) for file in self._files]
        return self._coverage


def _read_coverage(file: _File) -> Container[int]:
    """Return the characters that a font can draw."""
    import uharfbuzz as hb  # noqa: PLC0415 - see above

    face = hb.Face(hb.Blob.from_file_path(file.path), file.number)
    return face.unicodes if _OUTLINES.intersection(face.table_tags) else ()


def _list_files() -> tuple[list[_File], frozenset[str]]:
    """Return the fonts, and the names of their families without case."""
    listed = [line.split("\t") for line in _run("fc-list", "-f", "%{file}\t%{index}\t%{family}\n")]
    families = frozenset(name.casefold() for _, _, names in listed for name in names.split(","))
    files = sorted({_File(path, int(index)) for path, index, _ in listed})
    files = [file for file in files if Path(file.path).suffix.lower() in {".ttf", ".otf", ".ttc", ".otc"}]
    if not files:
        raise FileNotFoundError("there are no fonts")
    return files, families


def _name_pattern(family: str, bold: bool, italic: bool) -> str:  # noqa: FBT001 - as the key of the match
    name = "".join(f"\\{character}" if character in "\\-:,=_" else character for character in family[:_LONGEST_FAMILY])
    return name + (":bold" if bold else "") + (":italic" if italic else "")


def _match(pattern: str) -> _File | None:
    """Return the font that fontconfig chooses for a pattern."""
    path, _, index = next(iter(_run("fc-match", "-f", "%{file}\t%{index}\n", pattern)), "").partition("\t")
    return _File(path, int(index or 0)) if path else None


def _run(program: str, *arguments: str) -> list[str]:
    found = shutil.which(program)
    if found is None:
        raise FileNotFoundError(f"there is no {program}")
    done = subprocess.run(  # noqa: S603 - no shell reads the arguments
        [found, *arguments], capture_output=True, check=False, timeout=_PATIENCE_SECONDS
    )
    return done.stdout.decode(errors="replace").splitlines()


@functools.cache
def installed_typefaces() -> InstalledTypefaces | None:
    """Return the fonts of this machine, found once; None, logged, without fontconfig."""
    try:
        return InstalledTypefaces()
    except (OSError, subprocess.SubprocessError) as error:
        _log.warning("text is not measured, and decks are not checked for text that overflows: %s", error)
        return None
