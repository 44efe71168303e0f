"""Examples of formatted text and links."""

from typing import Final

from .example import Example
from .stage import Stage


def _draw_markdown(stage: Stage) -> None:
    stage.begin("Our advice", content=("{{advice | markdown}}",))


def _draw_link(stage: Stage) -> None:
    stage.begin("Read on")
    stage.text('Your report: {{report | link:"open it here"}}', "Or write to {{advisor.email | link}}", size=16)


RICH_TEXT: Final = (
    Example(
        "markdown",
        _draw_markdown,
        [
            [
                "Our advice",
                """Your rate is adjusted in October.
Choose a fixed rate now
See both offers (https://nordlys.example/offers)
20 years
30 years""",
            ]
        ],
    ),
    Example(
        "link",
        _draw_link,
        [
            [
                "Read on",
                """Your report: open it here (https://nordlys.example/reports/2026)
Or write to anna.holm@nordlys.example (mailto:anna.holm@nordlys.example)""",
            ]
        ],
    ),
)
