"""The examples of docs/templates/shared-slides.md."""

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


def _draw_place(stage: Stage) -> None:
    stage.begin("Whom to call")
    stage.frame(Box(1.2, 1.1, 3.0, 1.3), '{{shape:"Contact card" from="Common"}}')


def _draw_card(stage: Stage) -> None:
    stage.begin("Parts")
    box = Box(0.3, 0.9, 5.0, 1.6)
    stage.frame(box, "")
    stage.text("⟦{{advisor.name}}⟧", box=Box(0.6, 1.05, 4.4, 0.6), size=26)
    stage.text("{{advisor.phone}}", box=Box(0.6, 1.7, 4.4, 0.5), size=20)
    stage.group(3, box, "")
    stage.slide.shapes[-1].name = "Contact card"


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
    Example(
        "shared-shape",
        _draw_place,
        [["Whom to call", "Karen Holm", "+45 87 65 43 21"]],
        beside={"Common": _draw_card},
    ),
)
