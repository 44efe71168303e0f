"""Examples of shapes and slides that stay, go or repeat."""

from typing import Final

from .example import Example
from .stage import Box, Stage


def _draw_shapes(stage: Stage) -> None:
    stage.begin("Your terms")
    stage.banner(
        "Private banking", "Your own advisor, day and night", box=Box(0.35, 1.3, 2.25, 1.2), alt="{{if:premium}}"
    )
    stage.banner(
        "Nordlys Basis",
        "Ask us from 8 to 16",
        box=Box(2.8, 1.3, 2.25, 1.2),
        alt="{{unless:premium}}",
        color="0D2B3E",
    )


def _draw_slide(stage: Stage) -> None:
    stage.begin("Your pension", alt="{{if:pension}}")
    stage.text("{{pension.saved}} is saved.")
    stage.begin("Questions?")
    stage.text("Call {{advisor.phone}}.")


def _draw_notes(stage: Stage) -> None:
    stage.begin("Risk", notes="{{unless:cautious}}\nAsk {{customer.firstName}} about 2022.")
    stage.text("A bad year may cost {{risk.badYear}}.")


def _draw_each(stage: Stage) -> None:
    stage.begin("{{@number}}. {{name}}", alt="{{each:goals}}", notes="")
    stage.text("{{saved}} of {{target}} by {{year}}", "For {{customer.firstName}}", size=17)


CONDITIONS: Final = (
    Example("if-shape", _draw_shapes, [["Your terms", "Private banking\nYour own advisor, day and night"]]),
    Example("if-slide", _draw_slide, [["Questions?", "Call +45 12 34 56 78."]]),
    Example("if-notes", _draw_notes, [["Risk", "A bad year may cost 13%.", "Notes: Ask Freja about 2022."]]),
    Example(
        "each-slide",
        _draw_each,
        [
            ["1. Summer house", "DKK 372,000 of DKK 600,000 by 2029\nFor Freja"],
            ["2. Education", "DKK 153,000 of DKK 180,000 by 2031\nFor Freja"],
        ],
    ),
)
