"""Strict Open XML, drawn by a real LibreOffice as the same presentation in Transitional is."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from meetdeck.demo.seed import SAMPLE_DATA_FILE, TEMPLATE_FILE
from meetdeck.present.deck import as_transitional, compile_template, whole_deck
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.pages import page_count, page_picture
from meetdeck.present.render.renderer import Office
from support.strict_decks import make_strict

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.thorough]


async def test_strict_is_drawn_pixel_by_pixel_as_transitional(
    office: Office, make_temp_dir: Callable[[], Path]
) -> None:
    data = msgspec.json.decode(SAMPLE_DATA_FILE.read_bytes(), type=dict[str, object])
    deck = whole_deck(compile_template(TEMPLATE_FILE.read_bytes()), data).content
    strict = make_strict(deck)
    pool = OfficePool(office, size=1, temp_dir=make_temp_dir())
    try:
        drawn = await pool.to_pdf(as_transitional(strict))
        expected = await pool.to_pdf(deck)
    finally:
        await pool.close()
    assert page_count(drawn) == page_count(expected)
    for page in range(page_count(expected)):
        pictures = [page_picture(pdf, page, width=480, height=270, picture_format="png") for pdf in (drawn, expected)]
        assert pictures[0] == pictures[1]
