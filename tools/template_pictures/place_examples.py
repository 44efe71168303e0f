"""Examples of tags outside of text boxes."""

from typing import Final

from pptx.enum.chart import XL_CHART_TYPE

from .example import Example
from .smartart import add_smartart
from .stage import Box, Stage


def _draw_notes(stage: Stage) -> None:
    stage.begin(
        "Your portfolio", notes="The portfolio is worth {{portfolio.total}}.\nAsk {{customer.firstName}} about it."
    )
    stage.text("{{portfolio.total}} at the end of {{year}}", size=17)


def _draw_chart(stage: Stage) -> None:
    stage.begin("Risk and return")
    stage.chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED,
        ["{{years.0}}", "{{years.1}}"],
        {"{{fund}}": (7.5, 11.7), "Benchmark": (7.1, 10.9)},
        title="{{fund}} and its benchmark",
    )


def _draw_address(stage: Stage) -> None:
    stage.begin("Your file with us")
    stage.link("Open it in the portal", "https://nordlys.example/customers/{{customer.id}}", Box(0.35, 1.0, 4.7, 0.5))


def _draw_smartart(stage: Stage) -> None:
    stage.begin("How we work")
    add_smartart(stage, ["Talk, {{first}}", "Plan, {{second}}", "Review, {{third}}"])


def _draw_layout(stage: Stage) -> None:
    for title in ("Your situation", "Next steps"):
        stage.begin(title)
    stage.footer("Annual review {{year}}  ·  {{customer.name}}")


def _draw_tags_slide(stage: Stage) -> None:
    stage.begin("What {{customer.name}} holds", content=("{{#funds}}{{name}}: {{value | number}}{{/funds}}",))
    stage.begin("_tags")
    stage.table(
        ("Tag", "Description"),
        ("{{customer.name}}", "The customer's full name"),
        ("funds[].value", "Value of a fund, in kroner"),
        widths=(2.0, 2.7),
    )
    stage.hide()


SLIDES: Final = (
    Example(
        "tags-slide",
        _draw_tags_slide,
        [["What Freja Søndergaard holds", "Global Equity: 353,600\nDanish Bonds: 277,900"]],
    ),
)

PLACES: Final = (
    Example(
        "notes",
        _draw_notes,
        [
            [
                "Your portfolio",
                "DKK 842,000 at the end of 2026",
                "Notes: The portfolio is worth DKK 842,000.\nAsk Freja about it.",
            ]
        ],
    ),
    Example(
        "chart-text",
        _draw_chart,
        [
            [
                "Risk and return",
                "Nordlys Balance and its benchmark",
                "Nordlys Balance: 2024 7.5, 2025 11.7",
                "Benchmark: 2024 7.1, 2025 10.9",
            ]
        ],
    ),
    Example(
        "address",
        _draw_address,
        [["Your file with us", "Open it in the portal (https://nordlys.example/customers/C%201001)"]],
    ),
    Example("smartart", _draw_smartart, [["How we work", "Talk, March", "Plan, April", "Review, June"]]),
    Example(
        "layout",
        _draw_layout,
        [
            ["Your situation", "Layout: Annual review 2026  ·  Freja Søndergaard"],
            ["Next steps", "Layout: Annual review 2026  ·  Freja Søndergaard"],
        ],
    ),
)
