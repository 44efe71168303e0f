"""Examples of pictures from the data."""

from typing import Final

from pptx.enum.shapes import MSO_SHAPE

from .artwork import LOGO_SVG, draw_house, draw_logo
from .example import Example
from .stage import Box, Stage

_LOGO: Final = "data:image/png;base64,R0lGODlh…"
_SVG: Final = "data:image/svg+xml;base64,PHN2ZyB4…"
_HOUSE: Final = "data:image/png;base64,iVBORw0KGgo…"


def _draw_fit(stage: Stage) -> None:
    stage.begin("Summer house in Ebeltoft")
    for x, fit in ((0.35, ""), (1.97, " fit=cover"), (3.59, " fit=stretch")):
        stage.frame(Box(x, 1.25, 1.46, 1.3), f"{{{{image:photo{fit}}}}}")


def _draw_shape(stage: Stage) -> None:
    stage.begin("{{goal.name}}")
    stage.picture(draw_logo(), Box(0.35, 1.15, 2.1, 1.4), "{{image:firm.logo}}")
    stage.frame(Box(3.1, 1.15, 1.5, 1.5), "{{image:goal.photo fit=cover}}", MSO_SHAPE.OVAL)


def _draw_rows(stage: Stage) -> None:
    stage.begin("Your team")
    stage.table(
        ("", "Name"),
        ("{{#people}}{{image:photo}}", "{{name}}{{/people}}"),
        widths=(0.8, 3.9),
        y=0.95,
        height=0.5,
    )


def _draw_bullets(stage: Stage) -> None:
    stage.begin("What we agreed", content=["{{#points}}{{image:icon}} {{text}}{{/points}}"])


def _draw_codes(stage: Stage) -> None:
    stage.begin("Book your next meeting")
    stage.frame(Box(0.35, 1.0, 1.6, 1.6), "{{qr:booking}}")
    stage.frame(Box(2.4, 1.3, 2.6, 0.9), "{{barcode:account type=ean13}}")


def _draw_svg(stage: Stage) -> None:
    stage.begin("Your firm")
    stage.frame(Box(0.35, 1.15, 3.0, 1.4), "{{image:logo}}")


PICTURES: Final = (
    Example("image-fit", _draw_fit, [["Summer house in Ebeltoft", "[]", "[]", "[]"]], files={_HOUSE: draw_house()}),
    Example(
        "image-shape",
        _draw_shape,
        [["The summer house", "[A red-roofed house by the sea]"]],
        findings=["missing-value"],
        files={_HOUSE: draw_house()},
    ),
    Example(
        "image-rows",
        _draw_rows,
        [["Your team", "[]", " | Name", " | Freja Søndergaard", " | The office in Aarhus"]],
        files={_HOUSE: draw_house(), _LOGO: draw_logo()},
    ),
    Example("image-svg", _draw_svg, [["Your firm", "[]"]], files={_SVG: LOGO_SVG}),
    Example(
        "image-codes",
        _draw_codes,
        [
            [
                "Book your next meeting",
                "[QR code: https://book.example.com/meeting?topic=pension]",
                "[Bar code: 4006381333931]",
            ]
        ],
    ),
    Example(
        "image-bullets",
        _draw_bullets,
        [["What we agreed", "Keep the house\nMeet again in May", "[]"]],
        files={_HOUSE: draw_house(), _LOGO: draw_logo()},
    ),
)
