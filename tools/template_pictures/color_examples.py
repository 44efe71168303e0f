"""Examples of colors from the data."""

from typing import Final

from pptx.enum.shapes import MSO_SHAPE

from .example import Example
from .stage import Box, Stage


def _draw_fill(stage: Stage) -> None:
    stage.begin("Your goals")
    stage.frame(Box(4.35, 0.25, 0.5, 0.5), "{{fill:light}}", MSO_SHAPE.OVAL)
    stage.table(
        ("Goal", "Status"),
        ("{{#goals}}{{name}}", "{{status}} {{fill:color}}{{/goals}}"),
        widths=(1.6, 3.1),
        y=1.15,
    )


def _draw_text(stage: Stage) -> None:
    stage.begin("The year")
    stage.table(
        ("Fund", "Change", "Score"),
        (
            "{{#funds}}{{name}}",
            "{{change | number:1 | negative}}",
            '{{score | color:"red, 50: amber, 80: green"}}{{/funds}}',
        ),
        widths=(1.5, 1.5, 1.7),
        y=0.95,
    )


COLORS: Final = (
    Example(
        "colors-fill",
        _draw_fill,
        [
            [
                "Your goals",
                "Goal | Status",
                "Summer house | On track",
                "Early retirement | At risk",
                "New roof | Not begun",
            ]
        ],
    ),
    Example(
        "colors-text",
        _draw_text,
        [
            [
                "The year",
                "Fund | Change | Score",
                "Global Equity | 8.4 | 91",
                "Danish Bonds | -1.2 | 63",
                "Emerging Markets | -6.9 | 22",
            ]
        ],
    ),
)
