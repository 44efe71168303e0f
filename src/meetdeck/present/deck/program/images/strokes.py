"""Drawings of a few plain shapes, written as SVG and as PNG from one description; lengths are in points."""

import io
from collections.abc import Sequence
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from meetdeck.present.deck.program.images.pictures import Picture
from meetdeck.present.deck.program.tables.colors import Rgba

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

Point = tuple[float, float]

_POINTS_IN_AN_INCH: Final = 72
_DOTS_IN_AN_INCH: Final = 200
# Drawn so much larger, and then reduced, so that edges are smooth.
_FINER: Final = 3
# Of the longer side.
_MOST_DOTS: Final = 1_600
_TWELVE: Final = -pi / 2
_STEPS_OF_A_CIRCLE: Final = 120
_OPAQUE: Final = 255


class Stroke(Protocol):
    """A shape of a drawing."""

    def write(self) -> str:
        """Return the shape as SVG."""
        ...

    def paint(self, canvas: "ImageDraw", scale: float) -> None:
        """Draw the shape with so many pixels for a point."""
        ...


class Rectangle(NamedTuple):
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    color: Rgba

    def write(self) -> str:
        """Return the shape as SVG."""
        sides = f'width="{self.width:g}" height="{self.height:g}"'
        return f'<rect x="{self.x:g}" y="{self.y:g}" {sides} {_fill(self.color)}/>'

    def paint(self, canvas: "ImageDraw", scale: float) -> None:
        """Draw the shape; of two that meet, neither covers the other's pixels."""
        left, top = round(self.x * scale), round(self.y * scale)
        right, bottom = round((self.x + self.width) * scale), round((self.y + self.height) * scale)
        if right > left and bottom > top:
            canvas.rectangle((left, top, right - 1, bottom - 1), fill=self.color)


class Sector(NamedTuple):
    """A filled piece of a circle, clockwise from twelve o'clock; a share of 1 is the whole circle."""

    center: Point
    radius: float
    share: float
    color: Rgba

    def write(self) -> str:
        """Return the shape as SVG."""
        (x, y), radius = self.center, self.radius
        if self.share >= 1:
            return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {_fill(self.color)}/>'
        if self.share <= 0:
            return ""
        end = _on_circle(self.center, radius, self.share)
        arc = f"A{radius:g} {radius:g} 0 {int(self.share > 1 / 2)} 1 {end[0]:.4g} {end[1]:.4g}"
        return f'<path d="M{x:g} {y:g}V{y - radius:g}{arc}Z" {_fill(self.color)}/>'

    def paint(self, canvas: "ImageDraw", scale: float) -> None:
        """Draw the shape."""
        if self.share <= 0:
            return
        steps = max(1, round(_STEPS_OF_A_CIRCLE * min(self.share, 1)))
        edge = [_on_circle(self.center, self.radius, self.share * step / steps) for step in range(steps + 1)]
        canvas.polygon([(x * scale, y * scale) for x, y in (self.center, *edge)], fill=self.color)


class Line(NamedTuple):
    """A line through points, with round corners and ends."""

    points: Sequence[Point]
    width: float
    color: Rgba

    def write(self) -> str:
        """Return the shape as SVG."""
        points = " ".join(f"{x:.5g},{y:.5g}" for x, y in self.points)
        look = f'stroke-width="{self.width:g}" stroke-linejoin="round" stroke-linecap="round"'
        return f'<polyline points="{points}" fill="none" {_fill(self.color, "stroke")} {look}/>'

    def paint(self, canvas: "ImageDraw", scale: float) -> None:
        """Draw the shape."""
        points = [(x * scale, y * scale) for x, y in self.points]
        width = max(1, round(self.width * scale))
        canvas.line(points, fill=self.color, width=width, joint="curve")
        for x, y in (points[0], points[-1]):
            canvas.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=self.color)


def make_picture(size: tuple[float, float], strokes: Sequence[Stroke], background: Rgba | None) -> Picture:
    """Return the PNG of a drawing of this size in points, with its SVG; transparent without a background."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - Pillow takes 4 MB: few need it

    width, height = size
    scale = min(_DOTS_IN_AN_INCH / _POINTS_IN_AN_INCH, _MOST_DOTS / max(width, height))
    pixels = max(1, round(width * scale)), max(1, round(height * scale))
    needs_smoothing = not all(isinstance(stroke, Rectangle) for stroke in strokes)
    finer = _FINER if needs_smoothing else 1
    mode = "RGB" if background and background[3] == _OPAQUE else "RGBA"
    # Transparent pixels have the color of the drawing, which shines through at smooth edges.
    image = Image.new(mode, (pixels[0] * finer, pixels[1] * finer), background or (*_ink(strokes)[:3], 0))
    canvas = ImageDraw.Draw(image)
    for stroke in strokes:
        stroke.paint(canvas, scale * finer)
    out = io.BytesIO()
    (image.reduce(finer) if needs_smoothing else image).save(out, "png")
    return Picture(out.getvalue(), "png", *pixels, svg=_write_svg(size, strokes, background))


def _write_svg(size: tuple[float, float], strokes: Sequence[Stroke], background: Rgba | None) -> bytes:
    below = [Rectangle(0, 0, *size, background)] if background else []
    inside = "".join(stroke.write() for stroke in (*below, *strokes))
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}pt" height="{height:g}pt" '
        f'viewBox="0 0 {width:g} {height:g}">{inside}</svg>'
    ).encode()


def _ink(strokes: Sequence[Stroke]) -> Rgba:
    return next((one.color for one in strokes if isinstance(one, Rectangle | Sector | Line)), (0, 0, 0, 0))


def _on_circle(center: Point, radius: float, share: float) -> Point:
    angle = _TWELVE + 2 * pi * share
    return center[0] + radius * cos(angle), center[1] + radius * sin(angle)


def _fill(color: Rgba, attribute: str = "fill") -> str:
    red, green, blue, opacity = color
    see_through = "" if opacity == _OPAQUE else f' {attribute}-opacity="{opacity / _OPAQUE:.3g}"'
    return f'{attribute}="#{red:02X}{green:02X}{blue:02X}"{see_through}'
