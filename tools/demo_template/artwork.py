"""The firm's mark and its northern lights, drawn as native shapes so that they stay sharp and follow the theme."""

from math import pi, sin

from .canvas import Canvas, fading
from .design import Box
from .text import TextStyle, solid

FIRM = "Nordlys Rådgivning"
BAR_PITCH = 0.2
BAR_WIDTH = 0.105


def draw_brand(canvas: Canvas, x: float, y: float, *, on_dark: bool = False) -> None:
    """Draw the mark, three lights of different height, and the firm's name; 0.3 inches high."""
    colors = ("accent3", "bg1", "accent4") if on_dark else ("accent1", "tx2", "accent4")
    for i, (color, height) in enumerate(zip(colors, (0.15, 0.24, 0.19), strict=True)):
        canvas.draw("Mark", Box(x + 0.085 * i, y + 0.27 - height, 0.055, height), solid(color), "pill")
    style = TextStyle(11, "bg1" if on_dark else "tx2", bold=True, anchor="ctr")
    canvas.text("Firm", Box(x + 0.38, y, 2.2, 0.3), FIRM, style)


def draw_northern_lights(canvas: Canvas, box: Box) -> None:
    """Fill a box with a curtain of light: slim bars that hang between two waves and fade upwards."""
    count = int((box.w + BAR_PITCH - BAR_WIDTH) / BAR_PITCH)
    for i in range(count):
        t = i / (count - 1)
        foot = box.y + box.h * (0.71 + 0.20 * sin(2 * pi * (0.86 * t - 0.30)))
        height = box.h * (0.40 + 0.15 * sin(2 * pi * (0.95 * t - 0.12)) + 0.03 * sin(21 * t + 1))
        light = round(22 + 70 * sin(pi * (0.06 + 0.88 * t)) ** 1.5)
        color = "accent4" if i % 11 == 6 else "accent1" if i % 4 == 2 else "accent3"  # noqa: PLR2004 - a rhythm
        bar = Box(box.x + i * BAR_PITCH, foot - height, BAR_WIDTH, height)
        canvas.draw("Light", bar, fading(color, 0, light), "pill")
