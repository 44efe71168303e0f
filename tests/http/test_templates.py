"""Templates: upload, list, read (contract, document 1; docs/api/templates.md#templates, #revisions)."""

import io
from typing import Any
from urllib.parse import quote
from uuid import UUID

import httpx
import pytest
from pptx import Presentation

from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import TEMPLATE_FILE
from support.factories import Api
from support.fakes import HandClock
from support.package_checker.samples import PRESENTATION, edit_parts, one_of_everything

CONTRACTS_FIELDS = {"uri", "name", "customerType", "tenantId", "ownerId"}


def make_template(text: str = "Hello {{customer.name}}") -> bytes:
    """Make a file of one slide that says `text`."""
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame.text = text
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


async def upload(
    api: Api, content: bytes, *, name: str = "Welcome", category: str = "Private", version: str = "v3"
) -> httpx.Response:
    parts: dict[str, Any] = {
        "file": ("welcome.pptx", content),
        "name": (None, name),
        "category": (None, category),
    }
    return await api.request("POST", f"{version}/present/templates", files=parts)


async def test_v2_lists_templates_with_exactly_the_contracts_fields(api: Api) -> None:
    (template,) = (await api.get("v2/present/templates")).json()
    assert set(template) == CONTRACTS_FIELDS
    assert template["name"] == "Annual review"
    assert template["customerType"] == "Private"
    assert template["tenantId"] == str(NORDLYS.tenant_id)
    assert UUID(template["ownerId"])
    assert template["uri"] == "http://meetdeck.test/api/v2/present/templates/Annual%20review"


async def test_v3_adds_what_only_v3_has(api: Api) -> None:
    (v3,), (v2,) = [(await api.get(f"{version}/present/templates")).json() for version in ("v3", "v2")]
    assert set(v3) == CONTRACTS_FIELDS | {"id", "labels", "revision", "updatedAt"}
    assert (v3["revision"], v3["updatedAt"]) == (1, "2026-03-02T06:00:00Z")
    assert {name: v3[name] for name in CONTRACTS_FIELDS} == v2 | {"uri": v2["uri"].replace("v2", "v3")}


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_template_is_read_with_its_tags_and_sections(version: str, api: Api) -> None:
    template = (await api.get(f"{version}/present/templates/Annual review")).json()
    added = (
        {"id", "labels", "revision", "updatedAt", "example", "dataSchema", "findings", "sharedFrom"}
        if version == "v3"
        else set[str]()
    )
    assert set(template) == CONTRACTS_FIELDS | {"tags", "sections"} | added
    assert ("customer.name", "The customer's full name") in {
        (tag["name"], tag["description"]) for tag in template["tags"]
    }
    subsection = {"section": "Opening", "subsection": None} if version == "v3" else {}
    assert template["sections"][0] == {"name": "Opening", "slides": ["Cover", "Agenda"]} | subsection
    assert (await api.http.get(template["uri"], headers=api.headers)).json() == template


async def test_a_template_without_sections_tells_the_names_of_its_slides(api: Api) -> None:
    sections = (await upload(api, make_template())).json()["sections"]
    assert sections == [{"name": "", "slides": ["Slide 1"], "section": "", "subsection": None}]


async def test_v3_tells_sections_and_subsections_apart_and_v2_keeps_the_flat_name(api: Api) -> None:
    template = edit_parts(
        one_of_everything(), {PRESENTATION: lambda xml: xml.replace('name="First"', 'name="Plan -- Goals -- Detail"')}
    )
    sections = (await upload(api, template)).json()["sections"]
    assert sections[0] == {
        "name": "Plan -- Goals -- Detail",
        "slides": ["Welcome"],
        "section": "Plan",
        "subsection": "Goals -- Detail",
    }
    (v2, *_) = (await api.get("v2/present/templates/Welcome")).json()["sections"]
    assert v2 == {"name": "Plan -- Goals -- Detail", "slides": ["Welcome"]}


