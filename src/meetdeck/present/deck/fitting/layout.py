"""Text laid out in lines as on a page: the height of a text body and the width of its widest line.

Some details change little and are ignored: which characters may not begin a line in Chinese or Japanese, hanging
punctuation, the width of bullets. In doubt, text takes less space here than on the page.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Self

from meetdeck.present.deck.fitting.lines import SLACK, Atom, Line
from meetdeck.present.deck.fitting.styles import (
    Alignment,
    FontScheme,
    ParagraphStyle,
    RunStyle,
    level_style,
    read_paragraph,
    read_run,
)
from meetdeck.present.deck.opc.xml import A, Element
from meetdeck.present.deck.program.typefaces import Typeface, Typefaces

# A word up to where a line may break, blanks, a tab, or a single character.
_IDEOGRAPH: Final = (
    "\u1100-\u115f\u2e80-\u303f\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uffef"
    "\U0001f000-\U0003ffff"
)
_LETTER: Final = f"[^\\s{_IDEOGRAPH}\u00ad\u200b-]"
_ATOM: Final = re.compile(
    f"\t|[ \u2000-\u200a\u3000]+|[{_IDEOGRAPH}]|{_LETTER}*[\u00ad\u200b-]+|{_LETTER}+|.", re.DOTALL
)
_COMPLEX: Final = re.compile("[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufeff]")
_EAST_ASIAN: Final = re.compile(f"[{_IDEOGRAPH}]")
# LibreOffice's line height in a shape of a presentation, for any font (FontIndependentLineSpacing). PowerPoint
# uses the font's own: 1.15 in Arial, 1.22 in Calibri; most fonts are not installed here.
SHAPE_LINE_HEIGHT: Final = 1.2


class Extent(NamedTuple):
    """The extent of a text, in points: `widths` are its widest lines by alignment.

    `line` is the height of its last line.
    """

    widths: Mapping[Alignment, float]
    height: float
    line: float


class Paragraph(NamedTuple):
    """A paragraph's distances `before` and `after`, the heights of all its lines and of the last, and its width."""

    before: float
    height: float
    after: float
    line: float
    width: float
    alignment: Alignment


def stack(paragraphs: Iterable[Paragraph], columns: int = 1) -> Extent:
    """Return the extent of stacked paragraphs, without the space before the first and after the last."""
    total, line, after = 0.0, 0.0, 0.0
    widths: dict[Alignment, float] = {}
    for number, paragraph in enumerate(paragraphs):
        total += after + (paragraph.before if number else 0) + paragraph.height
        line, after = paragraph.line, paragraph.after
        widths[paragraph.alignment] = max(widths.get(paragraph.alignment, 0.0), paragraph.width)
    return Extent(widths, total / columns if columns > 1 else total, line)


class WrittenRun(NamedTuple):
    """A run or field, or a line break: its text, look, font, size and line height.

    One that `is_plain` is ASCII without tabs and breaks.
    """

    text: str
    style: RunStyle
    face: Typeface
    size: float
    height: float
    is_plain: bool

    def with_text(self, text: str) -> Self:
        """Return the run with another text."""
        text = text.upper() if self.style.capitals else text
        return self._replace(text=text, is_plain=_is_plain(text))


class WrittenParagraph(NamedTuple):
    """A paragraph's style and runs, and the height of an empty line at its end.

    With `has_ending`, an `a:endParaRPr` sets that height.
    """

    style: ParagraphStyle
    runs: tuple[WrittenRun, ...]
    ending: float
    has_ending: bool


def _is_plain(text: str) -> bool:
    return text.isascii() and "\t" not in text and "\n" not in text


