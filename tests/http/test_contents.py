"""Stored contents, generated decks and signed downloads (docs/api/decks.md, docs/api/pdfs.md)."""

import io
import zipfile
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from PIL import Image
from pptx import Presentation

from support.factories import Api
from support.fakes import HandClock
from support.svgs import make_svg


def _template(*, picture: bool = False) -> bytes:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame.text = "Hello {{name}}"
    if picture:
        shape = slide.shapes.add_picture(io.BytesIO(_png("white")), 0, 0, 914400, 914400)
        shape.element.xpath("p:nvPicPr/p:cNvPr")[0].set("descr", "{{image:logo}}")
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _png(color: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (4, 4), color).save(out, "PNG")
    return out.getvalue()


async def _store(api: Api, content: bytes, name: str = "welcome.pptx") -> httpx.Response:
    return await api.request("POST", "v3/present/contents", files={"file": (name, content)})


async def _template_from(api: Api, content: bytes) -> str:
    """Store a file, make it the template Welcome, and return its content id."""
    content_id: str = (await _store(api, content)).json()["contentId"]
    body = {"contentId": content_id, "name": "Welcome", "category": "Private"}
    answer = await api.post("v3/present/templates", body)
    assert (answer.status_code, answer.json()["customerType"]) == (201, "Private")
    return content_id


async def test_a_stored_file_comes_back_by_its_id_and_by_its_link(api: Api) -> None:
    answer = await _store(api, b"some bytes", "Årsrapport 2026.bin")
    content = answer.json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == content["slideLocation"]
    assert (content["fileName"], content["size"]) == ("Årsrapport 2026.bin", 10)
    again = await api.get(f"v3/present/contents/{content['contentId']}")
    assert (again.status_code, again.content) == (200, b"some bytes")
    # Without any header: a browser follows it.
    linked = await api.http.get(content["downloadUrl"])
    assert (linked.status_code, linked.content) == (200, b"some bytes")
    assert "filename*=UTF-8''%C3%85rsrapport%202026.bin" in linked.headers["Content-Disposition"]
    # A browser or a download manager may ask first how large it is.
    asked = await api.http.head(content["downloadUrl"])
    assert (asked.status_code, asked.headers["Content-Length"], asked.content) == (200, "10", b"")


