"""Pictures of employees: uploaded as contents, kept small, seen by customers (docs/api/employees-and-topics.md)."""

import io
from typing import Any
from uuid import uuid4

import pytest
from lxml import html
from PIL import Image

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.console import SIGNE, Browser
from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor
from support.searches import ANNA

EMPLOYEES = "v3/booking/config/employees"
ANNAS = f"v3/booking/employees/{ANNA}/picture"


def draw(kind: str = "PNG", size: tuple[int, int] = (300, 200), color: str = "teal") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, kind)
    return out.getvalue()


async def upload(api: Api, content: bytes) -> str:
    answer = await api.request("POST", "v3/present/contents", files={"file": ("anna.png", content)})
    return answer.json()["contentId"]


async def save(api: Api, **members: Any) -> Any:
    anna = (await api.get(f"{EMPLOYEES}/{ANNA}")).json()
    return await api.request("PUT", f"{EMPLOYEES}/{ANNA}", json=anna | members)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
async def test_a_picture_is_kept_small_and_square(api: Api, kind: str) -> None:
    content_id = await upload(api, draw(kind))
    saved = await save(api, pictureContentId=content_id)
    assert (saved.status_code, saved.json()["pictureContentId"]) == (200, content_id)
    answer = await api.get(ANNAS)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/webp")
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert (picture.format, picture.size) == ("WEBP", (192, 192))
    again = await api.get(ANNAS, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


async def test_a_picture_outlives_its_content(api: Api, clock: HandClock) -> None:
    content_id = await upload(api, draw())
    await save(api, pictureContentId=content_id)
    clock.advance(hours=48)
    api = await api.of(NORDLYS)
    assert (await api.get(f"v3/present/contents/{content_id}")).status_code == 404
    changed = await save(api, title="Head of advice")  # sends the id again, as whoever reads and writes does
    assert (changed.status_code, changed.json()["pictureContentId"]) == (200, content_id)
    assert (await api.get(ANNAS)).status_code == 200


async def test_who_does_not_name_a_picture_keeps_it(api: Api) -> None:
    content_id = await upload(api, draw())
    await save(api, pictureContentId=content_id)
    for version in ("v2", "v3"):
        path = f"{version}/booking/config/employees/{ANNA}"
        body = {"name": "Anna Holm", "email": "anna@nordlys.example"}
        answer = await api.request("PUT", path, json=body)
        assert answer.status_code == 200, answer.text
        assert ("pictureContentId" in answer.json()) is (version == "v3")
    assert (await api.get(ANNAS)).status_code == 200


async def test_a_removed_or_replaced_picture_is_gone(api: Api, database: Database) -> None:
    before_all = await _count_pictures(database)
    first, second = await upload(api, draw(color="teal")), await upload(api, draw(color="gold"))
    await save(api, pictureContentId=first)
    before = (await api.get(ANNAS)).content
    await save(api, pictureContentId=second)
    assert (await api.get(ANNAS)).content != before
    assert (await save(api, pictureContentId=None)).json()["pictureContentId"] is None
    gone = await api.get(ANNAS)
    assert (gone.status_code, gone.json()["code"]) == (404, "no_picture")
    assert await _count_pictures(database) == before_all


async def test_a_deleted_employee_leaves_no_picture(api: Api, database: Database) -> None:
    before = await _count_pictures(database)
    content_id = await upload(api, draw())
    new = (await api.post(EMPLOYEES, {"name": "Zoe Zahle", "pictureContentId": content_id})).json()
    assert await _count_pictures(database) == before + 1
    assert (await api.request("DELETE", f"{EMPLOYEES}/{new['id']}")).status_code == 204
    assert await _count_pictures(database) == before


async def test_a_picture_belongs_to_its_firm(api: Api) -> None:
    content_id = await upload(api, draw())
    await save(api, pictureContentId=content_id)
    other = await api.other()
    assert (await other.get(ANNAS)).status_code == 404
    stolen = await other.post(EMPLOYEES, {"name": "Zoe Zahle", "pictureContentId": content_id})
    assert (stolen.status_code, stolen.json()["errors"][0]["pointer"]) == (404, "/pictureContentId")


def _claim_size(content: bytes, width: int, height: int) -> bytes:
    """Return a PNG whose header claims another size, with a correct sum."""
    import zlib  # noqa: PLC0415 - one test

    head = b"IHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + content[24:29]
    return content[:12] + head + zlib.crc32(head).to_bytes(4, "big") + content[33:]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "not a picture"),
        (b"GIF89a" + bytes(100), "not a picture"),
        (draw("PNG")[:-20], "damaged"),
        (draw("JPEG", (900, 900))[:400], "damaged"),
        (_claim_size(draw("PNG"), 60_000, 60_000), "megapixels"),
        (bytes(10_000_001), "10 MB"),
    ],
    ids=["svg", "gif", "short png", "short jpeg", "bomb", "large"],
)
async def test_what_is_no_small_picture_is_refused(api: Api, content: bytes, said: str) -> None:
    refused = await save(api, pictureContentId=await upload(api, content))
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/pictureContentId")
    assert said in refused.json()["errors"][0]["detail"]


