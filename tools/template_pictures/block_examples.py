"""Examples of blocks."""

from typing import Final

from .example import Example
from .stage import Box, Stage


def _draw_rows(stage: Stage) -> None:
    stage.begin("What you hold")
    stage.table(
        ("Fund", "Value, DKK", "Share"),
        ("{{#funds}}{{name}}", "{{value | number:0}}", "{{share | percent}}{{/funds}}"),
        ("Portfolio", "{{total | number:0}}", "100%"),
        widths=(1.4, 1.4, 1.9),
        total=True,
    )


def _draw_bullets(stage: Stage) -> None:
    stage.begin("Next steps", content=("{{#steps}}{{@number}}. {{action}} ({{who}}){{/steps}}", "Anything else?"))


def _draw_paragraphs(stage: Stage) -> None:
    stage.begin("Our advice")
    stage.text("{{#advice}}", "⟦{{title}}⟧", "{{reason}}", "{{/advice}}")


def _draw_text(stage: Stage) -> None:
    stage.begin("Who is at the table")
    stage.text("With {{#people}}{{.}}{{^@last}} and {{/@last}}{{/people}}.", size=18)


def _draw_inverted(stage: Stage) -> None:
    stage.begin("Your insurances")
    stage.text("{{#insurances}}{{name}}: {{sum}}{{/insurances}}", "{{^insurances}}None with us yet.{{/insurances}}")
    stage.text(
        "{{#customer}}{{name}} is our customer since {{since}}.{{/customer}}", box=Box(0.35, 1.9, 4.7, 0.6), size=13
    )


def _draw_nested(stage: Stage) -> None:
    stage.begin("What your money is in")
    stage.table(
        ("Fund", "Share"),
        ("{{#groups}}{{name}}", ""),
        ("{{#funds}}{{name}}, {{firm}}", "{{share}}{{/funds}}"),
        ("", "{{/groups}}"),
        widths=(3.1, 1.6),
    )


def _draw_groups(stage: Stage) -> None:
    stage.begin("What you hold")
    stage.table(
        ("Fund", "Value, DKK"),
        ('{{#funds | group:"region"}}{{key}}', ""),
        ("{{#items}}{{name}}", "{{value | number:0}}{{/items}}"),
        ("Subtotal {{key}}", '{{items | sum:"value" | number:0}}{{/}}'),
        ("Portfolio", '{{funds | sum:"value" | number:0}}'),
        widths=(2.5, 2.2),
        dense=True,
        total=True,
    )


BLOCKS: Final = (
    Example(
        "block-groups",
        _draw_groups,
        [
            [
                "What you hold",
                "Fund | Value, DKK",
                "World | ",
                "Global | 353,600",
                "Small Caps | 48,000",
                "Subtotal World | 401,600",
                "Denmark | ",
                "Danish Bonds | 277,900",
                "Subtotal Denmark | 277,900",
                "Portfolio | 679,500",
            ]
        ],
    ),
    Example(
        "block-rows",
        _draw_rows,
        [
            [
                "What you hold",
                "Fund | Value, DKK | Share",
                "Global Equity | 353,600 | 42%",
                "Danish Bonds | 277,900 | 33%",
                "Cash account | 210,500 | 25%",
                "Portfolio | 842,000 | 100%",
            ]
        ],
    ),
    Example(
        "block-bullets",
        _draw_bullets,
        [["Next steps", "1. Send the offer (Anna)\n2. Ask the employer (Freja)\nAnything else?"]],
    ),
    Example(
        "block-paragraphs",
        _draw_paragraphs,
        [["Our advice", "Refinance\nYour rate is adjusted in October.\nSave more\nIt closes the gap."]],
    ),
    Example("block-text", _draw_text, [["Who is at the table", "With Freja and Karen and Anna."]]),
    Example(
        "block-inverted",
        _draw_inverted,
        [["Your insurances", "None with us yet.", "Freja is our customer since 2019."]],
    ),
    Example(
        "block-nested",
        _draw_nested,
        [
            [
                "What your money is in",
                "Fund | Share",
                "Shares | ",
                "Global, Nordlys | 42%",
                "Danish, Nordlys | 11%",
                "Bonds | ",
                "Short, Nordlys | 47%",
            ]
        ],
    ),
)
