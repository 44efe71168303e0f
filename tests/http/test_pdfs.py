"""PDFs over HTTP, by a real LibreOffice (docs/api/pdfs.md)."""

import base64
import io
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pikepdf
import pytest
import pytest_asyncio
from pptx import Presentation

from meetdeck.platform.database import Database
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import INSTALL_HINT, find_office
from meetdeck.services import Services
from support.canaries import Canaries, plant_canaries
from support.carriers import CARRIERS
from support.factories import Api, make_services
from support.fakes import HandClock
from support.image_decks import add_picture, add_slide
from support.pdfs import bookmarks, links_of, make_linked_deck


@pytest_asyncio.fixture
async def services(database: Database, clock: HandClock, tmp_path: Path) -> AsyncGenerator[Services]:
    """Lend the application's parts, with a renderer."""
    office = find_office()
    if office is None:
        pytest.skip(f"no LibreOffice here. {INSTALL_HINT}")
    pool = OfficePool(office, size=1)
    yield make_services(database, clock, tmp_path, pool)
    await pool.close()


async def test_slides_and_handouts_have_bookmarks_links_title_and_language(api: Api) -> None:
    for form in ({}, {"handoutMode": (None, "true")}, {"options": (None, '{"notesPages": true}')}):
        parts = {"file": ("Pension.pptx", make_linked_deck()), **form}
        answer = await api.request("POST", "v3/present/slides/pdf", files=parts)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf"), answer.text
        assert [mark.title for mark in bookmarks(answer.content)] == ["Velkommen", "Tak"]
        web, mail, jump = (link.target for link in links_of(answer.content, 0))
        assert (web, mail) == ("https://example.org/?a=1&b=2", "mailto:anna@example.org")
        assert jump == bookmarks(answer.content)[1].page
        with pikepdf.open(io.BytesIO(answer.content)) as document:
            assert (str(document.docinfo["/Title"]), str(document.Root.Lang)) == ("Pension", "da-DK")


async def test_a_deck_that_names_no_language_speaks_the_firms(api: Api, services: Services) -> None:
    async with services.database.transaction(api.firm.tenant_id) as connection:
        await connection.execute("update tenant set locale = 'da-DK'")
    deck: Any = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    for element in [*deck.element.iter(), *deck.slide_master.element.iter()]:
        element.attrib.pop("lang", None)
    out = io.BytesIO()
    deck.save(out)
    answer = await api.request("POST", "v3/present/slides/pdf", files={"file": ("Tom.pptx", out.getvalue())})
    with pikepdf.open(io.BytesIO(answer.content)) as document:
        assert str(document.Root.Lang) == "da-DK"


@pytest.fixture
def canaries() -> Iterator[Canaries]:
    """Secrets that no presentation may get at, in a folder that LibreOffice's account could reach."""
    folder = Path(mkdtemp())
    folder.chmod(0o755)
    with plant_canaries(folder / "canaries") as planted:
        yield planted
    folder.rmdir()


async def test_pictures_from_the_data_show_nothing_but_themselves(api: Api, canaries: Canaries) -> None:
    names = ["bitmap", "metafile", "split bitmap", "overlapping", "beyond its record", "EMF in EMF", "placeable WMF"]
    carried = [CARRIERS[name](canaries.picture.as_uri())[1] for name in names]
    presentation: Any = Presentation()
    for number in range(len(carried)):
        add_picture(add_slide(presentation), f"{{{{image:picture{number}}}}}")
    out = io.BytesIO()
    presentation.save(out)
    parts = {"file": ("Pictures.pptx", out.getvalue()), "name": (None, "Pictures")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    uris = [f"data:image/x-emf;base64,{base64.b64encode(picture).decode()}" for picture in carried]
    data = {f"picture{number}": uri for number, uri in enumerate(uris)}
    made = (await api.post("v3/present/slides/generate", {"template": "Pictures", "data": data})).json()
    assert made["findings"] == []
    deck = (await api.http.get(made["downloadUrl"])).content
    answer = await api.request("POST", "v3/present/slides/pdf", files={"file": ("Pictures.pptx", deck)})
    assert answer.status_code == 200, answer.text
    assert canaries.find_reached(answer.content) == set()
