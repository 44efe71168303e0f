"""Pictures of slides: their list, their addresses, and what a browser gets there (docs/api.md 17)."""

import asyncio
import io
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import httpx
import pytest
import pytest_asyncio
from PIL import Image
from pptx import Presentation

from factories import BASE_URL, Api, make_services
from fakes import HandClock
from meetdeck.app import Services
from meetdeck.platform.db import Database
from meetdeck.present.render.renderer import RendererBusy
from renderers import BlankPages

BROWSER = {"Accept": "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"}


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages(pages=30)


@pytest_asyncio.fixture
async def services(
    database: Database, clock: HandClock, tmp_path: Path, renderer: BlankPages
) -> AsyncGenerator[Services]:
    """Lend the application's parts, with a renderer that counts."""
    async with aclosing(make_services(database, clock, tmp_path, renderer)) as services:
        yield services


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


# ------------------------------------------------------------------------------------------------ which there are


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_template_lists_its_slides_with_their_pictures(api: Api, version: str) -> None:
    listed = (await api.get(f"{version}/present/templates/Annual review/slides")).json()
    assert set(listed) == {"templateName", "slides"}
    assert listed["templateName"] == "Annual review"
    for slide in listed["slides"]:
        assert set(slide) == {"name", "index", "section", "imageUrl", "width", "height"}
        assert slide["imageUrl"].startswith(f"{BASE_URL}/api/{version}/present/pictures/")
        assert (slide["width"], slide["height"]) == (1280, 720)
    assert [(one["name"], one["index"], one["section"]) for one in listed["slides"]][:2] == [
        ("Cover", 1, "Opening"),
        ("Agenda", 2, "Opening"),
    ]


async def test_the_list_is_answered_without_drawing_anything(api: Api, renderer: BlankPages) -> None:
    assert (await api.get("v3/present/templates/Annual review/slides")).status_code == 200
    assert (await api.get("v3/present/templates/Annual review/slides/Cover")).status_code == 200
    assert renderer.drawn == 0


async def test_hidden_slides_have_no_picture_and_the_others_keep_their_place(api: Api) -> None:
    await upload(api, make_template("First", "Second", "Third", hidden=("Second",)))
    listed = (await api.get("v3/present/templates/Welcome/slides")).json()["slides"]
    assert [(one["name"], one["index"], one["section"]) for one in listed] == [("First", 1, ""), ("Third", 3, "")]
    by_place = await api.get("v3/present/templates/Welcome/slides/Slide 3")
    assert by_place.json() == {
        "slideName": "Third",
        **{name: listed[1][name] for name in ("imageUrl", "width", "height")},
    }
    for name in ("Second", "Slide 2"):
        refused = await api.get(f"v3/present/templates/Welcome/slides/{name}")
        assert (refused.status_code, refused.json()["code"]) == (404, "slide_not_found")
        assert "hides" in refused.json()["detail"]


async def test_what_is_not_there_is_answered_with_the_nearest(api: Api) -> None:
    slide = await api.get("v3/present/templates/Annual review/slides/Agendas")
    assert (slide.status_code, slide.json()["code"]) == (404, "slide_not_found")
    assert "'Agenda'" in slide.json()["detail"]
    for path in ("slides", "slides/Cover"):
        template = await api.get(f"v3/present/templates/Anual revew/{path}")
        assert (template.status_code, template.json()["code"]) == (404, "template_not_found")
        assert "'Annual review'" in template.json()["detail"]


NAMES = ["Årsmøde på Ærø", "Q1/Q2 100%2F", "a.b..c", "...", "税 🎉", "a+b & c?#", "Slide", "x" * 200]


async def test_any_name_of_template_and_slide_leads_to_the_picture(api: Api) -> None:
    for name in NAMES:
        await upload(api, make_template("First", name), name=name)
        step = quote(name, safe="")
        listed = (await api.get(f"v3/present/templates/{step}/slides")).json()
        assert (listed["templateName"], listed["slides"][1]["name"]) == (name, name)
        found = await api.get(f"v3/present/templates/{step}/slides/{step}")
        assert (found.status_code, found.json()["slideName"]) == (200, name)
        picture = await api.http.get(found.json()["imageUrl"])
        assert picture.status_code == 200
        assert "inline; filename=" in picture.headers["Content-Disposition"]
        assert quote(f"{name} 2.png", safe="") in picture.headers["Content-Disposition"]


# ------------------------------------------------------------------------------------------ one slide, four answers


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_slide_is_answered_as_an_object(api: Api, version: str) -> None:
    for accept in ("*/*", "application/json", "application/json, text/plain, */*"):
        answer = await api.get(f"{version}/present/templates/Annual review/slides/Cover", headers={"Accept": accept})
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["Vary"] == "Accept"
        assert set(answer.json()) == {"slideName", "imageUrl", "width", "height"}
        assert (answer.json()["slideName"], answer.json()["width"]) == ("Cover", 1280)


