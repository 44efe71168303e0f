"""No picture of a presentation shows what lies outside of it, through a real LibreOffice, whatever wraps it, anywhere.

`tests/unit/present/render/test_places.py` has what LibreOffice gets to see: its own walls hide it from these tests.
"""

import io
from collections.abc import Iterator

import pikepdf
import pytest

from meetdeck.present.render.office import OfficePool
from support.canaries import Canaries
from support.carriers import CARRIERS, emf_with, harmless, metafile
from support.hostile import pictures_in
from support.image_decks import make_png
from support.places import PLACES, show_in, show_on_slides

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.thorough]


def pages_of(pdf: bytes) -> Iterator[bytes]:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            out = io.BytesIO()
            with pikepdf.new() as single:
                single.pages.append(page)
                single.save(out)
            yield out.getvalue()


@pytest.mark.parametrize("canary", ["picture", "pdf", "fifo"])
async def test_no_carrier_shows_a_canary(pool: OfficePool, canaries: Canaries, canary: str) -> None:
    carried = [carry(canaries.addresses[canary]) for carry in CARRIERS.values()]
    pdf = await pool.to_pdf(show_on_slides(carried))
    pages = list(pages_of(pdf))
    assert len(pages) == len(CARRIERS)
    assert {name for name, page in zip(CARRIERS, pages, strict=True) if canaries.find_reached(page)} == set()


@pytest.mark.parametrize("place", PLACES)
async def test_no_place_shows_a_canary(pool: OfficePool, canaries: Canaries, place: str) -> None:
    for carrier in ("SVG plain", "bitmap"):
        pdf = await pool.to_pdf(show_in(place, *CARRIERS[carrier](canaries.addresses["picture"])))
        assert canaries.find_reached(pdf) == set(), carrier


async def test_pictures_in_metafiles_are_drawn(pool: OfficePool) -> None:
    metafiles = harmless(make_png())
    shown = [
        name for name in metafiles if "+" in name and name not in {"EMF+ of raw pixels", "EMF in EMF+", "WMF in EMF+"}
    ]
    pdf = await pool.to_pdf(show_on_slides([("emf", metafiles[name]) for name in shown]))
    assert [pictures_in(page) for page in pages_of(pdf)] == [1] * len(shown)


async def test_a_metafile_that_was_wiped_does_no_harm_to_its_neighbours(pool: OfficePool) -> None:
    good = harmless(make_png())["EMF+ only"]
    wiped = [emf_with(metafile(CARRIERS[name]("file:///srv/canary.png")[1])) for name in ("bitmap", "split bitmap")]
    pages = list(pages_of(await pool.to_pdf(show_on_slides([("emf", wiped[0]), ("emf", good), ("emf", wiped[1])]))))
    assert (len(pages), pictures_in(pages[1])) == (3, 1)