async def test_a_name_that_is_none_is_answered_with_the_nearest(api: Api) -> None:
    answer = await api.get("v3/present/templates/Anual revew")
    assert (answer.status_code, answer.json()["code"]) == (404, "template_not_found")
    assert "'Annual review'" in answer.json()["detail"]


# ------------------------------------------------------------------------------------------------------------ upload


async def test_a_new_name_is_201_and_the_same_name_again_is_the_next_revision(api: Api, clock: HandClock) -> None:
    first = await upload(api, make_template())
    assert first.status_code == 201
    assert first.headers["Location"] == first.json()["uri"]
    assert (first.json()["revision"], first.json()["customerType"]) == (1, "Private")
    assert [tag["name"] for tag in first.json()["tags"]] == ["customer.name"]
    clock.advance(minutes=1)
    second = await upload(api, make_template("{{advisor.name}}"), category="Business")
    assert second.status_code == 200
    assert second.headers["Location"] == first.headers["Location"]
    assert (second.json()["revision"], second.json()["customerType"]) == (2, "Business")
    assert second.json()["updatedAt"] == "2026-03-02T06:01:00Z"
    assert second.json()["id"] == first.json()["id"]
    assert [tag["name"] for tag in second.json()["tags"]] == ["advisor.name"]
    assert (await api.get("v3/present/templates/Welcome")).json() == second.json()
    assert [one["name"] for one in (await api.get("v3/present/templates")).json()] == ["Annual review", "Welcome"]


async def test_v2_uploads_too(api: Api) -> None:
    answer = await upload(api, make_template(), version="v2")
    assert answer.status_code == 201
    assert set(answer.json()) == CONTRACTS_FIELDS | {"tags", "sections"}


GOOD_NAMES = [
    "Årsmøde på Ærø",
    'The "big" one; 50% off',
    "Q1 & Q2 #1?",
    "Q1/Q2 100%2F",
    "税",
    "a+b c",
    "...",
    "x" * 200,
]


async def test_any_name_leads_back_to_its_template(api: Api) -> None:
    for name in GOOD_NAMES:
        location = (await upload(api, make_template(), name=name)).headers["Location"]
        found = await api.http.get(location, headers=api.headers)
        assert (found.status_code, found.json()["name"]) == (200, name)
        deck = await api.post("v3/present/slides", {"template": name, "slides": [{"slideId": "Slide 1"}]})
        assert quote(name, safe="") in deck.headers["Content-Disposition"]


async def test_a_name_that_no_address_can_have_is_400(api: Api) -> None:
    for name in ["", "   ", "x" * 201, ".", "..", "a\nb", "a\0b", "validation"]:
        answer = await upload(api, make_template(), name=name)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_upload")
        assert [error["pointer"] for error in answer.json()["errors"]] == ["/name"]


async def test_a_file_that_is_no_presentation_is_400_with_what_was_found(api: Api) -> None:
    for content in [b"", b"garbage", b"PK\x03\x04 but no more", make_template()[:5000]]:
        answer = await upload(api, content)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_template")
        assert [error["pointer"] for error in answer.json()["errors"]] == ["/file"]
        assert (await api.get("v3/present/templates/Welcome")).status_code == 404


async def test_a_template_with_a_block_that_is_never_closed_is_400_and_says_where(api: Api) -> None:
    answer = await upload(api, make_template("{{#rows}} and no end"))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_template")
    assert "rows" in answer.text
    assert "Slide 1" in answer.text


async def test_an_upload_that_is_refused_leaves_the_template_as_it_was(api: Api) -> None:
    before = (await api.get("v3/present/templates/Annual review")).json()
    assert (await upload(api, b"garbage", name="Annual review")).status_code == 400
    assert (await api.get("v3/present/templates/Annual review")).json() == before


