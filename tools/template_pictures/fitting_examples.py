"""Examples of tables and lists that go on to further slides."""

from typing import Final

from .example import Example
from .stage import Box, Stage


def _draw_table(stage: Stage) -> None:
    stage.begin("What you hold")
    stage.table(
        ("Fund", "Value, DKK"),
        ("{{#funds continue numbered}}{{name}}", "{{value | number:0}}{{/funds}}"),
        ("Portfolio", "{{total | number:0}}"),
        widths=(3.0, 1.7),
        total=True,
    )


def _draw_list(stage: Stage) -> None:
    stage.begin("Next steps")
    stage.text("{{#steps continue}}{{@number}}. {{.}}{{/steps}}", box=Box(0.35, 0.8, 4.7, 1.3))
    stage.text("Page {{@part}} of {{@parts}}", box=Box(0.35, 2.15, 1.5, 0.3), size=11)


def _draw_carried(stage: Stage) -> None:
    stage.begin("What you hold")
    stage.table(
        ("Fund", "Value, DKK"),
        ("{{#@continued}}Brought forward", '{{@before | sum:"value" | number:0}}{{/}}'),
        ("{{#funds continue}}{{name}}", "{{value | number:0}}{{/funds}}"),
        ("{{#@more}}Carried forward", '{{@shown | sum:"value" | number:0}}{{/}}'),
        ("Portfolio", '{{funds | sum:"value" | number:0}}'),
        widths=(2.0, 2.7),
        total=True,
    )


def _draw_push(stage: Stage) -> None:
    stage.begin("What you hold")
    stage.table(
        ("Fund", "Value, DKK"),
        ("{{#funds}}{{name}}", "{{value | number:0}}{{/funds}}"),
        widths=(1.9, 2.8),
        alt="{{push}}",
    )
    stage.text("All values as of {{day | date:long}}.", box=Box(0.35, 1.55, 4.7, 0.3), size=11)


FITTING: Final = (
    Example(
        "push",
        _draw_push,
        [
            [
                "What you hold",
                "Fund | Value, DKK",
                "Global Equity | 353,600",
                "Danish Bonds | 277,900",
                "Cash account | 9,600",
                "All values as of March 31, 2026.",
            ]
        ],
    ),
    Example(
        "continue-carried",
        _draw_carried,
        [
            [
                "What you hold",
                "Fund | Value, DKK",
                "Global Equity | 353,600",
                "Danish Bonds | 277,900",
                "Corporate Bonds | 96,200",
                "Property | 61,300",
                "Carried forward | 789,000",
            ],
            [
                "What you hold",
                "Fund | Value, DKK",
                "Brought forward | 789,000",
                "Emerging Markets | 48,000",
                "Forests | 22,400",
                "Cash account | 9,600",
                "Portfolio | 869,000",
            ],
        ],
    ),
    Example(
        "continue-table",
        _draw_table,
        [
            [
                "What you hold (1 of 2)",
                "Fund | Value, DKK",
                "Global Equity | 353,600",
                "Danish Bonds | 277,900",
                "Corporate Bonds | 96,200",
                "Property | 61,300",
                "Emerging Markets | 48,000",
            ],
            [
                "What you hold (2 of 2)",
                "Fund | Value, DKK",
                "Forests | 22,400",
                "Cash account | 9,600",
                "Portfolio | 869,000",
            ],
        ],
    ),
    Example(
        "continue-list",
        _draw_list,
        [
            [
                "Next steps",
                "1. Send the offer\n2. Ask the employer\n3. Compare the rates\n4. Sign",
                "Page 1 of 2",
            ],
            ["Next steps", "5. Move the accounts\n6. Meet in May", "Page 2 of 2"],
        ],
    ),
)
