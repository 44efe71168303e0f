"""Pictures of slides: what a browser gets at their addresses, and for how long (docs/api/pdfs.md#pictures)."""

import io
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

from PIL import Image

from support.factories import Api
from support.fakes import HandClock
from support.renderers import BlankPages
from support.slide_pictures import BROWSER, address_of, make_template, size_of, upload


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
