"""QR codes and bar codes of the data: `{{qr:url}}` and `{{barcode:number type=ean13}}`."""

import io
import re
import zipfile
from collections.abc import Callable, Sequence

import pytest
from PIL import Image

from meetdeck.present.deck import compile_template, whole_deck

SLIDE = "ppt/slides/slide1.xml"
SHAPE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Code" descr="%s"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
    "</a:prstGeom></p:spPr></p:sp>"
)
# EAN-13 of 4006381333931 as ISO/IEC 15420 writes it: guards, six digits, guards, six digits, guards.
EAN = "10100011010100111010111101111010001001011001101010100001010000101000010111010010000101100110101"

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]


def modules(deck: bytes, of: int) -> list[str]:
    """Return the rows of the deck's one picture as its modules, `of` so many in a row, 1 for black."""
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        (name,) = (name for name in archive.namelist() if name.startswith("ppt/media/"))
        image = Image.open(io.BytesIO(archive.read(name))).convert("L")
    scale = image.width // of
    assert image.width == of * scale
    assert set(image.tobytes()) == {0, 255}
    rows = range(scale // 2, image.height, scale)
    return ["".join("01"[image.getpixel((x * scale + scale // 2, y)) == 0] for x in range(of)) for y in rows]


def details(findings: Sequence[object]) -> list[tuple[str, str]]:
    """Return the codes of findings and their places in the data."""
    return [(finding.code, finding.details["path"]) for finding in findings]  # type: ignore[attr-defined]


def test_a_shape_shows_the_qr_code_of_a_value_and_says_it(
    slide_template: Make, read_part: Read, check_whole: Check
) -> None:
    compiled = compile_template(slide_template(SHAPE % "{{qr:url}}"))

    deck = whole_deck(compiled, {"url": "https://example.com/?a=b&c"})

    # Version 2 has 25 modules, and four of white on each side.
    rows = modules(deck.content, 33)
    assert rows[:4] == rows[-4:] == ["0" * 33] * 4
    assert [row[4:11] for row in rows[4:11]] == ["1111111", "1000001", *["1011101"] * 3, "1000001", "1111111"]
    slide = read_part(deck.content, SLIDE)
    assert 'descr="QR code: https://example.com/?a=b&amp;c"' in slide
    # Square, in the middle of the shape.
    assert '<a:off x="500000" y="0"/><a:ext cx="1000000" cy="1000000"/>' in slide
    assert not deck.findings
    check_whole(deck.content)


def test_the_authors_words_are_the_alternative_text(slide_template: Make, read_part: Read) -> None:
    compiled = compile_template(slide_template(SHAPE % "{{qr:url level=h}} The way to {{name}}"))

    deck = whole_deck(compiled, {"url": "https://example.com/", "name": "us"}).content

    assert 'descr="The way to us"' in read_part(deck, SLIDE)


@pytest.mark.parametrize("number", ["4006381333931", "400638133393", "4 006381 333931", 4006381333931])
def test_a_bar_code_fills_its_shape(slide_template: Make, read_part: Read, check_whole: Check, number: object) -> None:
    compiled = compile_template(slide_template(SHAPE % "{{barcode:number type=ean13}}"))

    deck = whole_deck(compiled, {"number": number}).content

    assert set(modules(deck, 95 + 22)) == {"0" * 11 + EAN + "0" * 11}
    assert "<a:stretch><a:fillRect/></a:stretch>" in read_part(deck, SLIDE)
    check_whole(deck)


@pytest.mark.parametrize(
    ("directive", "value"),
    [
        ("{{qr:v}}", "x" * 3_000),
        ("{{qr:v}}", {"a": 1}),
        ("{{barcode:v}}", "Søren"),
        ("{{barcode:v}}", "x" * 81),
        ("{{barcode:v type=code39}}", "lower"),
        ("{{barcode:v type=ean13}}", "4006381333932"),
        ("{{barcode:v type=ean13}}", "12"),
        ("{{barcode:v}}", " "),
    ],
)
def test_what_makes_no_code_is_a_finding_and_leaves_the_shape_out(
    slide_template: Make, read_part: Read, check_whole: Check, directive: str, value: object
) -> None:
    compiled = compile_template(slide_template(SHAPE % directive))

    deck = whole_deck(compiled, {"v": value})

    assert details(deck.findings) == [("bad-code", "v")]
    assert "Code" not in read_part(deck.content, SLIDE)
    check_whole(deck.content)


def test_a_code_without_a_value_is_left_out(slide_template: Make) -> None:
    compiled = compile_template(slide_template(SHAPE % "{{qr:url}}"))

    assert details(whole_deck(compiled, {}).findings) == [("missing-value", "url")]


@pytest.mark.parametrize(
    "directive", ["{{qr:v}}", "{{barcode:v}}", "{{barcode:v type=code39}}", "{{barcode:v type=ean13}}"]
)
def test_the_example_makes_every_code(slide_template: Make, directive: str) -> None:
    compiled = compile_template(slide_template(SHAPE % directive))

    assert not whole_deck(compiled, compiled.fields.example).findings


def test_each_row_has_its_own_code(slide_template: Make, read_part: Read, check_whole: Check) -> None:
    cell = (
        "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>{{#links}}{{qr:url}}{{/links}}</a:t></a:r></a:p></a:txBody></a:tc>"
    )
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="T"/><p:cNvGraphicFramePr/><p:nvPr/>'
        '</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></p:xfrm><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblGrid>'
        f'<a:gridCol w="900000"/></a:tblGrid><a:tr h="900000">{cell}</a:tr></a:tbl></a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )
    compiled = compile_template(slide_template(frame))

    deck = whole_deck(compiled, {"links": [{"url": "https://example.com/1"}, {"url": "https://example.com/2"}]}).content

    assert len(set(re.findall(r'r:embed="(\w+)"', read_part(deck, SLIDE)))) == 2
    check_whole(deck)
