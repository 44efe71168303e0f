"""Pictures that the examples send as data: drawn here, so that no one else owns rights in them."""

from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

_SKY, _SUN, _HILL, _MEADOW = "#BFE3DA", "#E0A54A", "#2B8C7B", "#127568"
_WALL, _ROOF, _DOOR, _GLASS = "#F5F2EA", "#B4553D", "#0D2B3E", "#DCEBF5"
_NIGHT, _LIGHT, _SAND = "#0D2B3E", "#7FCBB4", "#F5F2EA"


@cache
def draw_house() -> bytes:
    """Return a summer house under a round sun, twice as wide as it is high."""
    picture = Image.new("RGB", (640, 320), _SKY)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((90, 50, 190, 150), fill=_SUN)
    draw.ellipse((-120, 190, 420, 520), fill=_HILL)
    draw.ellipse((260, 210, 900, 560), fill=_MEADOW)
    draw.rectangle((300, 150, 470, 262), fill=_WALL)
    draw.polygon(((280, 154), (385, 84), (490, 154)), fill=_ROOF)
    draw.rectangle((325, 190, 362, 262), fill=_DOOR)
    draw.rectangle((395, 184, 442, 222), fill=_GLASS, outline=_DOOR, width=4)
    return _save(picture)


@cache
def draw_logo() -> bytes:
    """Return the firm's mark: three lights of different height on a night sky."""
    picture = Image.new("RGB", (300, 200), _NIGHT)
    draw = ImageDraw.Draw(picture)
    for number, (color, height) in enumerate(((_LIGHT, 90), (_SAND, 140), (_SUN, 110))):
        x = 85 + 55 * number
        draw.rounded_rectangle((x, 170 - height, x + 30, 170), 15, fill=color)
    return _save(picture)


def _save(picture: Image.Image) -> bytes:
    out = BytesIO()
    picture.quantize(64).save(out, "png", optimize=True)
    return out.getvalue()


LOGO_SVG: Final = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 120">
<defs><linearGradient id="night" x2="1" y2="1"><stop offset="0" stop-color="{_NIGHT}"/>
<stop offset="1" stop-color="{_MEADOW}"/></linearGradient></defs>
<rect width="120" height="120" rx="26" fill="url(#night)"/>
<g stroke-width="14" stroke-linecap="round"><path d="M36 92V60" stroke="{_LIGHT}"/>
<path d="M60 92V30" stroke="{_SAND}"/><path d="M84 92V48" stroke="{_SUN}"/></g>
<path d="M150 40h250M150 80h160" fill="none" stroke="{_HILL}" stroke-width="18" stroke-linecap="round"/>
</svg>""".encode()
"""A wide mark: three lights on a night sky, and two lines."""
