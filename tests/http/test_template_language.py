"""The template language, seen by an integrator over HTTP (docs/templates.md)."""

import io
from typing import Any

import httpx
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api


async def _upload(api: Api, *paragraphs: str, chart: bool = False) -> httpx.Response:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "Page"
    frame = slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame
    for number, text in enumerate(paragraphs):
        (frame.paragraphs[0] if number == 0 else frame.add_paragraph()).text = text
    if chart:
        data: Any = CategoryChartData()
        data.categories = ["a"]
        data.add_series("s", (1,))
        shape = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 914400, 914400, data)
        shape.element.xpath("p:nvGraphicFramePr/p:cNvPr")[0].set("descr", "{{chart:sales}}")
    out = io.BytesIO()
    presentation.save(out)
    parts: dict[str, Any] = {"file": ("page.pptx", out.getvalue()), "name": (None, "Page")}
    return await api.request("POST", "v3/present/templates", files=parts)


async def _build(api: Api, data: dict[str, Any]) -> httpx.Response:
    return await api.post("v3/present/slides", {"template": "Page", "slides": [{"slideId": "Page", "data": data}]})


def _shapes(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return Presentation(io.BytesIO(answer.content)).slides[0].shapes


async def test_a_block_repeats_for_the_items_that_were_sent(api: Api) -> None:
    assert (await _upload(api, "{{#goals}}{{@number}}. {{name}}{{/goals}}")).status_code == 201
    answer = await _build(api, {"goals": [{"name": "A house"}, {"name": "A boat"}]})
    assert _shapes(answer)[0].text_frame.text == "1. A house\n2. A boat"


async def test_a_chart_shows_the_data_that_was_sent(api: Api) -> None:
    assert (await _upload(api, "x", chart=True)).status_code == 201
    answer = await _build(api, {"sales": [["", "2025", "2026"], ["East", 1, 2], ["West", 3, 4]]})
    (plot,) = _shapes(answer)[1].chart.plots
    assert list(plot.categories) == ["East", "West"]
    assert [(series.name, tuple(series.values)) for series in plot.series] == [
        ("2025", (1.0, 3.0)),
        ("2026", (2.0, 4.0)),
    ]


async def test_a_chart_whose_rows_disagree_is_refused_with_the_place_in_the_data(api: Api) -> None:
    assert (await _upload(api, "x", chart=True)).status_code == 201
    sales = {"categories": ["East", "West"], "series": [{"name": "2025", "values": [1, 2, 3]}]}
    answer = await _build(api, {"sales": sales})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_data")
    (error,) = answer.json()["errors"]
    assert error["pointer"].startswith("/slides/0/data/sales/series/0")


async def test_a_template_with_crossed_blocks_is_refused_and_says_where(api: Api) -> None:
    answer = await _upload(api, "{{#a}}{{#b}}{{/a}}{{/b}}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_template")
    assert "(slide 'Page')" in answer.json()["errors"][0]["detail"]


async def test_numbers_are_written_in_the_tenants_language_unless_the_data_says_otherwise(
    api: Api, database: Database
) -> None:
    assert (await _upload(api, "{{amount | number:2}}")).status_code == 201
    assert _shapes(await _build(api, {"amount": 1234.5}))[0].text_frame.text == "1,234.50"
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update tenant set locale = 'da-DK'")
    assert _shapes(await _build(api, {"amount": 1234.5}))[0].text_frame.text == "1.234,50"
    assert _shapes(await _build(api, {"amount": 1234.5, "$locale": "en"}))[0].text_frame.text == "1,234.50"


async def test_tags_in_square_brackets_are_listed_and_filled_like_others(api: Api) -> None:
    answer = await _upload(api, "Dear [tag:customer.name:uppercase], see [1] and {{year}}")
    assert answer.status_code == 201
    template = answer.json()
    assert [(tag["name"], tag["type"]) for tag in template["tags"]] == [("customer.name", "text"), ("year", "text")]
    (place,) = template["tags"][0]["occurrences"]
    assert (place["slide"], place["part"], place["paragraph"]) == ("Page", "slide", 1)
    assert set(template["example"]) == {"customer", "year"}
    assert {one["type"] for one in template["findings"]} <= {"Info"}

    (shape,) = _shapes(await _build(api, {"customer": {"name": "Ada"}, "year": 2026}))
    assert shape.text_frame.text == "Dear ADA, see [1] and 2026"


async def test_a_modifier_that_does_not_exist_refuses_the_upload_and_names_the_nearest(api: Api) -> None:
    answer = await _upload(api, "Dear [tag:name:Uppercase]")
    assert answer.status_code == 400
    (fault,) = answer.json()["errors"]
    assert "did you mean 'uppercase'?" in fault["detail"]
