"""Fonts and slides for tests of text that must fit."""

from dataclasses import dataclass, field

_A = "http://schemas.openxmlformats.org/drawingml/2006/table"


@dataclass(frozen=True)
class EvenTypeface:
    """A font whose letters are all half as wide as high; East Asian ones and emoji are as wide as high."""

    line_height: float = 1.2

    def estimate(self, text: str) -> float:
        return sum(1.0 if ord(character) > 0x2E80 else 0.5 for character in text)

    measure = estimate


@dataclass
class EvenTypefaces:
    """The same font for every family; it lacks the characters of `missing`."""

    missing: str = ""
    line_height: float = 1.2
    asked: list[str] = field(default_factory=list[str])

    def match(self, family: str, *, bold: bool, italic: bool) -> EvenTypeface:  # noqa: ARG002 - the port's shape
        return EvenTypeface(self.line_height)

    def undrawable(self, text: str) -> str:
        self.asked.append(text)
        return "".join(dict.fromkeys(character for character in text if character in self.missing))


def text_box(
    paragraphs: str, *, points: tuple[float, float] = (100, 60), y: float = 0, body: str = "<a:bodyPr/>"
) -> str:
    """Return a shape, `Box`, without margins of its own: `points` wide and high."""
    width, height = (round(length * 12_700) for length in points)
    inside = body.replace("<a:bodyPr", '<a:bodyPr lIns="0" tIns="0" rIns="0" bIns="0"', 1)
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
        f'<a:off x="0" y="{round(y * 12_700)}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody>{inside}<a:lstStyle/>{paragraphs}'
        "</p:txBody></p:sp>"
    )


def line(text: str, *, size: float = 10, properties: str = "", more: str = "") -> str:
    """Return a paragraph of one run; `properties` are those of the paragraph (XML), `more` attributes of the run's."""
    run = f'<a:r><a:rPr sz="{round(size * 100)}"{more}/><a:t>{text}</a:t></a:r>'
    return f'<a:p>{properties}{run}<a:endParaRPr sz="{round(size * 100)}"/></a:p>'


def table(rows: list[list[str]], *, heights: list[int], y: float = 0, descr: str = "", size: float = 10) -> str:
    """Return a table, `Table`, of columns of 100 points, with text of `size`; heights are in EMU."""
    grid = '<a:gridCol w="1270000"/>' * len(rows[0])
    written = "".join(
        f'<a:tr h="{height}">{"".join(_cell(text, size) for text in row)}</a:tr>'
        for row, height in zip(rows, heights, strict=True)
    )
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="Table" descr="{descr}"/><p:cNvGraphicFramePr/>'
        f'<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="{round(y * 12_700)}"/>'
        f'<a:ext cx="{1_270_000 * len(rows[0])}" cy="{sum(heights)}"/></p:xfrm><a:graphic><a:graphicData uri="{_A}">'
        f"<a:tbl><a:tblPr/><a:tblGrid>{grid}</a:tblGrid>{written}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def _cell(text: str, size: float) -> str:
    body = f"<a:txBody><a:bodyPr/><a:lstStyle/>{line(text, size=size)}</a:txBody>"
    return f'<a:tc>{body}<a:tcPr marL="0" marR="0" marT="0" marB="0"/></a:tc>'
