"""Pictures through a real LibreOffice: each shows its slide, as large as was said."""

import io
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor

from meetdeck.platform.database import Database
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import INSTALL_HINT, find_office
from meetdeck.services import Services
from support.factories import Api, make_services
from support.fakes import HandClock

COLORS = {"Red": (255, 0, 0), "Hidden": (0, 0, 0), "Green": (0, 255, 0), "Blue": (0, 0, 255)}


def make_template() -> bytes:
    """Make slides of one color each, the second hidden, of a size that gives no round numbers."""
    presentation: Any = Presentation()
    presentation.slide_width, presentation.slide_height = 11_111_111, 7_777_777
    for name, color in COLORS.items():
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.name = name
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = RGBColor(*color)
        if name == "Hidden":
            slide.element.set("show", "0")
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


@pytest_asyncio.fixture
async def services(database: Database, clock: HandClock, tmp_path: Path) -> AsyncGenerator[Services]:
    """Lend the application's parts, with a renderer."""
    office = find_office()
    if office is None:
        pytest.skip(f"no LibreOffice here. {INSTALL_HINT}")
    pool = OfficePool(office, size=1)
    async with aclosing(make_services(database, clock, tmp_path, pool)) as services:
        yield services
    await pool.close()


async def test_each_picture_shows_its_slide(api: Api) -> None:
    parts: dict[str, Any] = {"file": ("a.pptx", make_template()), "name": (None, "Colors"), "category": (None, "")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    slides = (await api.get("v3/present/templates/Colors/slides?width=333")).json()["slides"]
    assert [(slide["name"], slide["index"]) for slide in slides] == [("Red", 1), ("Green", 3), ("Blue", 4)]
    for slide in slides:
        for accept in ("image/png", "image/webp"):
            answer = await api.http.get(slide["imageUrl"], headers={"Accept": accept})
            picture = Image.open(io.BytesIO(answer.content)).convert("RGB")
            assert picture.size == (slide["width"], slide["height"]) == (333, 233)
            for place in ((0, 0), (332, 0), (0, 232), (332, 232), (166, 116)):
                assert picture.getpixel(place) == pytest.approx(COLORS[slide["name"]], abs=6), (slide["name"], place)