class Measurer:
    """Measures text bodies with fonts; `shaped` includes kerning and ligatures, else widths are estimates.

    `scale` is the text's size factor, `spacing` that of the distances between lines and paragraphs. In cells the
    distance of lines is the font's own, otherwise `SHAPE_LINE_HEIGHT`.
    """

    def __init__(
        self,
        typefaces: Typefaces,
        fonts: FontScheme,
        *,
        shaped: bool,
        in_cells: bool = False,
        scale: float = 1,
        spacing: float = 1,
    ) -> None:
        self._typefaces = typefaces
        self._fonts = fonts
        self._shaped = shaped
        self._in_cells = in_cells
        self._scale = scale
        self._spacing = spacing

    def measure(
        self, body: Element, levels: tuple[ParagraphStyle, ...], width: float | None, columns: int = 1
    ) -> Extent:
        """Return the extent of the paragraphs of a text body; lines break at `width`, if there is one."""
        return stack(self.measure_paragraphs(body, levels, width), columns)

    def measure_paragraphs(
        self, body: Element, levels: tuple[ParagraphStyle, ...], width: float | None
    ) -> Iterator[Paragraph]:
        """Yield the paragraphs of a text body; lines break at `width`, if there is one."""
        for paragraph in body.iterchildren(A + "p"):
            yield self.measure_written(self.read(paragraph, levels), width)

    def read(self, paragraph: Element, levels: tuple[ParagraphStyle, ...]) -> WrittenParagraph:
        """Return the runs of an `a:p` with their looks."""
        style = _style_of(paragraph, levels, self._fonts)
        ending = paragraph.find(A + "endParaRPr")
        run = style.run if ending is None else read_run(ending, style.run, self._fonts)
        return WrittenParagraph(style, tuple(self._read_runs(paragraph, style)), self._height(run), ending is not None)

    def measure_written(self, written: WrittenParagraph, width: float | None) -> Paragraph:
        """Return the extent of a paragraph that was read; lines break at `width`, if there is one."""
        style = written.style
        lines = list(self._break(written, width))
        heights = [self._pitch(style, atom) for atom in lines]
        return Paragraph(
            before=self._spacing * style.before.of(lines[0].height),
            height=sum(heights),
            after=self._spacing * style.after.of(lines[-1].height),
            line=heights[-1],
            width=max([one.width for one in lines]),
            alignment=style.alignment,
        )

    def _pitch(self, style: ParagraphStyle, line: Atom) -> float:
        if self._in_cells and line.kind == "empty":
            # LibreOffice gives an empty cell the height of its letters, whatever the distance of lines.
            return max(style.line.of(line.height), line.height)
        return style.line.of(line.height) * (self._spacing if style.line.relative else self._scale)

    def _break(self, written: WrittenParagraph, width: float | None) -> Iterator[Atom]:
        """Yield the lines of a paragraph, each with its whole width."""
        style = written.style
        margin = style.left + style.right
        first, room = find_first_line(style), math.inf if width is None else max(width - margin, 1)
        texts = [run for run in written.runs if run.text]
        if line := self._one_line(texts, first, room, margin):
            yield line
            return
        filler = Line(room, first, margin)
        for run in texts:
            for atom in self._atoms(run, style.tab, room):
                yield from filler.take(atom)
        yield from filler.finish(_find_empty_line(written))

    def _one_line(self, runs: Sequence[WrittenRun], first: float, room: float, margin: float) -> Atom | None:
        """Return the only line, when all runs fit in it: the usual case, without splitting into words."""
        if not runs or not all(run.is_plain for run in runs):
            return None
        width = first + sum([self._width(run, run.text) for run in runs])
        return Atom(width + margin, max([run.height for run in runs]), "line") if width <= room else None

    def _read_runs(self, paragraph: Element, style: ParagraphStyle) -> Iterator[WrittenRun]:
        for child in paragraph.iterchildren(A + "r", A + "fld", A + "br"):
            properties = child.find(A + "rPr")
            run = style.run if properties is None else read_run(properties, style.run, self._fonts)
            carrier = child.find(A + "t")
            text = "\n" if child.tag == A + "br" else (carrier.text or "") if carrier is not None else ""
            face = self._typefaces.match(run.latin, bold=run.bold, italic=run.italic)
            size = run.size * self._scale
            if run.capitals:
                text = text.upper()
            yield WrittenRun(
                text=text,
                style=run,
                face=face,
                size=size * (_raised(properties) if properties is not None else 1),
                height=(face.line_height if self._in_cells else SHAPE_LINE_HEIGHT) * size,
                is_plain=_is_plain(text),
            )

    def _atoms(self, run: WrittenRun, tab: float, room: float) -> Iterator[Atom]:
        for text in _ATOM.findall(run.text):
            if text == "\n":
                yield Atom(0, run.height, "break")
            elif text == "\t":
                yield Atom(tab, run.height, "tab")
            elif text.isspace() and text not in "\u00a0\u202f":
                yield Atom(self._width(run, text), run.height, "blank")
            else:
                breaks_behind = text[-1] in "-\u00ad\u200b" or _EAST_ASIAN.match(text) is not None
                *full, rest = self._split(run, text, room)
                yield from (Atom(width, run.height, "end") for width in full)
                yield Atom(rest, run.height, "end" if breaks_behind else "word")

    def _split(self, run: WrittenRun, text: str, room: float) -> list[float]:
        """Return the widths of the lines that a word fills: a word too long for a line is broken between letters."""
        width = self._width(run, text)
        if width <= room + SLACK:
            return [width]
        lines = [0.0]
        for letter in text:
            width = self._width(run, letter)
            if lines[-1] and lines[-1] + width > room + SLACK:
                lines.append(0.0)
            lines[-1] += width
        return lines

    def _width(self, run: WrittenRun, text: str) -> float:
        face = run.face if text.isascii() else self._face(run.style, text)
        width = face.measure(text) if self._shaped else face.estimate(text)
        return width * run.size + run.style.tracking * self._scale * len(text)

    def _face(self, run: RunStyle, text: str) -> Typeface:
        family = run.latin
        if run.east_asian and _EAST_ASIAN.search(text):
            family = run.east_asian
        elif run.complex and _COMPLEX.search(text):
            family = run.complex
        return self._typefaces.match(family, bold=run.bold, italic=run.italic)

    def _height(self, run: RunStyle) -> float:
        face = self._typefaces.match(run.latin, bold=run.bold, italic=run.italic)
        return (face.line_height if self._in_cells else SHAPE_LINE_HEIGHT) * run.size * self._scale


def _style_of(paragraph: Element, levels: tuple[ParagraphStyle, ...], fonts: FontScheme) -> ParagraphStyle:
    properties = paragraph.find(A + "pPr")
    if properties is None:
        return levels[0]
    return read_paragraph(properties, level_style(properties, levels), fonts)


def find_first_line(style: ParagraphStyle) -> float:
    """Return the indentation of a paragraph's first line behind its margin."""
    # Nothing is left of the text's own edge.
    return 0 if style.has_bullet and style.indent < 0 else max(style.indent, -style.left)


def _find_empty_line(written: WrittenParagraph) -> float:
    """Return the height of a last line without text, as in LibreOffice."""
    runs = written.runs
    is_behind_text = bool(runs) and not runs[-1].text and any(run.text for run in runs)
    return runs[-1].height if runs and (is_behind_text or not written.has_ending) else written.ending


def _raised(properties: Element) -> float:
    """Return the relative size of raised and lowered letters."""
    return 0.66 if properties.get("baseline", "0") not in {"0", None} else 1