async def test_without_any_accept_at_all_it_is_an_object(api: Api) -> None:
    request = api.http.build_request("GET", "/api/v3/present/templates/Annual review/slides/Cover", headers=api.headers)
    del request.headers["Accept"]
    assert (await api.http.send(request)).json()["slideName"] == "Cover"


async def test_a_slide_is_answered_as_the_bare_address(api: Api) -> None:
    path = "v2/present/templates/Annual review/slides/Cover"
    plain = await api.get(path, headers={"Accept": "text/plain, application/json;q=0.5"})
    assert plain.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert plain.text == (await api.get(path)).json()["imageUrl"]


async def test_a_slide_is_answered_as_the_picture(api: Api) -> None:
    path = "v3/present/templates/Annual review/slides/Cover?width=320"
    wanted = {"image/png": "PNG", "image/webp": "WEBP", "image/webp;q=0.9, image/png": "PNG", "image/*": "PNG"}
    for accept, picture_format in wanted.items():
        answer = await api.get(path, headers={"Accept": accept})
        assert answer.headers["Content-Type"] == f"image/{picture_format.lower()}"
        picture = Image.open(io.BytesIO(answer.content))
        assert (picture.format, picture.size) == (picture_format, (320, 180))
        known = await api.get(path, headers={"Accept": accept, "If-None-Match": answer.headers["ETag"]})
        assert (known.status_code, known.content) == (304, b"")


async def test_any_other_accept_is_406_and_says_what_there_is(api: Api) -> None:
    for accept in ("text/html", "image/jpeg", "application/pdf, text/csv", "image/png;q=0"):
        answer = await api.get("v3/present/templates/Annual review/slides/Cover", headers={"Accept": accept})
        assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")
        for offered in ("application/json", "text/plain", "image/png", "image/webp"):
            assert offered in answer.json()["detail"]


async def test_who_has_the_list_or_the_object_already_is_told_so(api: Api) -> None:
    for path in ("slides", "slides/Cover"):
        first = await api.get(f"v3/present/templates/Annual review/{path}")
        again = await api.get(
            f"v3/present/templates/Annual review/{path}", headers={"If-None-Match": first.headers["ETag"]}
        )
        assert (again.status_code, again.content) == (304, b"")


# ------------------------------------------------------------------------------------------------------ their size


async def test_a_picture_is_exactly_as_large_as_was_said(api: Api) -> None:
    for size in ((12_192_000, 6_858_000), (9_144_000, 6_858_000), (6_858_000, 12_192_000), (7_000_001, 9_999_999)):
        await upload(api, make_template("One", size=size))
        for width in (160, 333, 1280, 2560):
            one = (await api.get(f"v3/present/templates/Welcome/slides/One?width={width}")).json()
            listed = (await api.get(f"v3/present/templates/Welcome/slides?width={width}")).json()["slides"][0]
            assert (listed["imageUrl"], listed["height"]) == (one["imageUrl"], one["height"])
            assert one["width"] == width
            for headers in ({}, BROWSER):
                picture = await api.http.get(one["imageUrl"], headers=headers)
                assert size_of(picture) == (one["width"], one["height"])


async def test_a_width_that_makes_no_sense_is_400(api: Api) -> None:
    for width in ("159", "2561", "0", "-1", "12.5", "wide", "99999999999999999999"):
        for path in ("slides", "slides/Cover"):
            answer = await api.get(f"v3/present/templates/Annual review/{path}?width={width}")
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), width
            assert [error["pointer"] for error in answer.json()["errors"]] == ["/query/width"]


# ---------------------------------------------------------------------------------------------- what is at imageUrl


async def address_of(api: Api, slide: str = "Cover", **query: Any) -> str:
    path = f"v3/present/templates/Annual review/slides/{slide}?{urlencode(query)}"
    address: str = (await api.get(path)).raise_for_status().json()["imageUrl"]
    return address


async def test_a_browser_gets_the_format_that_it_names(api: Api) -> None:
    address = await address_of(api, width=320)
    for accept, picture_format in {
        "*/*": "PNG",
        BROWSER["Accept"]: "WEBP",
        "text/html": "PNG",
        "image/png,image/*;q=0.8": "PNG",
        "image/webp;q=0, */*": "PNG",
        "image/webp;q=inf": "WEBP",
    }.items():
        answer = await api.http.get(address, headers={"Accept": accept})
        assert answer.headers["Content-Type"] == f"image/{picture_format.lower()}", accept
        assert answer.headers["Vary"] == "Accept"
        assert Image.open(io.BytesIO(answer.content)).format == picture_format


async def test_an_address_is_the_same_for_hours_and_good_for_half_a_day(api: Api, clock: HandClock) -> None:
    first = await address_of(api)
    clock.advance(hours=5, minutes=59)
    fresh = await api.of(api.firm)
    assert await address_of(fresh) == first
    assert (await api.http.get(first)).status_code == 200
    clock.advance(hours=11, minutes=59)
    assert (await api.http.get(first)).status_code == 200
    assert await address_of(await api.of(api.firm)) != first
    clock.advance(minutes=2)
    expired = await api.http.get(first)
    assert (expired.status_code, expired.json()["code"]) == (403, "link_refused")