async def test_an_unknown_content_is_refused(api: Api) -> None:
    refused = await save(api, pictureContentId=str(uuid4()))
    assert (refused.status_code, refused.json()["code"]) == (404, "content_not_found")


async def _count_pictures(database: Database) -> int:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        return await connection.fetchval("select count(*) from employee_picture")


async def open_times(api: Api) -> FormVisitor:
    """Open the times of the demo's portal with Anna's chosen."""
    visitor = FormVisitor(api.http, "nordlys")
    return await visitor.open(topic=api.id_of("topic", "Annual review"), type="online", advisor=ANNA)


async def test_customers_see_whom_they_meet(api: Api) -> None:
    assert not (await open_times(api)).page.xpath("//img[@class='face']"), "initials, while there is no picture"
    await save(api, pictureContentId=(content_id := await upload(api, draw())))
    visitor = await open_times(api)
    (source,) = {image.get("src") for image in visitor.page.xpath("//img[@class='face']")}
    seen = await api.http.get(f"/p/nordlys/{source.partition('nordlys/')[2]}")
    assert (seen.status_code, seen.headers["Content-Type"]) == (200, "image/webp")
    assert "max-age" in seen.headers["Cache-Control"]
    assert seen.headers["X-Content-Type-Options"] == "nosniff"
    for address in (
        f"/p/fjord-pension/advisors/{ANNA}/{content_id}",  # another firm's portal
        f"/p/nordlys/advisors/{ANNA}/{uuid4()}",
        f"/p/nordlys/advisors/{uuid4()}/{content_id}",
    ):
        assert (await api.http.get(address)).status_code == 404


async def test_some_advisors_of_the_demo_have_pictures(api: Api) -> None:
    visitor = FormVisitor(api.http, "nordlys")
    await visitor.open(topic=api.id_of("topic", "Annual review"), type="online")
    sources = {image.get("src").partition("nordlys/")[2] for image in visitor.page.xpath("//img[@class='face']")}
    assert sources
    assert {(await api.http.get(f"/p/nordlys/{source}")).status_code for source in sources} == {200}


async def test_a_picture_is_uploaded_and_removed_in_the_console(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    path = f"/settings/employees/{ANNA}"
    wrong = await browser.http.post(f"/console{path}/picture", files={"picture": ("anna.png", b"no picture")})
    assert (wrong.status_code, "send a PNG, JPEG or WebP file" in wrong.text) == (422, True)
    done = await browser.http.post(f"/console{path}/picture", files={"picture": ("anna.png", draw())})
    assert "Anna Holm is saved." in done.text
    shown = (await browser.get(path)).text
    source = html.fromstring(shown).xpath("//form[contains(@class, 'portrait')]/img/@src")[0]
    seen = await browser.get(f"{path}/{source.partition(ANNA)[2].lstrip('/')}")
    assert (seen.status_code, seen.headers["Content-Type"]) == (200, "image/webp")
    await browser.post(f"{path}/picture", {"remove": "yes"})
    assert (await api.get(ANNAS)).status_code == 404
