"""Examples of expressions."""

from typing import Final

from .example import Example
from .stage import Box, Stage


def _draw_expressions(stage: Stage) -> None:
    stage.begin("What you own")
    stage.text(
        'Your portfolio: {{funds | sum:"value" | currency:"DKK"}}',
        '{{funds | count}} funds, {{funds | sum:"value" / funds | count | number:0}} each',
        "{{#total >= 500000}}You are a private banking customer.{{/}}",
        'A year: {{"up" if change > 0 else "down"}}',
        box=Box(0.35, 0.72, 4.7, 0.9),
        size=9.5,
    )
    stage.table(
        ("Fund", "Value, DKK", "Share"),
        (
            '{{#funds | where:"value > 100000" | sort:"-value"}}{{name}}',
            "{{value | number:0}}",
            "{{value / total | percent}}{{/}}",
        ),
        widths=(2.0, 1.2, 1.5),
        y=1.62,
    )


EXPRESSIONS: Final = (
    Example(
        "expressions",
        _draw_expressions,
        [
            [
                "What you own",
                """Your portfolio: DKK842,000.00
3 funds, 280,667 each
You are a private banking customer.
A year: down""",
                "Fund | Value, DKK | Share",
                "Global Equity | 553,600 | 66%",
                "Danish Bonds | 277,900 | 33%",
            ]
        ],
    ),
)
