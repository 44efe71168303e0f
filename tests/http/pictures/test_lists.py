"""Pictures of slides: their list, one slide's four answers, their size (docs/api/pdfs.md#pictures)."""

import io
from urllib.parse import quote

import pytest
from PIL import Image

from support.factories import BASE_URL, Api
from support.renderers import BlankPages
from support.slide_pictures import BROWSER, make_template, size_of, upload

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
        assert answer.headers["Vary"] == "Accept, Accept-Encoding"
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
