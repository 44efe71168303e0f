"""The two native charts. They show the strategy, so they are the same for every customer.

The series refer to the workbook that python-pptx writes: categories in column A from row 2, a series in each next one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from pptx.enum.chart import XL_CHART_TYPE

from .content import STRATEGY_MIX, STRATEGY_RETURNS, STRATEGY_YEARS
from .text import solid


@dataclass(frozen=True)
class ChartFigures:
    """What a chart shows."""

    description: str
    kind: XL_CHART_TYPE
    categories: Sequence[str]
    series: Mapping[str, Sequence[float]]
    number_format: str
    colors: Sequence[str]  # one for each slice or series


# By the slide's name.
CHARTS = {
    "Portfolio": ChartFigures(
        "Doughnut chart: what the Nordlys Balance strategy aims to hold, by kind of asset",
        XL_CHART_TYPE.DOUGHNUT,
        [f"{name}, {share:.0%}" for name, share in STRATEGY_MIX.items()],
        {"Nordlys Balance": list(STRATEGY_MIX.values())},
        "0%",
        ("accent1", "accent3", "tx2", "accent4", "accent6"),
    ),
    "Risk and return": ChartFigures(
        "Column chart: return of Nordlys Balance beside its benchmark in each of six years",
        XL_CHART_TYPE.COLUMN_CLUSTERED,
        STRATEGY_YEARS,
        STRATEGY_RETURNS,
        "0.0",
        ("accent1", "accent6"),
    ),
}

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
        f'{_LAYOUT}<c:doughnutChart><c:varyColors val="1"/>{_series(figures, 0, slices + _NO_LABELS)}'
        '<c:firstSliceAng val="0"/><c:holeSize val="64"/></c:doughnutChart>'
    )


def _columns(figures: ChartFigures) -> str:
    series = "".join(
        _series(figures, i, f'<c:spPr>{solid(color)}</c:spPr><c:invertIfNegative val="0"/>{_value_labels(color)}')
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


_NO_LABELS = (
    '<c:dLbls><c:showLegendKey val="0"/><c:showVal val="0"/><c:showCatName val="0"/><c:showSerName val="0"/>'
    '<c:showPercent val="0"/><c:showBubbleSize val="0"/><c:showLeaderLines val="0"/></c:dLbls>'
)


_LAYOUT = (
    '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/>'
    '<c:x val="0.14"/><c:y val="0.0"/><c:w val="0.72"/><c:h val="0.7"/></c:manualLayout></c:layout>'
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


def _value_labels(color: str) -> str:
    return (
        f'<c:dLbls><c:numFmt formatCode="0.0;\N{MINUS SIGN}0.0" sourceLinked="0"/>'
        f"<c:spPr><a:noFill/></c:spPr>{_text_properties(11, color)}"
        '<c:dLblPos val="outEnd"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/>'
        '<c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>'
    )


def _text_properties(size: float, color: str) -> str:
    return (
        f'<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="{round(size * 100)}" b="0">{solid(color)}'
        '<a:latin typeface="+mn-lt"/></a:defRPr></a:pPr><a:endParaRPr lang="en-GB"/></a:p></c:txPr>'
    )


CHART_TEXT = _text_properties(13, "tx1")
# What c:chart is followed by: the card is the frame already.
NO_FRAME = "<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>"
