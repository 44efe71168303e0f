"""Examples of repeated shapes."""

from typing import Final

from .example import Example
from .stage import Box, Stage


def _draw_cards(stage: Stage) -> None:
    stage.begin("The year in figures")
    stage.frame(Box(0.35, 1.15, 1.4, 1.2), "")
    stage.banner(box=Box(0.35, 1.15, 1.4, 0.12), alt="{{fill:color}}")
    stage.text("⟦{{value | number:1}} %⟧", box=Box(0.4, 1.3, 1.3, 0.4), size=16)
    stage.text("{{name}}", box=Box(0.4, 1.75, 1.3, 0.4), size=12)
    stage.group(4, Box(0.35, 1.15, 1.4, 1.2), "{{repeat:kpis}}")


CARDS: Final = (
    Example(
        "cards",
        _draw_cards,
        [["The year in figures", "8.4 %", "Return", "0.6 %", "Costs", "11.2 %", "Risk"]],
    ),
)