async def test_a_content_belongs_to_its_tenant(api: Api) -> None:
    content = (await _store(api, b"x")).json()
    other = await api.other()
    for answer in (
        await other.get(f"v3/present/contents/{content['contentId']}"),
        await other.post("v3/present/templates/validation", {"contentId": content["contentId"]}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "content_not_found")


@pytest.mark.parametrize("changed", ["tenant", "expires", "signature"])
async def test_a_changed_link_is_refused(api: Api, changed: str) -> None:
    link: str = (await _store(api, b"x")).json()["downloadUrl"]
    url = urlsplit(link)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    other = {"tenant": "00000000-0000-4000-8000-000000000000", "expires": "9999999999", "signature": "0" * 64}
    answer = await api.http.get(url.path, params=query | {changed: other[changed]})
    assert (answer.status_code, answer.json()["code"]) == (403, "link_refused")


async def test_contents_and_links_expire(api: Api, clock: HandClock) -> None:
    content = (await _store(api, b"x")).json()
    clock.advance(hours=24)
    assert (await api.http.get(content["downloadUrl"])).status_code == 403
    fresh = await api.of(api.firm)
    gone = await fresh.get(f"v3/present/contents/{content['contentId']}")
    assert (gone.status_code, gone.json()["code"]) == (404, "content_not_found")


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_whole_template_is_filled_and_kept(api: Api, version: str) -> None:
    await _template_from(api, _template())
    answer = await api.post(f"{version}/present/slides/generate", {"template": "Welcome", "data": {"name": "Ada"}})
    content = answer.json()
    assert (answer.status_code, content["fileName"], content["findings"]) == (200, "Welcome.pptx", [])
    deck: Any = Presentation(io.BytesIO((await api.http.get(content["downloadUrl"])).content))
    assert deck.slides[0].shapes[0].text_frame.text == "Hello Ada"
    missing = await api.post(f"{version}/present/slides/generate", {"template": "Welcome", "data": {}})
    assert [finding["details"]["code"] for finding in missing.json()["findings"]] == ["missing-value"]
    strict = await api.post(f"{version}/present/slides/generate?missing=error", {"template": "Welcome", "data": {}})
    assert (strict.status_code, strict.json()["errors"][0]["pointer"]) == (400, "/data/name")


async def test_a_stored_template_is_validated_by_its_id(api: Api) -> None:
    content_id = (await _store(api, b"no zip")).json()["contentId"]
    answer = await api.post("v2/present/templates/validation", {"contentId": content_id})
    assert [finding["details"]["code"] for finding in answer.json()] == ["not-a-zip"]


async def test_a_stored_picture_is_shown_by_its_id(api: Api) -> None:
    await _template_from(api, _template(picture=True))
    red = _png("red")
    content_id = (await _store(api, red, "logo.png")).json()["contentId"]
    data = {"name": "Ada", "logo": content_id}
    body = {"template": "Welcome", "slides": [{"slideId": "Slide 1", "data": data}]}
    deck: Any = Presentation(io.BytesIO((await api.post("v3/present/slides", body)).content))
    assert deck.slides[0].shapes[1].image.blob == red
    unknown = content_id.replace(content_id[:8], "00000000")
    body["slides"] = [{"slideId": "Slide 1", "data": data | {"logo": unknown}}]
    refused = await api.post("v3/present/slides", body)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/slides/0/data/logo")


async def test_a_stored_svg_is_shown_with_its_png(api: Api) -> None:
    await _template_from(api, _template(picture=True))
    content_id = (await _store(api, make_svg(), "logo.svg")).json()["contentId"]
    body: dict[str, Any] = {
        "template": "Welcome",
        "slides": [{"slideId": "Slide 1", "data": {"name": "Ada", "logo": content_id}}],
    }
    answer = await api.post("v3/present/slides", body)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as deck:
        assert {"ppt/media/picture1.png", "ppt/media/picture1.svg"} <= {*deck.namelist()}
    body["slides"] = [{"slideId": "Slide 1", "data": {"logo": "data:image/svg+xml,<svg/>"}}]
    refused = await api.post("v3/present/slides", body)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/slides/0/data/logo")


async def test_a_slide_location_that_is_no_content_is_refused(api: Api) -> None:
    for location in ("00000000-0000-4000-8000-000000000000", "http://elsewhere.test/x.pptx"):
        answer = await api.post("v3/present/slides/pdf", {"slideLocation": location})
        assert answer.status_code in {400, 404}, answer.text
        assert answer.json()["errors"][0]["pointer"] == "/slideLocation"


async def _of_ten_bytes(api: Api, name: str = "deck.pptx") -> dict[str, Any]:
    return (await _store(api, b"0123456789", name)).json()


@pytest.mark.parametrize(
    ("asked", "answered", "said"),
    [
        ("bytes=0-3", b"0123", "bytes 0-3/10"),
        ("bytes=4-", b"456789", "bytes 4-9/10"),
        ("bytes=-3", b"789", "bytes 7-9/10"),
        ("bytes=8-99", b"89", "bytes 8-9/10"),
        ("bytes=-99", b"0123456789", "bytes 0-9/10"),
        ("BYTES = 9-9", b"9", "bytes 9-9/10"),
    ],
)
async def test_a_download_goes_on_where_it_broke_off(api: Api, asked: str, answered: bytes, said: str) -> None:
    content = await _of_ten_bytes(api)
    address = f"v3/present/contents/{content['contentId']}"
    for answer in (
        await api.http.get(content["downloadUrl"], headers={"Range": asked}),
        await api.get(address, headers={"Range": asked}),
    ):
        assert (answer.status_code, answer.content) == (206, answered)
        assert (answer.headers["Content-Range"], answer.headers["Content-Length"]) == (said, str(len(answered)))


@pytest.mark.parametrize("asked", ["bytes=0-1,4-5", "lines=0-3", "bytes=5-2", "bytes=-", "bytes=a-b", ""])
async def test_what_is_no_single_range_gets_the_whole_file(api: Api, asked: str) -> None:
    content = await _of_ten_bytes(api)
    answer = await api.http.get(content["downloadUrl"], headers={"Range": asked})
    assert (answer.status_code, answer.content, answer.headers["Accept-Ranges"]) == (200, b"0123456789", "bytes")


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=99-100", "bytes=-0"])
async def test_a_range_past_the_end_is_refused(api: Api, asked: str) -> None:
    content = await _of_ten_bytes(api)
    answer = await api.http.get(content["downloadUrl"], headers={"Range": asked})
    assert (answer.status_code, answer.json()["code"]) == (416, "range_not_satisfiable")
    assert answer.headers["Content-Range"] == "bytes */10"


async def test_a_range_is_of_the_file_that_the_caller_began_to_read(api: Api) -> None:
    content = await _of_ten_bytes(api)
    tag = (await api.http.get(content["downloadUrl"])).headers["ETag"]
    for if_range, status in ((tag, 206), ('"another"', 200)):
        answer = await api.http.get(content["downloadUrl"], headers={"Range": "bytes=0-3", "If-Range": if_range})
        assert answer.status_code == status


async def test_a_file_that_the_caller_has_is_not_sent_again(api: Api) -> None:
    content = await _of_ten_bytes(api)
    for address in (content["downloadUrl"], content["slideLocation"]):
        answer = await api.http.get(address, headers=api.headers)
        assert answer.headers["Cache-Control"] == "private, no-cache"
        for known in (answer.headers["ETag"], "*"):
            again = await api.http.get(address, headers=api.headers | {"If-None-Match": known, "Range": "bytes=0-3"})
            assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        ("a.pdf", "application/pdf"),
        ("a.html", "text/html"),
        ("a.unheardof", "application/octet-stream"),
    ],
)
async def test_a_file_has_its_own_type_by_either_address(api: Api, name: str, media_type: str) -> None:
    content = await _of_ten_bytes(api, name)
    by_id = await api.get(f"v3/present/contents/{content['contentId']}")
    for answer in (by_id, await api.http.get(content["downloadUrl"])):
        assert (answer.headers["Content-Type"], content["contentType"]) == (media_type, media_type)
        assert answer.headers["Content-Disposition"].startswith("attachment;")
