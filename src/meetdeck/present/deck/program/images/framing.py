"""Pictures cut or padded to a frame, for programs that can only stretch them, as LibreOffice does in table cells."""

import io
import math
from collections.abc import Callable, Mapping
from typing import Final

from PIL import Image
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile

from meetdeck.present.deck.program.images.pictures import MOST_PIXELS, Picture
from meetdeck.present.deck.program.tables.colors import Rgba

_DECODERS: Final[Mapping[str, Callable[[io.BytesIO], ImageFile]]] = {
    "png": PngImageFile,
    "jpeg": JpegImageFile,
    "gif": GifImageFile,
    "bmp": BmpImageFile,
}
_MODES: Final = frozenset({"RGB", "RGBA", "L", "LA", "P", "1"})
_OPAQUE: Final = frozenset({"RGB", "L", "1"})
_EMU_IN_A_DOT: Final = 914_400 // 300
_QUALITY: Final = 90
# Nobody sees a smaller difference.
_CLOSE: Final = 0.01


def frame_picture(picture: Picture, size: tuple[int, int], fit: str, color: Rgba | None = None) -> Picture:
    """Return a picture with the proportions of a frame of this size in EMU: cut for `cover`, padded for `contain`.

    Free space, and its own transparent pixels, get the color, or stay transparent without one. It has at most 300
    pixels to the inch. A picture stays unchanged if it fits already, or cannot be decoded here.
    """
    width, height = size
    relative = picture.width / picture.height / (width / height)
    fits = fit == "stretch" or abs(relative - 1) < _CLOSE
    if picture.extension not in _DECODERS or (fits and color is None):
        return picture
    try:
        with _DECODERS[picture.extension](io.BytesIO(picture.content)) as image:
            if image.mode not in _MODES:
                return picture
            if fits:
                shown = image.convert("RGBA")
                return _write(_lay_on(shown, color), "png") if _is_see_through(shown) else picture
            framed = _cover(image, width, height) if fit == "cover" else _contain(image, width, height)
            return _write(_lay_on(framed, color), picture.extension)
    except (OSError, ValueError, SyntaxError, RuntimeError, Image.DecompressionBombError):
        return picture


def _lay_on(image: Image.Image, color: Rgba | None) -> Image.Image:
    """Return a picture on a background of the color."""
    if color is None or image.mode != "RGBA":
        return image
    return Image.alpha_composite(Image.new("RGBA", image.size, color), image)


def _cover(image: Image.Image, width: int, height: int) -> Image.Image:
    scale = min(image.width / width, image.height / height)
    inside = width * scale, height * scale
    left, top = (image.width - inside[0]) / 2, (image.height - inside[1]) / 2
    pixels = _pixels(width, height, scale)
    box = (left, top, left + inside[0], top + inside[1])
    return _readable(image).resize(pixels, Image.Resampling.LANCZOS, box=box, reducing_gap=2)


def _contain(image: Image.Image, width: int, height: int) -> Image.Image:
    scale = max(image.width / width, image.height / height)
    canvas = Image.new("RGBA", _pixels(width, height, scale), (0, 0, 0, 0))
    shown = _readable(image).convert("RGBA")
    shrink = min(canvas.width / image.width, canvas.height / image.height)
    shown = shown.resize(
        (max(1, round(image.width * shrink)), max(1, round(image.height * shrink))), Image.Resampling.LANCZOS
    )
    canvas.paste(shown, ((canvas.width - shown.width) // 2, (canvas.height - shown.height) // 2))
    return canvas


def _pixels(width: int, height: int, scale: float) -> tuple[int, int]:
    """Return the pixels of a frame: as many as the picture has, at most 300 to the inch and as a picture may have."""
    scale = min(scale, 1 / _EMU_IN_A_DOT, math.sqrt(MOST_PIXELS / width / height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _readable(image: Image.Image) -> Image.Image:
    """Return a picture in a mode that can be scaled."""
    return image.convert("RGBA" if _has_alpha(image) else "RGB")


def _is_see_through(image: Image.Image) -> bool:
    """Return whether a picture in RGBA has a transparent pixel."""
    return image.getchannel("A").getextrema() != (255, 255)


def _has_alpha(image: Image.Image) -> bool:
    return image.mode not in _OPAQUE or "transparency" in image.info


def _write(image: Image.Image, extension: str) -> Picture:
    out = io.BytesIO()
    kind = "jpeg" if extension == "jpeg" and image.mode == "RGB" else "png"
    image.save(out, kind, quality=_QUALITY)
    return Picture(out.getvalue(), kind, image.width, image.height)
