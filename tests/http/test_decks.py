"""Decks and PDFs (contract, document 1, POST /slides and /slides/pdf).

The rules: docs/api/decks.md#generated-decks, #missing-values, docs/api/pdfs.md.
"""

import io
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from pptx import Presentation
from pptx.enum.text import MSO_AUTO_SIZE

from meetdeck.demo.seed import SAMPLE_DATA_FILE, TEMPLATE_FILE
from meetdeck.platform.database import Database
from support.factories import Api
from support.statements import logged_statements

DATA: dict[str, Any] = msgspec.json.decode(SAMPLE_DATA_FILE.read_bytes())


def open_deck(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].startswith(
        "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    )
    return Presentation(io.BytesIO(answer.content))


def texts_of(slide: Any) -> Iterator[str]:
    for shape in slide.shapes:
        if shape.has_text_frame:
            yield shape.text_frame.text


def texts(answer: httpx.Response) -> list[str]:
    """Return what each slide of the deck says."""
    return ["\n".join(texts_of(slide)) for slide in open_deck(answer).slides]


async def build(api: Api, *slides: tuple[str, dict[str, Any]], query: str = "", **body: Any) -> httpx.Response:
    entries = [{"slideId": name, "data": data} for name, data in slides]
    return await api.post(f"v3/present/slides{query}", {"template": "Annual review", "slides": entries} | body)


async def upload_split_tags(api: Api) -> None:
    """Upload a template whose tag PowerPoint has split over runs, each formatted its own way."""
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "Greeting"
    paragraph = slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame.paragraphs[0]
    for piece in ("Dear {", "{cust", "omer.na", "me}", "}, welcome"):
        run = paragraph.add_run()
        run.text = piece
        run.font.bold = piece == "{cust"
    out = io.BytesIO()
    presentation.save(out)
    parts: dict[str, Any] = {"file": ("split.pptx", out.getvalue()), "name": (None, "Split")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201


async def upload_conditional(api: Api) -> None:
    """Upload a template of two slides, of which data may leave both out."""
    presentation: Any = Presentation()
    for title, condition in (("Premium", "{{if:premium}}"), ("Goals", "{{each:goals}}")):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title
        slide.shapes.title.element.nvSpPr.cNvPr.set("descr", condition)
    out = io.BytesIO()
    presentation.save(out)
    parts: dict[str, Any] = {"file": ("conditional.pptx", out.getvalue()), "name": (None, "Conditional")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201


# ------------------------------------------------------------------------------------------------------------- decks


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_slides_are_picked_repeated_and_reordered(version: str, api: Api) -> None:
    names = [f"Customer {number}" for number in range(3)]
    slides = [{"slideId": "Next steps", "data": DATA}] + [
        {"slideId": "Cover", "data": DATA | {"customer": {"name": name, "firstName": name}}} for name in names
    ]
    answer = await api.post(f"{version}/present/slides", {"template": "Annual review", "slides": slides})
    found = texts(answer)
    assert len(found) == 4
    assert [name in text for name, text in zip(names, found[1:], strict=True)] == [True] * 3
    assert names[0] not in found[0]
    assert "{{" not in "".join(found)
    assert answer.headers["Deck-Findings"] == "0"
    assert 'filename="Annual review.pptx"' in answer.headers["Content-Disposition"]


async def test_a_deck_of_no_slides_is_refused_with_what_left_them_out(api: Api) -> None:
    await upload_conditional(api)
    slides: list[dict[str, Any]] = [
        {"slideId": "Goals", "data": {"goals": []}},
        {"slideId": "Premium", "data": {}},
    ]
    body, none = dict[str, Any](template="Conditional"), dict[str, Any](goals=[])
    answers = {
        "/slides/0/data/goals /slides/1/data/premium": await api.post("v3/present/slides", body | {"slides": slides}),
        "/data/premium /data/goals": await api.post("v2/present/slides/generate", body | {"data": none}),
    }
    for pointers, answer in answers.items():
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (400, "invalid_data")
        assert problem["detail"].startswith("The deck would have no slides.")
        assert "On slide 'Premium', {{if:premium}} leaves it out" in problem["detail"]
        assert [error["pointer"] for error in problem["errors"]] == pointers.split()
    kept = await api.post(
        "v3/present/slides", body | {"slides": [*slides, {"slideId": "Goals", "data": {"goals": [1]}}]}
    )
    assert texts(kept) == ["Goals"]


async def test_the_whole_template_is_filled_with_the_sample_data(api: Api) -> None:
    template = (await api.get("v3/present/templates/Annual review")).json()
    names = [slide for section in template["sections"] for slide in section["slides"]]
    answer = await build(api, *((name, DATA) for name in names), query="?missing=error")
    assert len(texts(answer)) == len(names) + len(DATA["goals"]) - 1  # one slide repeats for each goal
    assert "Freja Søndergaard" in texts(answer)[0]


async def test_a_tag_split_over_runs_is_filled(api: Api) -> None:
    await upload_split_tags(api)
    answer = await build(api, ("Greeting", {"customer": {"name": "Søren & Co. <A/S>"}}), template="Split")
    assert texts(answer) == ["Dear Søren & Co. <A/S>, welcome"]


async def test_a_slide_is_known_by_its_number_too(api: Api) -> None:
    by_name, by_number = [texts(await build(api, (name, DATA))) for name in ("Agenda", "Slide 2")]
    assert by_name == by_number


async def test_a_deck_has_one_slide_at_least(api: Api) -> None:
    answer = await build(api)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_data")
    assert answer.json()["detail"] == "Request at least one slide."


async def test_the_same_request_gives_the_same_bytes(api: Api) -> None:
    first, second = [(await build(api, ("Cover", DATA), ("Contact", DATA))).content for _ in range(2)]
    assert first == second


async def test_tags_without_a_value_are_empty_and_counted(api: Api) -> None:
    await upload_split_tags(api)
    answer = await build(api, ("Greeting", {}), ("Greeting", {}), template="Split")
    assert texts(answer) == ["Dear , welcome"] * 2
    assert int(answer.headers["Deck-Findings"]) > 0


async def test_tags_without_a_value_are_400_when_asked_so(api: Api) -> None:
    await upload_split_tags(api)
    answer = await build(api, ("Greeting", {}), template="Split", query="?missing=error")
    assert (answer.status_code, answer.json()["code"]) == (400, "missing_values")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/slides/0/data/customer/name"]
    assert "Greeting" in answer.text


async def test_missing_is_read_in_any_case(api: Api) -> None:
    answer = await build(api, ("Cover", {}), query="?missing=ERROR")
    assert (answer.status_code, answer.json()["code"]) == (400, "missing_values")


async def test_missing_takes_two_words(api: Api) -> None:
    answer = await build(api, ("Cover", DATA), query="?missing=ignore")
    assert answer.status_code == 400
    assert "empty, error" in answer.json()["detail"]


async def test_a_slide_that_is_none_is_400_with_the_nearest_names(api: Api) -> None:
    answer = await build(api, ("Cover", DATA), ("Portfolo", DATA))
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_slide")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/slides/1/slideId"]
    assert "'Portfolio'" in answer.json()["detail"]


async def test_a_template_that_is_none_is_404(api: Api) -> None:
    answer = await build(api, ("Cover", DATA), template="Anual review")
    assert (answer.status_code, answer.json()["code"]) == (404, "template_not_found")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/template"]


async def test_data_that_cannot_be_filled_in_is_400_and_says_where(api: Api) -> None:
    answer = await build(api, ("Cover", DATA), ("Cover", DATA | {"customer": {"name": {"first": "Freja"}}}))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_data")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/slides/1/data/customer/name"]


async def test_a_new_revision_is_used_at_once(api: Api) -> None:
    await build(api, ("Cover", DATA))
    parts: dict[str, Any] = {"file": ("x.pptx", _one_slide("New")), "name": (None, "Annual review")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 200
    assert texts(await build(api, ("Slide 1", DATA))) == ["New"]


def _one_slide(text: str) -> bytes:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame.text = text
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


# --------------------------------------------------------------------------------------------------------------- PDF


async def test_without_libreoffice_a_pdf_is_503_and_says_what_to_install(api: Api) -> None:
    uri = (await api.get("v3/present/templates/Annual review")).json()["uri"]
    parts: dict[str, Any] = {"file": ("deck.pptx", TEMPLATE_FILE.read_bytes())}
    for answer in (
        await api.post("v3/present/slides/pdf", {"slideLocation": uri}),
        await api.post("v2/present/slides/pdf", {"slideLocation": "/api/v2/present/templates/Annual%20review"}),
        await api.request("POST", "v3/present/slides/pdf", files=parts),
        await api.request("POST", "v3/present/slides/pdf", files=parts | {"options": (None, '{"handoutMode": true}')}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "renderer_unavailable")
        assert "apt-get install" in answer.json()["detail"]
        assert "libreoffice-impress" in answer.json()["detail"]


ELSEWHERE = [
    "https://evil.example/deck.pptx",
    "https://evil.example/api/v3/present/templates/Annual%20review",
    "//evil.example/api/v3/present/templates/Annual%20review",
    "http://meetdeck.test:81/api/v3/present/templates/Annual%20review",
    "ftp://meetdeck.test/api/v3/present/templates/Annual%20review",
    "file:///etc/passwd",
    "file:///api/v3/present/templates/Annual%20review",
    "/etc/present/templates/x",
    "http://[",
    "",
    "Annual review",
]


async def test_nothing_is_fetched_from_outside(api: Api) -> None:
    for location in ELSEWHERE:
        answer = await api.post("v3/present/slides/pdf", {"slideLocation": location})
        assert answer.status_code == 400, answer.text
        assert [error["pointer"] for error in answer.json()["errors"]] == ["/slideLocation"]


async def test_a_template_that_is_none_has_no_pdf(api: Api) -> None:
    for name in ("Unknown", "a%00b"):
        location = f"http://meetdeck.test/api/v3/present/templates/{name}"
        answer = await api.post("v3/present/slides/pdf", {"slideLocation": location})
        assert answer.status_code in {404, 400}, answer.text
        assert answer.json()["code"] in {"template_not_found", "unstorable_text"}
        assert [error["pointer"] for error in answer.json().get("errors", [])] in (["/slideLocation"], [])


async def test_options_that_are_none_are_400(api: Api) -> None:
    for field, value, pointer in (
        ("options", "{", "/options"),
        ("options", "[]", "/options"),
        ("options", '{"handoutMode": "perhaps"}', "/options/handoutMode"),
        ("handoutMode", "perhaps", "/handoutMode"),
        ("conformance", "pdfua-1,pdfa-9", "/conformance/1"),
        ("slidesPerPage", "5", "/slidesPerPage"),
    ):
        parts: dict[str, Any] = {"file": ("deck.pptx", TEMPLATE_FILE.read_bytes()), field: (None, value)}
        answer = await api.request("POST", "v3/present/slides/pdf", files=parts)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
        assert any(known in answer.text for known in ("true", "pdfa-2b", "9"))


async def test_options_that_are_left_empty_have_their_defaults(api: Api) -> None:
    parts: dict[str, Any] = {"file": ("deck.pptx", TEMPLATE_FILE.read_bytes())}
    parts |= {"options": (None, ""), "handoutMode": (None, ""), "notesPages": (None, "")}
    answer = await api.request("POST", "v3/present/slides/pdf", files=parts)
    assert answer.json()["code"] == "renderer_unavailable"  # nothing else is wrong


async def test_a_pdf_without_a_file_is_400(api: Api) -> None:
    answer = await api.request("POST", "v3/present/slides/pdf", files={"handoutMode": (None, "true")})
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/file"]


async def test_text_that_does_not_fit_is_a_finding_of_both_ways_to_build(api: Api) -> None:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "Advice"
    box = slide.shapes.add_textbox(914400, 914400, 1828800, 457200)
    box.name, box.text_frame.text = "Box", "{{advice}}"
    box.text_frame.word_wrap, box.text_frame.auto_size = True, MSO_AUTO_SIZE.NONE
    out = io.BytesIO()
    presentation.save(out)
    parts: dict[str, Any] = {"file": ("advice.pptx", out.getvalue()), "name": (None, "Advice")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    for text, found in (("Save", []), ("Save a little more every month. " * 9, [("overflow", "Box")])):
        data = {"advice": text}
        answer = await build(api, ("Advice", data), template="Advice")
        assert answer.headers["Deck-Findings"] == str(len(found))
        generated = await api.post("v3/present/slides/generate", {"template": "Advice", "data": data})
        findings = generated.json()["findings"]
        assert [(finding["details"]["code"], finding["details"]["shape"]) for finding in findings] == found


async def test_a_shape_that_grows_over_another_is_a_finding_of_both_ways_to_build(api: Api) -> None:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "Advice"
    for name, text, top in (("Box", "{{advice}}", 914400), ("Note", "Important", 1828800)):
        box = slide.shapes.add_textbox(914400, top, 1828800, 369332)
        box.name, box.text_frame.text = name, text
    out = io.BytesIO()
    presentation.save(out)
    parts: dict[str, Any] = {"file": ("advice.pptx", out.getvalue()), "name": (None, "Advice")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    for text, found in (("Save", []), ("Save\n" * 4 + "more", [("covers", "Box", "Note")])):
        answer = await build(api, ("Advice", {"advice": text}), template="Advice")
        assert answer.headers["Deck-Findings"] == str(len(found))
        generated = await api.post("v3/present/slides/generate", {"template": "Advice", "data": {"advice": text}})
        details = [finding["details"] for finding in generated.json()["findings"]]
        assert [(one["code"], one["shape"], one["other"]) for one in details] == found


async def test_building_a_deck_reads_its_template_in_one_statement(api: Api, database: Database) -> None:
    assert (await build(api, ("Cover", DATA))).status_code == 200  # the caller is known, the template compiled
    with logged_statements(database) as statements:
        assert (await build(api, ("Cover", DATA))).status_code == 200
    assert len(statements) == 1, statements
    assert "label" not in statements[0]
