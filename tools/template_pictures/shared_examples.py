"""The example of docs/templates/shared-slides.md."""

from typing import Final

from .example import Example
from .stage import Box, Stage


def _draw(stage: Stage) -> None:
    stage.begin("Your savings, {{customer.name}}")
    stage.text("At the end of 2026: {{total}}")
    stage.begin("Disclaimer", alt='{{slide:Disclaimer from="Common"}}')
    stage.text("The disclaimer of the template Common stands here.")


def _draw_common(stage: Stage) -> None:
    stage.begin("Disclaimer")
    stage.text("This review is for {{customer.name}}. Past returns are no promise.", size=13)
    stage.banner("Nordlys Rådgivning", box=Box(0.35, 2.0, 2.0, 0.5), size=12)


SHARED: Final = (
    Example(
        "shared-slide",
        _draw,
        [
            ["Your savings, Freja Søndergaard", "At the end of 2026: DKK 842,000"],
            ["Disclaimer", "This review is for Freja Søndergaard. Past returns are no promise.", "Nordlys Rådgivning"],
        ],
        beside={"Common": _draw_common},
    ),
)
