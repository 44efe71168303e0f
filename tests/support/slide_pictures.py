"""Templates with slides of given names, and the pictures of their slides over HTTP."""

import io
from typing import Any
from urllib.parse import urlencode

import httpx
from PIL import Image
from pptx import Presentation

from support.factories import Api

BROWSER = {"Accept": "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"}


def make_template(*names: str, hidden: tuple[str, ...] = (), size: tuple[int, int] | None = None) -> bytes:
    """Make slides of these names."""
    presentation: Any = Presentation()
    if size:
        presentation.slide_width, presentation.slide_height = size
    for name in names:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.name = name
        if name in hidden:
            slide.element.set("show", "0")
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


async def upload(api: Api, content: bytes, *, name: str = "Welcome") -> None:
    parts: dict[str, Any] = {"file": ("welcome.pptx", content), "name": (None, name), "category": (None, "Private")}
    answer = await api.request("POST", "v3/present/templates", files=parts)
    assert answer.status_code in {200, 201}, answer.text


def size_of(picture: httpx.Response) -> tuple[int, int]:
    return Image.open(io.BytesIO(picture.content)).size


async def address_of(api: Api, slide: str = "Cover", **query: Any) -> str:
    path = f"v3/present/templates/Annual review/slides/{slide}?{urlencode(query)}"
    address: str = (await api.get(path)).raise_for_status().json()["imageUrl"]
    return address
