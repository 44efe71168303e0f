"""Examples of small drawings: shapes that numbers size, turn and open."""

from typing import Final

from pptx.enum.shapes import MSO_SHAPE

from .example import Example
from .stage import Box, Stage

_GRAY: Final = "DDE7E4"
_NEEDLE: Final = Box(4.31, 1.25, 0.08, 0.65)


def _draw_shapes(stage: Stage) -> None:
    stage.begin("Your holiday home")
    bar, ring = Box(0.35, 1.25, 1.9, 0.22), Box(2.45, 1.25, 0.95, 0.95)
    stage.piece(MSO_SHAPE.RECTANGLE, bar, color=_GRAY)
    stage.piece(MSO_SHAPE.RECTANGLE, bar, "{{width:share}}")
    stage.text("{{share | percent}} of the goal", box=Box(0.28, 1.5, 2.0, 0.4), size=12)
    stage.piece(MSO_SHAPE.BLOCK_ARC, ring, color=_GRAY, angles=(-90, -90.01))
    stage.piece(MSO_SHAPE.BLOCK_ARC, ring, "{{pie:share}}", angles=(-90, -90.01))
    x, y, width, height = _NEEDLE
    dial = Box(x + width / 2 - height, y, 2 * height, 2 * height)
    stage.piece(MSO_SHAPE.BLOCK_ARC, dial, color=_GRAY)
    stage.piece(MSO_SHAPE.ISOSCELES_TRIANGLE, _NEEDLE, color="E0A54A")
    stage.piece(MSO_SHAPE.ISOSCELES_TRIANGLE, Box(x, y + height, width, height), color="")
    stage.group(2, Box(x - 0.56, y, 1.2, 2 * height), "{{rotate:angle}}")


def _draw_cells(stage: Stage) -> None:
    stage.begin("Your goals")
    stage.table(
        ("Goal", "Reached", "Sure", "Five years"),
        (
            "{{#goals}}{{name}}",
            "{{bar:share color=accent2}}",
            "{{harvey:sure}}",
            "{{spark:years color=accent3}}{{/goals}}",
        ),
        widths=(1.2, 1.3, 0.9, 1.3),
        y=0.95,
    )


DRAWINGS: Final = (
    Example(
        "drawings-cells",
        _draw_cells,
        [
            [
                "Your goals",
                "[62%; 75%; 210 → 410; 35%; 100%; 40 → 120; 88%; 50%; 900 → 1,180]",
                "Goal | Reached | Sure | Five years",
                "Holiday home |  |  | ",
                "Studies |  |  | ",
                "Pension |  |  | ",
            ]
        ],
    ),
    Example("drawings-shapes", _draw_shapes, [["Your holiday home", "62% of the goal"]]),
)
