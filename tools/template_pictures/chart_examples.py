"""Examples of charts."""

from typing import Any, Final

from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml

from .example import Example
from .stage import Stage

_C: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"


def _draw_columns(stage: Stage) -> None:
    stage.begin("Your savings")
    stage.chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, ["A", "B", "C"], {"First": (3, 2, 4), "Second": (1, 3, 2)}, "{{chart:savings}}"
    )


def _draw_pie(stage: Stage) -> None:
    stage.begin("Where your money is")
    stage.chart(XL_CHART_TYPE.DOUGHNUT, ["A", "B"], {"Shares": (1, 1)}, "{{chart:mix}}")


def _draw_line(stage: Stage) -> None:
    stage.begin("Return beside the market")
    stage.chart(
        XL_CHART_TYPE.LINE_MARKERS, ["A", "B", "C"], {"First": (1, 2, 3), "Second": (2, 1, 2)}, "{{chart:returns}}"
    )


def _draw_points(stage: Stage) -> None:
    stage.begin("Risk and return of funds")
    stage.scatter("Funds", ((1, 1), (2, 3)), "{{chart:funds}}")


def _draw_result(stage: Stage) -> None:
    stage.begin("Result of the year")
    stage.chart(XL_CHART_TYPE.COLUMN_CLUSTERED, ["A", "B", "C"], {"Result": (3, 2, 4)}, "{{chart:result}}")


def _draw_share(stage: Stage) -> None:
    stage.begin("Share of shares")
    stage.chart(XL_CHART_TYPE.LINE_MARKERS, ["A", "B", "C"], {"Shares": (3, 2, 4)}, "{{chart:share}}")


def _draw_sales(stage: Stage) -> None:
    stage.begin("Sales by quarter")
    stage.chart(XL_CHART_TYPE.COLUMN_CLUSTERED, ["A", "B", "C"], {"Sales": (3, 2, 4)}, "{{chart:sales}}")


def _draw_totals(stage: Stage) -> None:
    stage.begin("Business with customers")
    stage.chart(
        XL_CHART_TYPE.COLUMN_STACKED, ["A", "B", "C"], {"First": (3, 2, 4), "Second": (1, 3, 2)}, "{{chart:sales}}"
    )
    area: Any = stage.slide.shapes[-1].chart
    area = area._chartSpace.chart.plotArea  # noqa: SLF001 - python-pptx has no way to it
    sides = zip(("x", "y", "w", "h"), (0.1, 0.45, 0.87, 0.3), strict=True)
    inside = "".join(f'<c:{name} val="{share}"/>' for name, share in sides)
    modes = '<c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/>'
    for layout in area.findall(f"{{{_C}}}layout"):
        area.remove(layout)
    area.insert(0, parse_xml(f'<c:layout xmlns:c="{_C}"><c:manualLayout>{modes}{inside}</c:manualLayout></c:layout>'))


def _draw_cash(stage: Stage) -> None:
    stage.begin("Where the cash went")
    stage.extended_chart("waterfall", [("A", 3), ("B", 2), ("C", -1), ("D", 4)], "{{chart:cash}}")


def _draw_portfolio(stage: Stage) -> None:
    stage.begin("Your portfolio")
    stage.extended_chart("sunburst", [("A", 3), ("B", 2), ("C", 1)], "{{chart:portfolio}}")


CHARTS: Final = (
    Example(
        "chart-object",
        _draw_columns,
        [["Your savings", "Pension: 2024 1010, 2025 1128, 2026 1264", "Investments: 2024 690, 2025 gap, 2026 842"]],
    ),
    Example("chart-rows", _draw_pie, [["Where your money is", "Share: Shares 53, Bonds 33, Property 9, Cash 5"]]),
    Example(
        "chart-records",
        _draw_line,
        [
            [
                "Return beside the market",
                "Nordlys Balance: 2023 10.2, 2024 11.7, 2025 7.5",
                "Market: 2023 9.6, 2024 10.9, 2025 gap",
            ]
        ],
    ),
    Example("chart-points", _draw_points, [["Risk and return of funds", "Funds: 4 1.5, 7 3.1, 11 4.8, 15 7.2"]]),
    Example("chart-colors", _draw_result, [["Result of the year", "Result: 2023 34, 2024 -12, 2025 21, 2026 48"]]),
    Example("chart-axes", _draw_share, [["Share of shares", "Shares: 2024 48, 2025 53, 2026 61"]]),
    Example("chart-waterfall", _draw_cash, [["Where the cash went"]]),
    Example("chart-sunburst", _draw_portfolio, [["Your portfolio"]]),
    Example(
        "chart-totals",
        _draw_totals,
        [
            [
                "Business with customers",
                "Pensions: 2023 180, 2024 204, 2025 231, 2026 262",
                "Loans: 2023 95, 2024 88, 2025 101, 2026 114",
                "Total: 2023 275, 2024 292, 2025 332, 2026 376",
                "11.0%",
                "+13%",
            ]
        ],
    ),
    Example("chart-levels", _draw_sales, [["Sales by quarter", "Sales: Q3 4.1, Q4 5.2, Q1 4.6, Q2 5.9"]]),
)
