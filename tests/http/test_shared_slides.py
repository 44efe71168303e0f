"""Slides of other templates in a template's decks: where they come from, which revision, what is refused.

The rules: docs/api/decks.md#shared-slides.
"""

import io
from typing import Any

import pytest
from pptx import Presentation

from support.factories import Api


def _template(*slides: tuple[str, str]) -> bytes:
    """Make a template of slides with these titles, and alternative texts of the titles."""
    presentation: Any = Presentation()
    for title, description in slides:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title
        slide.shapes.title.element.nvSpPr.cNvPr.set("descr", description)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


async def _upload(api: Api, name: str, *slides: tuple[str, str]) -> Any:
    parts: dict[str, Any] = {"file": ("t.pptx", _template(*slides)), "name": (None, name)}
    answer = await api.request("POST", "v3/present/templates", files=parts)
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()


async def _upload_both(api: Api) -> None:
    await _upload(api, "Fælles", ("Disclaimer for {{customer}}", ""), ("Terms", ""))
    await _upload(api, "Main", ("Cover", ""), ("Last", '{{slide:Disclaimer for from="Fælles"}}'))


def _titles(content: bytes) -> list[str]:
    presentation: Any = Presentation(io.BytesIO(content))
    return [slide.shapes.title.text for slide in presentation.slides]


async def _build(api: Api, *slides: dict[str, Any], version: str = "v3", template: str = "Main") -> Any:
    return await api.post(f"{version}/present/slides", {"template": template, "slides": list(slides)})


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_deck_has_the_slide_of_the_other_template_and_says_which_revision(version: str, api: Api) -> None:
    await _upload_both(api)
    last = {"slideId": "Last", "data": {"customer": "Ann"}}
    answer = await _build(api, last, version=version)
    assert _titles(answer.content) == ["Disclaimer for Ann"]
    assert answer.headers["Deck-Templates"] == "Main=1, F%C3%A6lles=1"
    await _upload(api, "Fælles", ("Disclaimer for {{customer}}", ""), ("Disclaimer for", ""))
    answer = await _build(api, last, version=version)
    assert answer.headers["Deck-Templates"] == "Main=1, F%C3%A6lles=2"


async def test_a_template_wants_the_data_of_the_slides_that_stand_in_it_as_they_are_now(api: Api) -> None:
    await _upload_both(api)
    first = await api.get("v3/present/templates/Main")
    assert [tag["name"] for tag in first.json()["tags"]] == ["customer"]
    assert first.json()["sharedFrom"] == [{"name": "Fælles", "revision": 1}]
    await _upload(api, "Fælles", ("Disclaimer for {{firm}}", ""))
    known = await api.get("v3/present/templates/Main", headers={"If-None-Match": first.headers["ETag"]})
    assert known.status_code == 200
    assert list(known.json()["example"]) == ["firm"]
    stale = await api.request("DELETE", "v3/present/templates/Main", headers={"If-Match": first.headers["ETag"]})
    assert stale.status_code == 412
    gone = await api.request("DELETE", "v3/present/templates/Main", headers={"If-Match": known.headers["ETag"]})
    assert gone.status_code == 200


async def test_an_entry_of_a_request_names_another_template(api: Api) -> None:
    await _upload_both(api)
    entries = [{"slideId": "Terms", "template": "Fælles"}, {"slideId": "Cover", "template": "Main"}]
    answer = await _build(api, *entries)
    assert _titles(answer.content) == ["Terms", "Cover"]
    answer = await _build(api, {"slideId": "Slide 2", "template": "Fælles", "theme": "keep"}, entries[1])
    assert _titles(answer.content) == ["Terms", "Cover"]
    assert answer.headers["Deck-Templates"] == "Main=1, F%C3%A6lles=1"


async def test_what_an_entry_names_and_is_not_there_is_refused_with_its_place(api: Api) -> None:
    await _upload_both(api)
    answer = await _build(api, {"slideId": "Cover"}, {"slideId": "Terms", "template": "Common"})
    assert (answer.status_code, answer.json()["code"]) == (404, "template_not_found")
    assert answer.json()["errors"][0]["pointer"] == "/slides/1/template"
    answer = await _build(api, {"slideId": "Cover"}, {"slideId": "Term", "template": "Fælles"})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_slide")
    assert answer.json()["errors"][0]["pointer"] == "/slides/1/slideId"
    assert "'Terms'" in answer.json()["detail"]


async def test_a_template_may_come_before_the_one_that_it_refers_to(api: Api) -> None:
    uploaded = await _upload(api, "Main", ("Cover", ""), ("Last", '{{slide:Terms from="Later"}}'))
    assert [(one["details"]["code"], one["location"]) for one in uploaded["findings"]] == [
        ("shared-slide-missing", "Last")
    ]
    refused = await _build(api, {"slideId": "Cover"}, {"slideId": "Last"})
    assert (refused.status_code, refused.json()["code"]) == (400, "shared_slide_missing")
    assert refused.json()["errors"][0]["pointer"] == "/slides/1/slideId"
    assert "slide 'Terms' of the template 'Later'" in refused.json()["detail"]
    assert _titles((await _build(api, {"slideId": "Cover"})).content) == ["Cover"]
    whole = await api.post("v3/present/slides/generate", {"template": "Main"})
    assert (whole.status_code, whole.json()["errors"][0]["pointer"]) == (400, "/template")
    await _upload(api, "Later", ("Terms", ""))
    assert (await api.get("v3/present/templates/Main")).json()["findings"] == []
    whole = await api.post("v3/present/slides/generate", {"template": "Main"})
    assert whole.json()["templates"] == [{"name": "Main", "revision": 1}, {"name": "Later", "revision": 1}]


async def test_validation_looks_for_the_slides_of_other_templates(api: Api) -> None:
    await _upload(api, "Fælles", ("Terms", ""))
    file = _template(("A", '{{slide:Terms from="Fælles"}}'), ("B", '{{slide:Trems from="Fælles"}}'))
    answer = await api.request("POST", "v3/present/templates/validation", files={"file": ("t.pptx", file)})
    assert [(one["type"], one["location"]) for one in answer.json()] == [("Warning", "B")]


async def test_a_firm_sees_no_slides_of_another_firms_templates(api: Api) -> None:
    await _upload_both(api)
    other = await api.other()
    uploaded = await _upload(other, "Main", ("Last", '{{slide:Terms from="Fælles"}}'))
    assert [one["details"]["code"] for one in uploaded["findings"]] == ["shared-slide-missing"]
    assert (await _build(other, {"slideId": "Terms", "template": "Fælles"})).status_code == 404
