"""The checker sees each fault that could slip into a deck; and the decks of the demo template are free of them."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

import pytest

from meetdeck.present.deck import SlideRequest, build_deck, compile_template, whole_deck
from support.package_checker.samples import PRESENTATION, SLIDE_1, SLIDE_2, SLIDE_3, edit_parts, one_of_everything
from support.package_checker.soundness import assert_sound, find_faults

_DEMO: Final = Path(__file__).parents[4] / "src/meetdeck/demo"
_CHART: Final = "ppt/charts/chart1.xml"
_TYPES: Final = "[Content_Types].xml"
_FOREIGN_NOTES: Final = '<Relationship Id="n" Type="x/notesSlide" Target="../notesSlides/notesSlide1.xml"/>'


def _kinds(pptx: bytes) -> set[str]:
    return {fault.kind for fault in find_faults(pptx)}


def _swap(old: str, new: str) -> Callable[[str], str]:
    return lambda xml: xml.replace(old, new, 1)


def test_a_presentation_without_fault_has_none() -> None:
    assert find_faults(one_of_everything()) == []


def test_decks_of_the_demo_template_are_sound() -> None:
    data = cast("dict[str, object]", json.loads((_DEMO / "annual-review.json").read_bytes()))
    source = (_DEMO / "annual-review.pptx").read_bytes()
    assert_sound(source)
    template = compile_template(source)
    assert_sound(whole_deck(template, data).content)
    assert_sound(build_deck(template, [SlideRequest(s.name, {}) for s in reversed(template.slides)] * 2).content)


@pytest.mark.parametrize("slides", [[1], [2], [3], [1, 2, 3], [3, 3, 1, 2, 1, 2]])
def test_decks_of_picked_and_repeated_slides_are_sound(slides: list[int]) -> None:
    data: dict[str, object] = {"customer": {"name": "A & <B>", "id": "x y/ø"}, "title": "one\ntwo", "amount": 1.5}
    template = compile_template(one_of_everything())
    assert_sound(build_deck(template, [SlideRequest(f"Slide {number}", data) for number in slides]).content)


@pytest.mark.parametrize(
    ("part", "old", "new", "kind"),
    [
        (SLIDE_1, "</p:sld>", "", "broken-xml"),
        (SLIDE_1, "<p:sld ", "<!DOCTYPE x><p:sld ", "broken-xml"),
        (SLIDE_1, "<a:bodyPr wrap", "<a:lstStyle/><a:bodyPr wrap", "schema"),
        (SLIDE_1, "<p:timing>", "<p:extLst/><p:timing>", "schema"),
        (SLIDE_1, ' name="Title 1"', "", "schema"),
        (SLIDE_1, "<p:spPr/>", '<p:spPr/><x:new xmlns:x="urn:x"/>', "unknown-element"),
        (SLIDE_1, "<a:hlinkClick r:id=", "<a:hlinkClick r:id='rId99' r:was=", "reference"),
        (SLIDE_1, 'spTgt spid="2"', 'spTgt spid="77"', "animation-target"),
        (SLIDE_1, 'bldP spid="2"', 'bldP spid="77"', "animation-target"),
        (SLIDE_1, 'cTn id="3"', 'cTn id="2"', "animation-id"),
        (SLIDE_1, 'cNvPr id="3"', 'cNvPr id="2"', "shape-id"),
        (SLIDE_2, "<a:gridCol ", '<a:gridCol w="1"/><a:gridCol ', "table"),
        (SLIDE_2, "<a:tc>", '<a:tc gridSpan="2">', "table"),
        (SLIDE_2, "<a:tc>", '<a:tc rowSpan="2">', "table"),
        (SLIDE_2, "<a:tc>", "<a:tc/><a:tc>", "schema"),
        (SLIDE_2, 'val="2"/></a:ext>', 'val="1"/></a:ext>', "rowId"),
        (SLIDE_3, 'Requires="p14"', 'Requires="p15"', "undeclared-prefix"),
        (_CHART, '<c:pt idx="1">', '<c:pt idx="7">', "chart-points"),
        (_CHART, '<c:pt idx="1">', '<c:pt idx="0">', "chart-points"),
        (_CHART, '<c:order val="1"/>', '<c:order val="0"/>', "chart-series"),
        (_CHART, "<c:v>2.5</c:v>", "<c:v>2.6</c:v>", "chart-workbook"),
        (_CHART, "<c:v>East</c:v>", "<c:v>Ost</c:v>", "chart-workbook"),
        (_CHART, "Sheet1!$B$2:$B$3", "Sheet1!$B$2:$B$4", "chart-workbook"),
        (_CHART, "Sheet1!$B$2:$B$3", "Data!$B$2:$B$3", "chart-workbook"),
        (_CHART, "<c:valAx>", "<c:valAx><c:delete/>", "schema"),
        (PRESENTATION, 'id="257"', 'id="256"', "slide-id"),
        (PRESENTATION, 'id="257"', 'id="12"', "slide-id"),
        (PRESENTATION, '<p14:sldId id="257"/>', "", "sections"),
        (PRESENTATION, '<p14:sldId id="257"/>', '<p14:sldId id="257"/><p14:sldId id="256"/>', "sections"),
        (PRESENTATION, "9D02}", "9D01}", "sections"),
        (PRESENTATION, '<p:sld r:id="', '<p:sld r:id="rId1" r:was="', "custom-show"),
        (PRESENTATION, '<p:sldMasterId id="2147483648"', '<p:sldMasterId id="256"', "master-id"),
        (_TYPES, "</Types>", '<Override PartName="/x.xml" ContentType="a/xml"/></Types>', "content-types"),
        (_TYPES, "</Types>", '<Default Extension="XML" ContentType="a/xml"/></Types>', "content-types"),
        (_TYPES, 'Extension="png"', 'Extension="gif"', "content-types"),
        (_TYPES, "image/png", "image/jpeg", "picture"),
        ("ppt/slides/_rels/slide1.xml.rels", 'Id="rId2"', 'Id="rId1"', "relationships"),
        ("ppt/slides/_rels/slide1.xml.rels", "https://example.com/", "https://example.com/{{x}}", "address"),
        ("ppt/slides/_rels/slide3.xml.rels", "image1.png", "image9.png", "missing-part"),
        ("ppt/slides/_rels/slide3.xml.rels", "../media/image1.png", "../theme/theme1.xml", "target-type"),
        ("ppt/slides/_rels/slide3.xml.rels", "relationships/slideLayout", "relationships/other", "owner"),
        ("ppt/notesSlides/_rels/notesSlide1.xml.rels", "slide2.xml", "slide1.xml", "notes"),
        ("ppt/slides/_rels/slide1.xml.rels", "</Rel", _FOREIGN_NOTES + "</Rel", "owner"),
        ("docProps/app.xml", "<Slides>3", "<Slides>2", "properties"),
    ],
)
def test_a_fault_is_seen(part: str, old: str, new: str, kind: str) -> None:
    assert kind in _kinds(edit_parts(one_of_everything(), {part: _swap(old, new)}))


@pytest.mark.parametrize(
    ("part", "old", "new", "kind"),
    [
        ("xl/worksheets/sheet1.xml", "<v>2.5</v>", "<v>9</v>", "chart-workbook"),
        ("xl/worksheets/sheet1.xml", '<row r="3"', '<row r="1"', "worksheet"),
        ("xl/worksheets/sheet1.xml", "<sheetData>", "<cols/><cols/><drawing/><sheetData>", "schema"),
        ("xl/worksheets/sheet1.xml", 't="s"><v>0<', 't="s"><v>99<', "worksheet"),
        ("xl/workbook.xml", "<sheets>", "<sheets/><sheets>", "schema"),
        ("[Content_Types].xml", "</Types>", '<Override PartName="/y" ContentType="a/b"/></Types>', "content-types"),
    ],
)
def test_a_fault_in_the_workbook_of_a_chart_is_seen(part: str, old: str, new: str, kind: str) -> None:
    source = one_of_everything()
    with zipfile.ZipFile(io.BytesIO(source)) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".xlsx")]
        workbook = edit_parts(archive.read(name), {part: _swap(old, new)})
    assert kind in _kinds(_with_entry(source, name, workbook))


def _with_entry(pptx: bytes, name: str, content: bytes) -> bytes:
    """Replace or add an entry."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pptx)) as source, zipfile.ZipFile(packed, "w") as target:
        for entry in source.namelist():
            if entry != name:
                target.writestr(entry, source.read(entry))
        target.writestr(name, content)
    return packed.getvalue()


def test_a_part_that_nothing_leads_to_is_seen() -> None:
    assert _kinds(_with_entry(one_of_everything(), "ppt/media/image7.png", b"\x89PNG\r\n\x1a\n")) == {"orphan"}


def test_a_name_that_differs_in_case_alone_is_seen_as_a_double() -> None:
    assert "zip" in _kinds(_with_entry(one_of_everything(), SLIDE_1.upper(), b""))


def test_a_file_that_is_no_zip_is_seen() -> None:
    assert _kinds(b"PK") == {"zip"}


def test_what_was_wrong_with_the_template_is_not_held_against_its_decks() -> None:
    template = edit_parts(one_of_everything(), {SLIDE_1: _swap('cNvPr id="3"', 'cNvPr id="2"')})
    deck = build_deck(compile_template(template), [SlideRequest("Slide 1", {})] * 2).content
    assert_sound(deck, template)
    with pytest.raises(AssertionError, match="shape-id in ppt/slides/slide"):
        assert_sound(deck)
    with pytest.raises(AssertionError, match="animation-target"):
        assert_sound(edit_parts(deck, {SLIDE_1: _swap('spTgt spid="2"', 'spTgt spid="5"')}), template)
