"""Pictures in repeated rows and bullets: `{{image:photo}}` in the text of a cell, or of a paragraph with a bullet."""

import base64
import io
import re
import zipfile
from collections.abc import Callable

import pytest
from PIL import Image

from meetdeck.present.deck import BadData, TemplateError, compile_template, whole_deck

SLIDE = "ppt/slides/slide1.xml"
FRAME = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="People" descr="%s"/><p:cNvGraphicFramePr/><p:nvPr/>'
    '</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="500000"/></p:xfrm><a:graphic>'
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/><a:tblGrid>'
    '<a:gridCol w="1000000"/><a:gridCol w="2000000"/></a:tblGrid><a:tr h="500000">%s</a:tr></a:tbl></a:graphicData>'
    "</a:graphic></p:graphicFrame>"
)
CELL = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>%s</a:t></a:r></a:p></a:txBody>%s</a:tc>"
FILLED = '<a:tcPr><a:solidFill><a:schemeClr val="accent1"/></a:solidFill></a:tcPr>'
BULLET = '<a:p><a:pPr lvl="0"><a:buFont typeface="Arial"/><a:buChar char="-"/></a:pPr><a:r><a:t>%s</a:t></a:r></a:p>'

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]


def picture(width: int, height: int) -> str:
    """Return a picture of this size as a data URI."""
    packed = io.BytesIO()
    Image.new("RGB", (width, height), "navy").save(packed, "PNG")
    return f"data:image/png;base64,{base64.b64encode(packed.getvalue()).decode()}"


def people(tag: str, second: str = "{{name}}{{/people}}", directive: str = "") -> str:
    """Return a table of one row."""
    return FRAME % (directive, CELL % (tag, FILLED) + CELL % (second, "<a:tcPr/>"))


@pytest.mark.parametrize(
    ("fit", "sizes"),
    [
        ("", [(20, 10), (40, 20)]),
        (" fit=contain", [(20, 10), (40, 20)]),
        (" fit=cover", [(10, 5), (20, 10)]),
        (" fit=stretch", [(10, 10), (40, 10)]),
    ],
)
def test_each_repeated_row_shows_its_own_picture_in_the_proportions_of_the_cell(
    slide_template: Make, read_part: Read, check_whole: Check, fit: str, sizes: list[tuple[int, int]]
) -> None:
    compiled = compile_template(slide_template(people(f"{{{{#people}}}}{{{{image:photo{fit}}}}}")))
    data = [{"name": "Freja", "photo": picture(10, 10)}, {"name": "Karl", "photo": picture(40, 10)}]

    deck = whole_deck(compiled, {"people": data})

    slide = read_part(deck.content, SLIDE)
    assert slide.count("<a:stretch><a:fillRect/></a:stretch>") == 2
    assert re.findall(r'r:embed="(\w+)"', slide) == ["rId2", "rId3"]
    assert picture_sizes(deck.content) == sizes
    assert "accent1" not in slide
    assert not deck.findings
    check_whole(deck.content)


def picture_sizes(deck: bytes) -> list[tuple[int, int]]:
    """Return the sizes of a deck's pictures in pixels, in order of their names."""
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        names = sorted(name for name in archive.namelist() if name.startswith("ppt/media/"))
        return [Image.open(io.BytesIO(archive.read(name))).size for name in names]


def test_a_cell_of_a_table_that_does_not_repeat_shows_a_picture(slide_template: Make, check_whole: Check) -> None:
    compiled = compile_template(slide_template(people("{{image:photo fit=cover}}", "x")))

    deck = whole_deck(compiled, {"photo": picture(10, 10)}).content

    assert picture_sizes(deck) == [(10, 5)]
    check_whole(deck)


def test_a_row_without_a_picture_keeps_the_authors_color(
    slide_template: Make, read_part: Read, check_whole: Check
) -> None:
    compiled = compile_template(slide_template(people("{{#people}}{{image:photo}}")))

    deck = whole_deck(compiled, {"people": [{"name": "Freja"}]})

    assert FILLED in read_part(deck.content, SLIDE)
    assert [finding.details["path"] for finding in deck.findings] == ["people.0.photo"]
    check_whole(deck.content)


def test_a_picture_that_is_none_refuses_the_deck_with_its_row(slide_template: Make) -> None:
    compiled = compile_template(slide_template(people("{{#people}}{{image:photo}}")))

    with pytest.raises(BadData) as refused:
        whole_deck(compiled, {"people": [{"name": "Freja", "photo": "https://example.com/a.png"}]})

    assert refused.value.path == "people.0.photo"


def test_a_table_of_the_data_shows_pictures_and_not_their_text(
    slide_template: Make, read_part: Read, check_whole: Check
) -> None:
    compiled = compile_template(slide_template(people("{{image:photo}}", "{{name}}", "{{table:people}}")))

    deck = whole_deck(compiled, {"people": [{"photo": picture(10, 10), "name": "Freja"}]})

    slide = read_part(deck.content, SLIDE)
    assert "base64" not in slide
    assert picture_sizes(deck.content) == [(20, 10)]
    check_whole(deck.content)


def test_each_repeated_bullet_is_its_own_picture(text_template: Make, read_part: Read, check_whole: Check) -> None:
    compiled = compile_template(text_template(BULLET % "{{#people}}{{image:photo}} {{name}}{{/people}}"))
    data = [{"name": "Freja", "photo": picture(10, 10)}, {"name": "Karl", "photo": None}]

    deck = whole_deck(compiled, {"people": data})

    slide = read_part(deck.content, SLIDE)
    bullets = re.findall("<a:bu(?:Char|Blip)>?.*?(?:</a:buBlip>|/>)", slide)
    assert ["<a:buBlip>" in bullet for bullet in bullets] == [True, False]
    assert re.findall("<a:t>([^<]*)</a:t>", slide) == ["Freja", "Karl"]
    assert [finding.code for finding in deck.findings] == ["missing-value"]
    check_whole(deck.content)


def test_a_picture_in_text_without_a_bullet_is_refused_with_the_places_for_one(text_template: Make) -> None:
    with pytest.raises(TemplateError) as refused:
        compile_template(text_template("<a:p><a:r><a:t>See {{image:photo}}</a:t></a:r></a:p>"))

    (finding,) = refused.value.findings
    assert finding.code == "misplaced-directive"
    assert "a table cell, or of a paragraph with a bullet" in finding.message
