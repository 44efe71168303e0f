"""The native charts. Their data is the customer's; the numbers here only show an author what a deck will look like.

The series refer to the workbook that python-pptx writes: categories in column A from row 2, a series in each next one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from pptx.enum.chart import XL_CHART_TYPE

from .text import solid


@dataclass(frozen=True)
class ChartFigures:
    """The figures of a chart."""

    description: str
    kind: XL_CHART_TYPE
    categories: Sequence[str]
    series: Mapping[str, Sequence[float]]
    number_format: str
    colors: Sequence[str]  # one for each slice or series


# Years are texts: as numbers they would be a series.
_YEARS = ("2022", "2023", "2024", "2025", "2026")

# By the slide's name.
CHARTS = {
    "Savings and goals": ChartFigures(
        "{{chart:savings}} Column chart: what is saved for the goal beside the plan, year by year",
        XL_CHART_TYPE.COLUMN_CLUSTERED,
        _YEARS,
        {"Saved": (100_000, 150_000, 210_000, 280_000, 360_000), "Plan": (90_000, 160_000, 230_000, 300_000, 370_000)},
        "#,##0,",  # in thousands
        ("accent1", "accent3"),
    ),
    "Portfolio": ChartFigures(
        "{{chart:allocation}} Doughnut chart: the portfolio by kind of asset",
        XL_CHART_TYPE.DOUGHNUT,
        ("Shares", "Bonds", "Property", "Cash"),
        {"Share": (0.25, 0.25, 0.25, 0.25)},
        "0%",
        # A slice more than any customer has so far keeps the firm's colours too.
        ("accent1", "tx2", "accent3", "accent4", "accent2", "accent6", "accent5"),
    ),
    "Risk and return": ChartFigures(
        "{{chart:returns}} Column chart: return of the strategy beside its benchmark, year by year",
        XL_CHART_TYPE.COLUMN_CLUSTERED,
        _YEARS,
        {"Strategy": (-8.5, 9.5, 10.5, 7.5, 4.5), "Benchmark": (-9.5, 8.5, 9.5, 7.5, 4.5)},
        "0.0;\N{MINUS SIGN}0.0",
        ("accent1", "accent6"),
    ),
}
_LIGHT = frozenset({"accent3", "accent4"})  # the colours that dark letters stand out from

_AXIS = solid("accent6", 60)


def chart_markup(figures: ChartFigures) -> str:
    """Return c:chart."""
    plot = _doughnut(figures) if figures.kind == XL_CHART_TYPE.DOUGHNUT else _columns(figures)
    return (
        f'<c:chart><c:autoTitleDeleted val="1"/><c:plotArea>{plot}</c:plotArea>'
        f'<c:legend><c:legendPos val="b"/><c:overlay val="0"/>{_text_properties(13, "tx1")}</c:legend>'
        '<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>'
    )


def _doughnut(figures: ChartFigures) -> str:
    gap = f'<a:ln w="28575">{solid("bg1")}</a:ln>'
    slices = "".join(
        f'<c:dPt><c:idx val="{i}"/><c:bubble3D val="0"/><c:spPr>{solid(color)}{gap}</c:spPr></c:dPt>'
        for i, color in enumerate(figures.colors)
    )
    return (
        f'{_LAYOUT}<c:doughnutChart><c:varyColors val="1"/>{_series(figures, 0, slices + _slice_labels(figures))}'
        '<c:firstSliceAng val="0"/><c:holeSize val="64"/></c:doughnutChart>'
    )


def _columns(figures: ChartFigures) -> str:
    series = "".join(
        _series(
            figures, i, f'<c:spPr>{solid(color)}</c:spPr><c:invertIfNegative val="0"/>{_value_labels(figures, color)}'
        )
        for i, color in enumerate(figures.colors)
    )
    return (
        f'<c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>{series}'
        '<c:gapWidth val="55"/><c:overlap val="-6"/><c:axId val="1001"/><c:axId val="1002"/></c:barChart>'
        '<c:catAx><c:axId val="1001"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>'
        '<c:axPos val="b"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/>'
        f'<c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:spPr><a:ln w="9525">{_AXIS}</a:ln></c:spPr>'
        f'{_text_properties(13, "tx1")}<c:crossAx val="1002"/><c:crosses val="autoZero"/></c:catAx>'
        '<c:valAx><c:axId val="1002"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="1"/>'
        '<c:axPos val="l"/><c:numFmt formatCode="0" sourceLinked="0"/><c:majorTickMark val="none"/>'
        '<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1001"/><c:crosses val="autoZero"/>'
        '<c:crossBetween val="between"/></c:valAx>'
    )


_SHOWN = (
    '<c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/>'
    '<c:showPercent val="0"/><c:showBubbleSize val="0"/>'
)


def _slice_labels(figures: ChartFigures) -> str:
    """Return c:dLbls with one for each slice, so that letters stand out from their slice."""
    number = f'<c:numFmt formatCode="{figures.number_format}" sourceLinked="0"/><c:spPr><a:noFill/></c:spPr>'
    labels = "".join(
        f'<c:dLbl><c:idx val="{i}"/>{number}{_text_properties(11, "tx2" if color in _LIGHT else "bg1", bold=True)}'
        f"{_SHOWN}</c:dLbl>"
        for i, color in enumerate(figures.colors)
    )
    others = f'{number}{_text_properties(11, "bg1", bold=True)}{_SHOWN}<c:showLeaderLines val="0"/>'
    return f"<c:dLbls>{labels}{others}</c:dLbls>"


_LAYOUT = (
    '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/>'
    '<c:x val="0.14"/><c:y val="0.03"/><c:w val="0.72"/><c:h val="0.7"/></c:manualLayout></c:layout>'
)


def _series(figures: ChartFigures, index: int, look: str) -> str:
    name, values = list(figures.series.items())[index]
    column, last = "BCDE"[index], len(figures.categories) + 1
    labels = "".join(f'<c:pt idx="{i}"><c:v>{escape(text)}</c:v></c:pt>' for i, text in enumerate(figures.categories))
    numbers = "".join(f'<c:pt idx="{i}"><c:v>{value}</c:v></c:pt>' for i, value in enumerate(values))
    count = f'<c:ptCount val="{len(values)}"/>'
    return (
        f'<c:ser><c:idx val="{index}"/><c:order val="{index}"/><c:tx><c:strRef><c:f>Sheet1!${column}$1</c:f>'
        f'<c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>{escape(name)}</c:v></c:pt></c:strCache></c:strRef></c:tx>'
        f"{look}<c:cat><c:strRef><c:f>Sheet1!$A$2:$A${last}</c:f><c:strCache>{count}{labels}</c:strCache></c:strRef>"
        f"</c:cat><c:val><c:numRef><c:f>Sheet1!${column}$2:${column}${last}</c:f><c:numCache>"
        f"<c:formatCode>{figures.number_format}</c:formatCode>{count}{numbers}</c:numCache></c:numRef></c:val></c:ser>"
    )


def _value_labels(figures: ChartFigures, color: str) -> str:
    ink = "accent6" if color in _LIGHT else color
    return (
        f'<c:dLbls><c:numFmt formatCode="{figures.number_format}" sourceLinked="0"/>'
        f"<c:spPr><a:noFill/></c:spPr>{_text_properties(11, ink)}"
        f'<c:dLblPos val="outEnd"/>{_SHOWN}</c:dLbls>'
    )


def _text_properties(size: float, color: str, *, bold: bool = False) -> str:
    return (
        f'<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="{round(size * 100)}" b="{int(bold)}">{solid(color)}'
        '<a:latin typeface="+mn-lt"/></a:defRPr></a:pPr><a:endParaRPr lang="en-GB"/></a:p></c:txPr>'
    )


CHART_TEXT = _text_properties(13, "tx1")
# The elements after c:chart: the card is the frame already.
NO_FRAME = "<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>"
