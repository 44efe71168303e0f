"""Examples of tables from the data."""

from typing import Any, Final

from pptx.dml.color import RGBColor

from .example import Example
from .stage import Stage


def _draw_objects(stage: Stage) -> None:
    stage.begin("Assets and debt")
    stage.table(("Name", "Value"), ("text", "{{. | number:0}}"), widths=(3.2, 1.5), alt="{{table:balance}}", y=1.15)


def _draw_columns(stage: Stage) -> None:
    stage.begin("What you hold")
    stage.table(
        ("Fund", "Year"),
        ("text", "{{. | number:0}}"),
        ("Total", "{{. | number:0}}"),
        widths=(2.4, 2.3),
        alt="{{table:holdings}}",
        y=1.15,
        total=True,
    )


def _draw_markdown(stage: Stage) -> None:
    stage.begin("What may go wrong")
    stage.table(("a", "b"), ("text", "text"), widths=(1.7, 3.0), alt="{{table:notes}}", y=1.15)


def _draw_column_block(stage: Stage) -> None:
    stage.begin("Growth of your savings")
    stage.table(
        ("", "At the end of the year", ""),
        ("", "{{#years columns}}{{year}}{{/years}}", "Change"),
        ("{{#funds}}{{name}}", "{{#values columns}}{{. | number:0}}{{/values}}", "{{change}}{{/funds}}"),
        widths=(1.1, 2.7, 0.9),
        y=1.15,
    )
    table: Any = stage.slide.shapes[-1]
    table = table.table
    table.cell(0, 1).merge(table.cell(0, 2))
    cell = table.cell(2, 1)
    cell.fill.solid()
    cell.fill.fore_color.rgb = RGBColor(0xFF, 0xF2, 0xCC)
    cell.text_frame.paragraphs[0].runs[0].font.italic = True


TABLES: Final = (
    Example(
        "table-objects",
        _draw_objects,
        [
            [
                "Assets and debt",
                "Item | Value",
                "House in Risskov | 3,780,000",
                "Pension savings | 1,264,000",
                "Mortgage | -2,840,000",
            ]
        ],
    ),
    Example(
        "table-columns",
        _draw_columns,
        [
            [
                "What you hold",
                "Fund | 2026 | 2025",
                "Global Equity | 353,600 | 310,400",
                "Danish Bonds | 277,900 | 269,900",
                "Total | 631,500 | 580,300",
            ]
        ],
    ),
    Example(
        "table-markdown",
        _draw_markdown,
        [
            [
                "What may go wrong",
                "Risk | What we do",
                "Currency | Half of it is hedged",
                "Interest | Bonds of 2 to 4 years",
            ]
        ],
    ),
    Example(
        "table-column-block",
        _draw_column_block,
        [
            [
                "Growth of your savings",
                " | At the end of the year |  |  | ",
                " | 2024 | 2025 | 2026 | Change",
                "Global | 244,100 | 310,400 | 353,600 | +45%",
                "Bonds | 261,300 | 269,900 | 277,900 | +6%",
            ]
        ],
    ),
)
