"""Decks of drawings and columns: a pension outlook with gauges, and a management deck with totals and arrows."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml import parse_xml
from pptx.util import Inches, Pt

from deck_peers.realistic.kit import Drawing, Place, add_chart, add_table, add_text, describe, list_chart, set_direction

OUTLOOK_SLIDES: Final = 6
MANAGEMENT_SLIDES: Final = 2
_INK, _FAINT, _NEEDLE = "127568", "DDE7E4", "E0A54A"
_FULL: Final = (-90, -90.01)
_CHART: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"


class Words(NamedTuple):
    """The words of both decks in one language, whose text may run `from_right`."""

    language: str
    title: str
    header: tuple[str, str, str, str]
    from_right: bool = False


ENGLISH: Final = Words("en", "Your pension outlook", ("Goal", "Reached", "Sure", "Years"))
DANISH: Final = Words("da", "Din pension", ("Mål", "Nået", "Sikkert", "År"))
ARABIC: Final = Words("ar", "توقعات معاشك", ("الهدف", "تم", "مؤكد", "سنوات"), from_right=True)


def _add_piece(
    slide: Any, kind: MSO_SHAPE, place: Place, directive: str = "", *, color: str = _INK, angles: tuple[float, ...] = ()
) -> Any:
    """Add a shape without outline; without color, nobody sees it."""
    shape = slide.shapes.add_shape(kind, *map(Inches, place))
    shape.line.fill.background()
    if color:
        shape.fill.solid()
        shape.fill.fore_color.rgb = RGBColor(*bytes.fromhex(color))
    else:
        shape.fill.background()
    for number, angle in enumerate(angles):
        # python-pptx counts angles in 100,000 units, DrawingML in 60,000.
        shape.adjustments[number] = angle * 0.6
    return describe(shape, directive)


def make_outlook(words: Words = ENGLISH) -> bytes:
    """Return the template of a pension outlook: a ring, a needle, a bar, a line, and a table of goals that goes on."""
    drawing = Drawing(words.language)
    slide = drawing.add_slide("Outlook", "{{title}}")
    ring, bar = Place(0.8, 1.5, 2.4, 2.4), Place(7.2, 1.9, 5, 0.35)
    _add_piece(slide, MSO_SHAPE.BLOCK_ARC, ring, color=_FAINT, angles=_FULL)
    _add_piece(slide, MSO_SHAPE.BLOCK_ARC, ring, "{{pie:share}}", angles=_FULL)
    _add_piece(slide, MSO_SHAPE.BLOCK_ARC, Place(4, 1.5, 2.4, 2.4), color=_FAINT)
    needle = [
        _add_piece(slide, MSO_SHAPE.ISOSCELES_TRIANGLE, Place(5.1, top, 0.2, 1.1), color=color)
        for top, color in ((1.6, _NEEDLE), (2.7, ""))
    ]
    slide.shapes.add_group_shape(needle).element.nvGrpSpPr.cNvPr.set("descr", "{{rotate:share * 180 - 90}}")
    _add_piece(slide, MSO_SHAPE.RECTANGLE, bar, color=_FAINT)
    _add_piece(slide, MSO_SHAPE.RECTANGLE, bar, f"{{{{width:share from={'right' if words.from_right else 'left'}}}}}")
    digits = ' | digits:"arab"' if words.from_right else ""
    add_text(slide, Place(7.2, 2.4, 5, 0.6), [f"{{{{share | percent{digits}}}}} · {{{{place | ordinal}}}}"], 18)
    describe(add_text(slide, Place(7.2, 3, 5, 0.9), [""]), "{{spark:history color=accent2}}")
    row = ("{{#goals continue numbered}}{{name}}", "{{bar:share color=accent3}}", "{{harvey:sure}}")
    rows = (words.header, (*row, "{{spark:years}}{{/goals}}"))
    frame = add_table(slide, Place(0.6, 4.2, 12, 0.8), rows, (4, 3, 2, 3), 16)
    if words.from_right:
        frame.table._tbl.tblPr.set("rtl", "1")
        set_direction(frame, "r")
    return drawing.save()


def make_outlook_data(words: Words = ENGLISH, goals: int = 40) -> dict[str, object]:
    """Return the data of a customer with so many goals."""
    return {
        "title": words.title,
        "share": 0.62,
        "place": 3,
        "history": [3, 4, 3.5, 5, None, 5.5, 7],
        "goals": [
            {
                "name": f"{words.header[0]} {number}",
                "share": number * 37 % 100 / 100,
                "sure": number % 5 / 4,
                "years": [number * step % 17 for step in range(1, 8)],
            }
            for number in range(goals)
        ],
    }


def make_management(words: Words = ENGLISH) -> bytes:
    """Return the template of a management deck: stacked columns and bars with totals and a fixed plot area."""
    drawing = Drawing(words.language)
    places: Mapping[XL_CHART_TYPE, tuple[float, ...]] = {
        XL_CHART_TYPE.COLUMN_STACKED: (0.06, 0.25, 0.9, 0.58),
        XL_CHART_TYPE.BAR_STACKED: (0.1, 0.05, 0.68, 0.78),
    }
    for kind, sides in places.items():
        slide = drawing.add_slide(kind.name, "{{title}}")
        chart = add_chart(slide, Place(0.6, 1.3, 12, 5.8), "{{chart:sales totals}}", kind, ("A", "B", "C")).chart
        chart.has_legend, chart.font.size = True, Pt(12)
        chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
        chart.plots[0].has_data_labels, chart.plots[0].gap_width = True, 60
        _fix_plot_area(chart._chartSpace.chart.plotArea, sides)
    return drawing.save()


def _fix_plot_area(area: Any, sides: tuple[float, ...]) -> None:
    for layout in area.findall(f"{{{_CHART}}}layout"):
        area.remove(layout)
    modes = '<c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/>'
    inside = "".join(f'<c:{name} val="{share}"/>' for name, share in zip("xywh", sides, strict=True))
    area.insert(
        0, parse_xml(f'<c:layout xmlns:c="{_CHART}"><c:manualLayout>{modes}{inside}</c:manualLayout></c:layout>')
    )


def make_management_data(words: Words = ENGLISH, years: int = 12) -> dict[str, object]:
    """Return the data of a firm over so many years."""
    names = [str(2027 - years + number) for number in range(years)]
    rows = {name: [100 + 17 * year + 40 * at for year in range(years)] for at, name in enumerate("ABC")}
    differences = [
        {"from": names[0], "to": names[-1], "as": "cagr"},
        {"from": names[-2], "to": names[-1], "series": "A"},
        {"from": names[0], "to": names[1], "as": "absolute"},
    ]
    return {"title": words.title, "sales": list_chart(names, rows) | {"differences": differences}}