async def test_parts_that_are_missing_are_named(api: Api) -> None:
    answer = await api.request("POST", "v3/present/templates", files={"category": (None, "Private")})
    assert answer.status_code == 400
    assert {error["pointer"] for error in answer.json()["errors"]} == {"/file", "/name"}


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("templates", {"name": (None, "Welcome")}),
        ("templates/validation", {}),
        ("contents", {}),
    ],
)
async def test_the_only_file_is_taken_whatever_its_part_is_called(
    api: Api, path: str, texts: dict[str, tuple[None, str]]
) -> None:
    for name in ("presentation", "document", "File", "files[]"):
        answer = await api.request("POST", f"v3/present/{path}", files={name: ("a.pptx", make_template())} | texts)
        assert answer.status_code in {200, 201}, answer.text


async def test_of_several_files_the_one_called_file_is_taken(api: Api) -> None:
    name, other, ours = (None, "Welcome"), ("a.txt", b"no template"), ("a.pptx", make_template())
    both = {"attachment": other, "file": ours, "name": name}
    assert (await api.request("POST", "v3/present/templates", files=both)).status_code == 201
    answer = await api.request("POST", "v3/present/templates", files={"one": other, "two": ours, "name": name})
    assert answer.json()["errors"] == [{"pointer": "/file", "detail": "Send one file."}]
    assert "2 files" in answer.json()["detail"]


async def test_the_only_file_is_taken_where_a_text_has_its_name(api: Api) -> None:
    parts = [("file", (None, "a.pptx")), ("upload", ("a.pptx", make_template())), ("name", (None, "Welcome"))]
    answer = await api.request("POST", "v3/present/templates", files=parts)
    assert answer.status_code == 201, answer.text


async def test_a_file_sent_as_text_is_400(api: Api) -> None:
    parts = {"file": (None, "text"), "name": (None, "Welcome")}
    answer = await api.request("POST", "v3/present/templates", files=parts)
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/file"]


async def test_a_text_that_is_sent_as_a_blob_is_read(api: Api) -> None:
    for part in ("file", "presentation"):
        parts = {part: ("welcome.pptx", make_template()), "name": ("blob", "Velkømmen".encode(), "text/plain")}
        answer = await api.request("POST", "v3/present/templates", files=parts)
        assert (answer.is_success, answer.json()["name"]) == (True, "Velkømmen")


async def test_a_text_that_is_a_file_of_something_else_is_400(api: Api) -> None:
    parts = {"file": ("welcome.pptx", make_template()), "name": ("blob", b"\xff\xfe")}
    answer = await api.request("POST", "v3/present/templates", files=parts)
    assert answer.status_code == 400
    assert answer.json()["errors"] == [{"pointer": "/name", "detail": "Send text in UTF-8."}]


async def test_a_part_that_comes_twice_is_400(api: Api) -> None:
    file, name = ("file", ("welcome.pptx", make_template())), ("name", (None, b"Welcome"))
    for parts, twice in (([file, file, name], "/file"), ([file, name, name], "/name")):
        answer = await api.request("POST", "v3/present/templates", files=parts)
        assert answer.status_code == 400
        assert answer.json()["errors"] == [{"pointer": twice, "detail": "Send one."}]


async def test_a_file_without_a_file_name_is_400(api: Api) -> None:
    parts = {"file": (None, make_template()), "name": (None, "Welcome")}
    answer = await api.request("POST", "v3/present/templates", files=parts)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert "file name" in answer.json()["detail"]


async def test_any_other_media_type_is_415(api: Api) -> None:
    for content_type in ("application/octet-stream", "application/x-www-form-urlencoded", "text/plain"):
        answer = await api.request("POST", "v3/present/templates", content=b"x", headers={"Content-Type": content_type})
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type"), content_type


# ---------------------------------------------------------------------------------------------------- other tenants


async def test_another_tenant_sees_none_of_it_and_has_names_of_its_own(api: Api) -> None:
    other = await api.other()
    await upload(api, make_template())
    assert [one["name"] for one in (await other.get("v3/present/templates")).json()] == ["Annual review"]
    assert (await other.get("v3/present/templates/Welcome")).status_code == 404
    assert (await other.post("v3/present/slides", {"template": "Welcome", "slides": []})).status_code == 404
    assert "Welcome" not in (await other.get("v3/present/templates/Welcom")).text.replace("'Welcom'", "")
    assert (await upload(other, TEMPLATE_FILE.read_bytes())).status_code == 201
    assert (await api.get("v3/present/templates/Welcome")).json()["revision"] == 1


