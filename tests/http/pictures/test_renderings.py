"""Pictures of slides: drawn once, and ahead (docs/api/pdfs.md#pictures)."""

import asyncio
from contextlib import aclosing
from pathlib import Path

from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import RendererBusy
from meetdeck.services import Services
from support.factories import Api, make_services
from support.fakes import HandClock
from support.renderers import BlankPages
from support.slide_pictures import BROWSER, address_of, make_template, size_of, upload


async def test_sixteen_callers_of_a_picture_cost_one_rendering(api: Api, renderer: BlankPages) -> None:
    address = await address_of(api)
    answers = await asyncio.gather(*(api.http.get(address, headers=BROWSER) for _ in range(16)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert renderer.drawn == 1


async def test_a_gallery_costs_one_rendering(api: Api, renderer: BlankPages) -> None:
    slides = (await api.get("v3/present/templates/Annual review/slides?width=160")).json()["slides"]
    assert len(slides) > 3
    answers = await asyncio.gather(*(api.http.get(slide["imageUrl"], headers=BROWSER) for slide in slides))
    assert {size_of(answer) for answer in answers} == {(160, 90)}
    assert renderer.drawn == 1


async def test_after_an_upload_the_pictures_are_there_before_anybody_asks(
    api: Api, services: Services, renderer: BlankPages
) -> None:
    await upload(api, make_template("One", "Two"))
    await services.background.wait()
    assert renderer.drawn == 1
    renderer.error = AssertionError("nothing is left to draw")
    for slide in (await api.get("v3/present/templates/Welcome/slides")).json()["slides"]:
        assert (await api.http.get(slide["imageUrl"], headers=BROWSER)).status_code == 200
    assert renderer.drawn == 1


async def test_an_upload_waits_for_no_picture(api: Api, services: Services, renderer: BlankPages) -> None:
    renderer.go_on.clear()
    await upload(api, make_template("One"))
    await renderer.begun.wait()
    asking = asyncio.create_task(api.get("v3/present/templates/Welcome/slides/One", headers={"Accept": "image/webp"}))
    renderer.go_on.set()
    assert (await asking).status_code == 200
    await services.background.wait()
    assert renderer.drawn == 1


async def test_a_template_whose_pictures_cannot_be_prepared_is_saved_all_the_same(
    api: Api, services: Services, renderer: BlankPages
) -> None:
    renderer.error = RendererBusy("Many wait.", retry_after_seconds=3)
    await upload(api, make_template("One"))
    await services.background.wait()
    address = (await api.get("v3/present/templates/Welcome/slides/One")).json()["imageUrl"]
    busy = await api.http.get(address)
    assert (busy.status_code, busy.json()["code"], busy.headers["Retry-After"]) == (503, "renderer_busy", "3")
    renderer.error = None
    assert (await api.http.get(address)).status_code == 200


async def test_two_instances_over_one_database_and_storage_draw_once(
    api: Api, database: Database, clock: HandClock, tmp_path: Path, renderer: BlankPages
) -> None:
    renderer.go_on.clear()
    async with aclosing(make_services(database, clock, tmp_path, renderer)) as services, Api.open(services) as other:
        one, two = [
            asyncio.create_task(
                each.get("v3/present/templates/Annual review/slides/Cover", headers={"Accept": "image/png"})
            )
            for each in (api, other)
        ]
        await renderer.begun.wait()
        await asyncio.sleep(0.3)
        renderer.go_on.set()
        assert (await one).content == (await two).content
    assert renderer.drawn == 1


async def test_the_same_presentation_again_costs_no_rendering(api: Api, renderer: BlankPages) -> None:
    deck = make_template("One")
    renderer.pages = 1
    for form in ({}, {"handoutMode": (None, "true")}, {}):
        answer = await api.request("POST", "v3/present/slides/pdf", files={"file": ("deck.pptx", deck), **form})
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf"), answer.text
    assert renderer.drawn == 1
