"""Decks of picked, repeated, reordered and dropped slides: each copy stands on its own, and the file is whole."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from meetdeck.present.deck import Deck, EmptyDeck, SlideRequest, UnknownSlide, build_deck, compile_template, whole_deck

Make = Callable[[Callable[[Any], None]], bytes]
Texts = Callable[[bytes], list[list[str]]]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]


def _picture() -> io.BytesIO:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), "navy").save(out, "PNG")
    out.seek(0)
    return out


def _add_titled(presentation: Any, title: str) -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = title
    return slide


def _add_chart(slide: Any, title: str) -> None:
    data: Any = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Sales", (1, 2))
    box = (Inches(1), Inches(2), Inches(4), Inches(3))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = title


@pytest.fixture
def template(make_template: Make) -> bytes:
    """Make a cover with a picture, a holding with chart and notes, and a plain end, which links to the cover."""

    def fill(presentation: Any) -> None:
        cover = _add_titled(presentation, "Cover {{customer}}")
        cover.shapes.add_picture(_picture(), 0, 0)
        holding = _add_titled(presentation, "Holding {{name}}")
        _add_chart(holding, "Chart of {{name}}")
        holding.shapes.add_picture(_picture(), 0, 0)
        holding.notes_slide.notes_text_frame.text = "Say {{name}} aloud"
        end = _add_titled(presentation, "End")
        end.shapes.title.click_action.target_slide = cover

    return make_template(fill)


def _open(deck: Deck) -> Any:
    return Presentation(io.BytesIO(deck.content))


def test_slides_are_picked_repeated_reordered_and_dropped(
    template: bytes, slide_texts: Texts, check_whole: Check
) -> None:
    requests = [
        SlideRequest("End", {}),
        SlideRequest("Holding", {"name": "A"}),
        SlideRequest("Holding", {"name": "B"}),
        SlideRequest("Slide 2", {"name": "C"}),
    ]
    compiled = compile_template(template)
    deck = build_deck(compiled, requests)
    assert slide_texts(deck.content) == [["End"], ["Holding A"], ["Holding B"], ["Holding C"]]
    assert (compiled.findings, deck.findings) == ((), ())
    check_whole(deck.content)


def test_charts_and_their_workbooks_are_separate_per_copy(template: bytes) -> None:
    deck = build_deck(compile_template(template), [SlideRequest("Holding", {"name": n}) for n in "AB"])
    charts = [shape.chart for slide in _open(deck).slides for shape in slide.shapes if shape.has_chart]
    assert [chart.chart_title.text_frame.text for chart in charts] == ["Chart of A", "Chart of B"]
    workbooks = [chart.part.chart_workbook.xlsx_part for chart in charts]
    assert len({chart.part.partname for chart in charts}) == 2
    assert len({workbook.partname for workbook in workbooks}) == 2
    assert workbooks[0].blob == workbooks[1].blob


def test_each_copy_has_notes_that_belong_to_it(template: bytes) -> None:
    slides = _open(build_deck(compile_template(template), [SlideRequest("Holding", {"name": n}) for n in "AB"])).slides
    assert [slide.notes_slide.notes_text_frame.text for slide in slides] == ["Say A aloud", "Say B aloud"]
    assert all(slide.notes_slide.part.part_related_by(_SLIDE_TYPE) is slide.part for slide in slides)


_SLIDE_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide"


def test_pictures_layouts_and_masters_are_shared(template: bytes) -> None:
    deck = build_deck(compile_template(template), [SlideRequest("Holding", {"name": n}) for n in "ABC"])
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        names = archive.namelist()
    assert sum(name.startswith("ppt/media/") for name in names) == 1
    assert sum(name.startswith("ppt/slideMasters/slideMaster") for name in names) == 1


def test_parts_of_dropped_slides_are_not_in_the_file(template: bytes, check_whole: Check) -> None:
    deck = build_deck(compile_template(template), [SlideRequest("End", {})])
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        assert not [name for name in archive.namelist() if "chart" in name or "media" in name or "notesSlides" in name]
    check_whole(deck.content)


def test_a_link_leads_to_the_first_copy_of_its_slide(template: bytes, check_whole: Check) -> None:
    requests = [
        SlideRequest("End", {}),
        SlideRequest("Cover", {"customer": "A"}),
        SlideRequest("Cover", {"customer": "B"}),
    ]
    deck = build_deck(compile_template(template), requests)
    end, first, _ = _open(deck).slides
    assert end.shapes.title.click_action.target_slide == first
    check_whole(deck.content)


def test_a_link_to_a_dropped_slide_goes_and_its_text_stays(
    template: bytes, slide_texts: Texts, read_part: Read
) -> None:
    deck = build_deck(compile_template(template), [SlideRequest("End", {})])
    assert slide_texts(deck.content) == [["End"]]
    assert "hlinkClick" not in read_part(deck.content, "ppt/slides/slide3.xml")
    assert "slide1.xml" not in read_part(deck.content, "ppt/slides/_rels/slide3.xml.rels")


def test_the_same_input_gives_the_same_bytes(template: bytes) -> None:
    requests = [SlideRequest("Holding", {"name": n}) for n in "AB"]
    first = build_deck(compile_template(template), requests)
    assert first == build_deck(compile_template(template), requests)


def test_one_template_makes_independent_decks(template: bytes) -> None:
    compiled = compile_template(template)
    before = whole_deck(compiled, {"customer": "A", "name": "B"}).content
    build_deck(compiled, [SlideRequest("Holding", {"name": "other"})] * 3)
    assert whole_deck(compiled, {"customer": "A", "name": "B"}).content == before


def test_a_built_deck_is_a_template_again(template: bytes, slide_texts: Texts, check_whole: Check) -> None:
    requests = [SlideRequest("Holding", {"name": n}) for n in "AB"]
    once = build_deck(compile_template(template), requests)
    again = build_deck(compile_template(once.content), [SlideRequest("Holding B", {}), SlideRequest("Holding A", {})])
    assert slide_texts(again.content) == [["Holding B"], ["Holding A"]]
    check_whole(again.content)


def test_an_unknown_slide_is_refused_with_the_nearest_names(template: bytes) -> None:
    with pytest.raises(UnknownSlide) as caught:
        build_deck(compile_template(template), [SlideRequest("End", {}), SlideRequest("Holdings", {})])
    assert (caught.value.slide_id, caught.value.position_in_request) == ("Holdings", 1)
    assert caught.value.nearest[0] == "Holding"
    assert "'Holding'" in str(caught.value)


def test_hidden_slides_stay_hidden_and_are_counted(make_template: Make, read_part: Read) -> None:
    def fill(presentation: Any) -> None:
        _add_titled(presentation, "Shown")
        _add_titled(presentation, "Hidden").element.set("show", "0")

    template = compile_template(make_template(fill))
    assert [(slide.name, slide.hidden) for slide in template.slides] == [("Shown", False), ("Hidden", True)]
    deck = build_deck(template, [SlideRequest(name, {}) for name in ("Hidden", "Shown", "Hidden")])
    assert [slide.element.get("show") for slide in _open(deck).slides] == ["0", None, "0"]
    properties = read_part(deck.content, "docProps/app.xml")
    assert "<Slides>3</Slides>" in properties
    assert "<HiddenSlides>2</HiddenSlides>" in properties
    assert "TitlesOfParts" not in properties


def test_a_deck_of_no_slides_is_refused(template: bytes) -> None:
    with pytest.raises(EmptyDeck, match="The deck would have no slides"):
        build_deck(compile_template(template), [])


def test_the_templates_own_picture_of_itself_is_left_out(template: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(template)) as archive:
        assert "docProps/thumbnail.jpeg" in archive.namelist()
    with zipfile.ZipFile(io.BytesIO(whole_deck(compile_template(template), {}).content)) as archive:
        assert "docProps/thumbnail.jpeg" not in archive.namelist()
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