async def test_a_browser_may_keep_a_picture_until_its_address_expires(api: Api, clock: HandClock) -> None:
    answer = await api.http.get(await address_of(api), headers=BROWSER)
    expires = int(parse_qs(urlsplit(str(answer.url)).query)["expires"][0])
    left = expires - int(clock().timestamp())
    assert timedelta(hours=12) <= timedelta(seconds=left) <= timedelta(hours=24)
    assert answer.headers["Cache-Control"] == f"private, max-age={left}, immutable"
    assert answer.headers["ETag"].startswith('"')


async def test_who_has_the_picture_is_told_so_and_nothing_is_read_or_drawn(
    api: Api, renderer: BlankPages, tmp_path: Path
) -> None:
    address = await address_of(api)
    tags = {(await api.http.get(address, headers=headers)).headers["ETag"] for headers in ({}, BROWSER)}
    assert len(tags) == 2
    drawn, files = renderer.drawn, tmp_path / "storage"
    files.rename(tmp_path / "elsewhere")
    for headers in ({}, BROWSER):
        known = await api.http.get(address, headers=headers | {"If-None-Match": ", ".join(tags)})
        assert (known.status_code, known.content) == (304, b"")
        assert known.headers["ETag"] in tags
        assert "immutable" in known.headers["Cache-Control"]
        assert known.headers["Vary"] == "Accept"
    assert renderer.drawn == drawn


async def test_a_head_request_tells_what_a_get_would(api: Api) -> None:
    address = await address_of(api, width=320)
    whole, head = await api.http.get(address), await api.http.head(address)
    assert head.status_code == 200
    for name in ("Content-Type", "Content-Length", "ETag", "Cache-Control"):
        assert head.headers[name] == whole.headers[name]


CHANGES = [
    ("tenant", "00000000-0000-4000-8000-000000000000"),
    ("expires", "9999999999"),
    ("expires", "99999999999999999999999"),
    ("signature", "0" * 64),
    ("signature", "æ"),
    ("revision", "2"),
    ("page", "2"),
    ("page", "-1"),
    ("width", "2560"),
    ("height", "10000"),
]


async def test_a_changed_link_is_refused(api: Api) -> None:
    url = urlsplit(await address_of(api))
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    for name, value in CHANGES:
        answer = await api.http.get(f"{url.path}?{urlencode(query | {name: value})}")
        assert (answer.status_code, answer.json()["code"]) == (403, "link_refused"), (name, value)


async def test_the_link_of_one_template_leads_to_no_other(api: Api) -> None:
    await upload(api, make_template("Cover"))
    other: str = (await api.get("v3/present/templates/Welcome/slides/Cover")).json()["imageUrl"]
    url = urlsplit(await address_of(api))
    assert (await api.http.get(f"{urlsplit(other).path}?{url.query}")).status_code == 403


async def test_a_link_that_is_not_whole_names_what_is_missing(api: Api) -> None:
    answer = await api.http.get(urlsplit(await address_of(api)).path)
    assert answer.status_code == 400
    missing = {"tenant", "expires", "signature", "revision", "page", "width", "height"}
    assert {error["pointer"] for error in answer.json()["errors"]} == {f"/query/{name}" for name in missing}


async def test_a_picture_of_an_earlier_revision_stays_what_it_was(api: Api) -> None:
    await upload(api, make_template("One", size=(9_144_000, 6_858_000)))
    earlier = (await api.get("v3/present/templates/Welcome/slides/One?width=320")).json()
    await upload(api, make_template("One", size=(12_192_000, 6_858_000)))
    later = (await api.get("v3/present/templates/Welcome/slides/One?width=320")).json()
    assert earlier["imageUrl"] != later["imageUrl"]
    assert size_of(await api.http.get(earlier["imageUrl"])) == (320, 240)
    assert size_of(await api.http.get(later["imageUrl"])) == (320, 180)


async def test_a_picture_of_a_template_that_was_deleted_is_404(api: Api) -> None:
    await upload(api, make_template("One"))
    address = (await api.get("v3/present/templates/Welcome/slides/One")).json()["imageUrl"]
    assert (await api.http.get(address)).status_code == 200
    await api.request("DELETE", "v3/present/templates/Welcome")
    gone = await api.http.get(address)
    assert (gone.status_code, gone.json()["code"]) == (404, "picture_not_found")


async def test_another_tenant_has_neither_list_nor_pictures(api: Api) -> None:
    await upload(api, make_template("One"))
    other = await api.other()
    for path in ("slides", "slides/One"):
        assert (await other.get(f"v3/present/templates/Welcome/{path}")).status_code == 404


# ------------------------------------------------------------------------------------------- drawn once, and ahead


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