async def test_validation_tells_everything_at_once_and_stores_nothing(api: Api) -> None:
    for version in ("v2", "v3"):
        parts: dict[str, Any] = {"file": ("broken.pptx", make_template("{{#a}} {{name | uper}} {customer.name}}"))}
        answer = await api.request("POST", f"{version}/present/templates/validation", files=parts)
        assert answer.status_code == 200, answer.text
        findings = answer.json()
        assert [(one["type"], one["details"]["code"]) for one in findings] == [
            ("Error", "bad-filter"),
            ("Error", "unclosed-block"),
            ("Warning", "near-miss-tag"),
            ("Info", "no-title"),
        ]
        assert all(set(one) == {"type", "message", "location", "details"} for one in findings)
        assert {one["location"] for one in findings} == {"Slide 1"}
    assert len((await api.get("v3/present/templates")).json()) == 1


async def test_warnings_are_kept_with_the_template_and_v3_shows_them(api: Api) -> None:
    uploaded = (await upload(api, make_template("Hello {customer.name}}"))).json()
    findings = {(one["type"], one["details"]["code"]) for one in uploaded["findings"]}
    assert findings == {("Warning", "near-miss-tag"), ("Info", "no-title")}
    assert (await api.get("v3/present/templates/Welcome")).json() == uploaded
    assert "findings" not in (await api.get("v2/present/templates/Welcome")).json()


async def test_what_is_no_presentation_is_one_finding(api: Api) -> None:
    parts: dict[str, Any] = {"file": ("x.pptx", b"no zip")}
    answer = await api.request("POST", "v3/present/templates/validation", files=parts)
    (finding,) = answer.json()
    assert (finding["type"], finding["details"]["code"]) == ("Error", "not-a-zip")


async def test_a_deleted_template_is_gone_and_its_name_is_free(api: Api) -> None:
    assert (await upload(api, make_template(), name="Old/æ 1.0")).status_code == 201
    address = f"v3/present/templates/{quote('Old/æ 1.0', safe='')}"
    other = await api.other()
    assert (await other.request("DELETE", address)).status_code == 404
    deleted = await api.request("DELETE", address)
    assert (deleted.status_code, deleted.content) == (200, b"")
    assert (await api.get(address)).status_code == 404
    missing = await api.request("DELETE", address)
    assert (missing.status_code, missing.json()["code"]) == (404, "template_not_found")
    assert (await upload(api, make_template(), name="Old/æ 1.0")).status_code == 201


async def test_v3_tells_what_data_a_template_wants(api: Api) -> None:
    text = "{{customer.name}} {{#goals}}{{title}}, {{/goals}}"
    created = (await upload(api, make_template(text))).json()
    assert [(tag["name"], tag["type"]) for tag in created["tags"]] == [
        ("customer.name", "text"),
        ("goals", "list"),
        ("goals[].title", "text"),
    ]
    place = {"slide": "Slide 1", "shape": "TextBox 1", "part": "slide", "paragraph": 1}
    assert created["tags"][0]["occurrences"] == [place]
    assert created["dataSchema"]["properties"]["goals"]["items"]["properties"].keys() == {"title"}
    body = {"template": "Welcome", "slides": [{"slideId": "Slide 1", "data": created["example"]}]}
    assert (await api.post("v3/present/slides?missing=error", body)).status_code == 200


async def test_v2_shows_tags_with_exactly_the_contracts_fields(api: Api) -> None:
    created = (await upload(api, make_template(), version="v2")).json()
    assert set(created) == CONTRACTS_FIELDS | {"tags", "sections"}
    assert created["tags"] == [{"name": "customer.name", "description": ""}]
