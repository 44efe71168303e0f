"""A drawn portrait of an advisor in flat shapes, and the outline that the template shows instead."""

from base64 import b64encode
from io import BytesIO

from PIL import Image, ImageDraw

from .design import PALETTE

SIZE = 400
COLORS = 24  # few enough for a file that fits into a JSON document
OVERSAMPLING = 4

_SKIN, _SHADE, _HAIR, _LIP = "#E9B994", "#D9A27C", "#5A3A28", "#B4553D"


def portrait_uri() -> str:
    """Return the portrait as a data URI."""
    return f"data:image/png;base64,{b64encode(draw_portrait()).decode()}"


def draw_silhouette() -> bytes:
    """Return the outline of a person as a square PNG, for the template."""
    side = SIZE * OVERSAMPLING
    image = Image.new("RGB", (side, side), f"#{PALETTE['accent3']}")
    draw = ImageDraw.Draw(image)
    for box in ((34, 22, 66, 62), (14, 70, 86, 150)):
        draw.ellipse([share / 100 * side for share in box], fill=f"#{PALETTE['accent1']}")
    return _to_png(image)


def draw_portrait() -> bytes:
    """Return the portrait as a square PNG, to be shown in a circle."""
    side = SIZE * OVERSAMPLING
    image = Image.new("RGB", (side, side), f"#{PALETTE['accent3']}")
    draw = ImageDraw.Draw(image)

    def points(*pairs: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x / 100 * side, y / 100 * side) for x, y in pairs]

    def ellipse(x0: float, y0: float, x1: float, y1: float, color: str) -> None:
        draw.ellipse(points((x0, y0), (x1, y1)), fill=color)

    def polygon(color: str, *pairs: tuple[float, float]) -> None:
        draw.polygon(points(*pairs), fill=color)

    night, sea, white = (f"#{PALETTE[name]}" for name in ("dk2", "accent2", "lt1"))
    # A low sun and two hills stand behind.
    ellipse(60, 14, 88, 42, f"#{PALETTE['accent4']}")
    ellipse(-40, 62, 70, 150, "#4FAE97")
    ellipse(38, 68, 150, 150, f"#{PALETTE['accent1']}")
    # Hair behind the head, then neck, shoulders, shirt and jacket.
    ellipse(29, 17, 71, 62, _HAIR)
    draw.rounded_rectangle(points((29, 38), (71, 68)), radius=0.09 * side, fill=_HAIR)
    draw.rounded_rectangle(points((18, 76), (82, 130)), radius=0.17 * side, fill=night)
    polygon(white, (41, 75), (59, 75), (50, 98))
    draw.rounded_rectangle(points((43, 58), (57, 82)), radius=0.06 * side, fill=_SHADE)
    polygon(_SHADE, (43, 76), (57, 76), (50, 88))
    polygon(sea, (41, 74.5), (50, 98), (45, 104), (33, 84))
    polygon(sea, (59, 74.5), (50, 98), (55, 104), (67, 84))
    # The face: head, ears, fringe, glasses, nose, smile.
    ellipse(31.5, 43, 37, 52, _SKIN)
    ellipse(63, 43, 68.5, 52, _SKIN)
    ellipse(34, 25, 66, 68, _SKIN)
    polygon(_HAIR, (34, 30), (42, 21), (50, 18), (60, 22), *_curve((62, 28), (56, 39), (32, 45)))
    for x in (37.5, 51.5):
        draw.rounded_rectangle(
            points((x, 43), (x + 11, 51.5)), radius=0.035 * side, fill="#F3D3B7", outline=night, width=side // 95
        )
        ellipse(x + 4.3, 45.4, x + 6.9, 48.6, night)
    draw.line(points((48.5, 46), (51.5, 46)), fill=night, width=side // 95)
    draw.line(points((50, 49), (49, 55), (51.2, 55)), fill=_SHADE, width=side // 90, joint="curve")
    draw.chord(points((44, 52), (56, 62)), 25, 155, fill=_LIP)

    return _to_png(image)


def _to_png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    small = image.resize((SIZE, SIZE), Image.Resampling.BOX)
    small.quantize(COLORS, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _curve(
    start: tuple[float, float], pull: tuple[float, float], end: tuple[float, float]
) -> list[tuple[float, float]]:
    """Return 25 points of a quadratic Bézier curve."""

    def at(t: float, axis: int) -> float:
        return (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * pull[axis] + t**2 * end[axis]

    return [(at(i / 24, 0), at(i / 24, 1)) for i in range(25)]
