"""Examples of tables from the data."""

from typing import Final

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
)
