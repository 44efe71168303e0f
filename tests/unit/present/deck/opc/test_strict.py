"""Strict Open XML is read as what it says: decks of it are the same as those of the Transitional file."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import canonicalize

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.present.deck import TemplateError, as_transitional, compile_template, read_outline, whole_deck
from meetdeck.present.deck.opc.strict import to_transitional
from support.strict_decks import make_strict

Make = Callable[[Callable[[Any], None]], bytes]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]
Check = Callable[[bytes], None]

_SLIDE = "ppt/slides/slide1.xml"
_STRICT = "http://purl.oclc.org/ooxml"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_DEMO = TEMPLATE_FILE.read_bytes()


def _parts(data: bytes) -> dict[str, object]:
    """Return the parts of a package, XML in its canonical form, workbooks as packages of their own."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: _comparable(name, archive.read(name)) for name in archive.namelist()}


def _comparable(name: str, content: bytes) -> object:
    if name.endswith(".xlsx"):
        return _parts(content)
    return canonicalize(content.decode()) if name.endswith((".xml", ".rels")) else content


def test_decks_are_those_of_the_transitional_file(check_whole: Check) -> None:
    strict = compile_template(make_strict(_DEMO))
    plain = compile_template(_DEMO)
    assert [(finding.type, finding.code) for finding in strict.findings] == [("Info", "strict-ooxml")]
    assert strict.tags == plain.tags
    deck = whole_deck(strict, strict.example).content
    check_whole(deck)
    assert _parts(deck) == _parts(whole_deck(plain, plain.example).content)
    opened: Any = Presentation(io.BytesIO(deck))
    assert len(opened.slides) > len(plain.slides)


def test_charts_and_their_strict_workbooks_are_filled(make_template: Make, read_part: Read, check_whole: Check) -> None:
    def fill(presentation: Any) -> None:
        data: Any = CategoryChartData()
        data.categories = ["x"]
        data.add_series("s", (1,))
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        for descr in ("{{chart:c}}", ""):
            frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 9999, 9999, data)
            frame.chart.plots[0].gap_width = 70
            frame.element.xpath(".//p:cNvPr")[0].set("descr", descr)

    plain = make_template(fill)
    strict = make_strict(plain)
    assert 'gapWidth val="70%"' in read_part(
        strict, next(n for n in _parts(strict) if n.startswith("ppt/charts/chart"))
    )
    rows = {"c": [{"q": "Q1", "a": 1, "b": 2}]}
    decks = [whole_deck(compile_template(template), rows).content for template in (strict, plain)]
    assert _parts(decks[0]) == _parts(decks[1])
    check_whole(decks[0])


@pytest.mark.parametrize(
    ("strict", "transitional"),
    [
        ('<a:lumMod val="12.5%"/>', '<a:lumMod val="12500"/>'),
        ('<a:srcRect l="-10%" t="0%"/>', '<a:srcRect l="-10000" t="0"/>'),
        ('<a:off x="2.5cm" y="-1in"/>', '<a:off x="900000" y="-914400"/>'),
        ('<a:ext cx="10mm" cy="1pi"/>', '<a:ext cx="360000" cy="152400"/>'),
        (
            '<a:rPr sz="1800" spc="1.5pt" kern="12pt" baseline="30%"/>',
            '<a:rPr sz="1800" spc="150" kern="1200" baseline="30000"/>',
        ),
        ('<a:spcPts val="6pt"/>', '<a:spcPts val="600"/>'),
        ('<c:overlap val="-20%"/>', '<c:overlap val="-20"/>'),
        ('<c:numFmt formatCode="0%"/>', '<c:numFmt formatCode="0%"/>'),
        ('<a:x name="50%" descr="2cm" title="10%"/>', '<a:x name="50%" descr="2cm" title="10%"/>'),
        ('<a:strVal val="50%"/>', '<a:strVal val="50%"/>'),
        ("<a:t>50% of 2cm</a:t>", "<a:t>50% of 2cm</a:t>"),
        (f"<a:t>{_STRICT}/drawingml/main</a:t>", f"<a:t>{_STRICT}/drawingml/main</a:t>"),
        (f'<a:d uri="{_STRICT}/drawingml/chart"/>', f'<a:d uri="{_C}"/>'),
        ('<a:x y="5000000000000%"/>', '<a:x y="5000000000000%"/>'),
    ],
)
def test_values_are_written_as_transitional_writes_them(strict: str, transitional: str) -> None:
    names = f'xmlns:a="{_STRICT}/drawingml/main" xmlns:c="{_STRICT}/drawingml/chart"'
    part = f'<a:r {names} conformance="strict">{strict}</a:r>'
    expected = f'<a:r xmlns:a="{_A}" xmlns:c="{_C}">{transitional}</a:r>'
    assert canonicalize(to_transitional("a.xml", part.encode()).decode()) == canonicalize(expected)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("officeDocument/relationships/slide", "officeDocument/2006/relationships/slide"),
        ("officeDocument/relationships/extendedProperties", "officeDocument/2006/relationships/extended-properties"),
        ("officeDocument/relationships/customProperties", "officeDocument/2006/relationships/custom-properties"),
    ],
)
def test_relationships_are_named_as_transitional_names_them(kind: str, expected: str) -> None:
    target = f'Target="{_STRICT}/drawingml/main" TargetMode="External"/>'
    strict = f'<R Type="{_STRICT}/{kind}" {target}'
    assert to_transitional("_rels/a.rels", strict.encode()) == (
        f'<R Type="http://schemas.openxmlformats.org/{expected}" {target}'.encode()
    )


def test_dates_in_cells_are_days() -> None:
    main = f'xmlns="{_STRICT}/spreadsheetml/main"'
    sheet = f'<worksheet {main}><c t="d"><v>2026-01-31</v></c><c t="d"><v>2026-01-31T12:00:00Z</v></c></worksheet>'
    found = to_transitional("xl/worksheets/sheet1.xml", sheet.encode()).decode()
    assert "<c><v>46053</v></c><c><v>46053.5</v></c>" in found


def test_parts_in_utf_16_and_custom_xml(read_part: Read, replace_parts: Replace, named_slides: Any) -> None:
    strict = make_strict(named_slides(["One"]))
    custom = f'<a x="{_STRICT}/drawingml/main" y="50%"/>'.encode()
    slide = read_part(strict, _SLIDE).replace('encoding="UTF-8"', 'encoding="UTF-16"').replace("encoding='UTF-8'", "")
    related = read_part(strict, "ppt/_rels/presentation.xml.rels").replace(
        "</Relationships>",
        f'<Relationship Id="rId99" Type="{_STRICT}/officeDocument/relationships/customXml" '
        'Target="../customXml/item1.xml"/></Relationships>',
    )
    parts = {
        _SLIDE: slide.encode("utf-16"),
        "customXml/item1.xml": custom,
        "ppt/_rels/presentation.xml.rels": related.encode(),
    }
    template = compile_template(replace_parts(strict, parts))
    assert [slide.name for slide in template.slides] == ["One"]
    with zipfile.ZipFile(io.BytesIO(whole_deck(template, {}).content)) as deck:
        assert deck.read("customXml/item1.xml") == custom


@pytest.mark.parametrize(
    "content", [b"", b"<p:sld", b"\xff\xfe<", b"<!DOCTYPE a><a/>", b'<a x="http://purl.oclc.org/ooxml/a/b" y="1%">']
)
def test_a_damaged_part_is_a_finding(replace_parts: Replace, named_slides: Any, content: bytes) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(replace_parts(make_strict(named_slides(["One"])), {_SLIDE: content}))
    assert "broken-xml" in {finding.code for finding in caught.value.findings}


def test_a_strict_word_document_is_told_apart(replace_parts: Replace, named_slides: Any, read_part: Read) -> None:
    strict = make_strict(named_slides(["One"]))
    types = read_part(strict, "[Content_Types].xml").replace(
        "presentationml.presentation.main", "wordprocessingml.document.main"
    )
    with pytest.raises(TemplateError, match="Word document"):
        compile_template(replace_parts(strict, {"[Content_Types].xml": types.encode()}))


def test_the_renderer_is_given_transitional() -> None:
    assert _parts(as_transitional(make_strict(_DEMO))) == _parts(_DEMO)
    assert as_transitional(_DEMO) is _DEMO
    assert as_transitional(b"PK nonsense") == b"PK nonsense"
    assert read_outline(make_strict(_DEMO)) == read_outline(_DEMO)


_TYPE = f"{_STRICT}/officeDocument/relationships"
_RELS = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    f'Type="{_TYPE}/officeDocument" Target="ppt/presentation.xml"/>'
    f'<Relationship Id="rId2" Type="{_TYPE}/%s" Target="docProps/app.xml"/>'
    f'<Relationship Id="rId3" Type = "{_TYPE}/%s" Target="docProps/custom.xml"/>'
    f"<Relationship Id='rId4' Type='{_TYPE}/metadata/thumbnail' Target='docProps/thumbnail.jpeg'/>"
    f'<Relationship Id="rId5" Type="{_TYPE}/metadata/%s" Target="docProps/core.xml"/></Relationships>'
)
_CUSTOM = (
    f'<Properties xmlns="{_STRICT}/officeDocument/customProperties" xmlns:vt="{_STRICT}/officeDocument/docPropsVTypes">'
    '<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="Firm"><vt:lpwstr>x</vt:lpwstr></property>'
    "</Properties>"
)


@pytest.mark.parametrize(
    "words",
    [
        ("extendedProperties", "customProperties", "coreProperties"),
        ("extended-properties", "custom-properties", "core-properties"),
    ],
)
def test_nothing_in_a_deck_is_named_as_in_strict_files(
    replace_parts: Replace, read_part: Read, check_whole: Check, words: tuple[str, str, str]
) -> None:
    strict = make_strict(_DEMO)
    types = read_part(strict, "[Content_Types].xml").replace(
        "</Types>",
        '<Override PartName="/docProps/custom.xml" ContentType="application/vnd.openxmlformats-officedocument.custom-'
        'properties+xml"/></Types>',
    )
    presentation = read_part(strict, "ppt/_rels/presentation.xml.rels").replace(
        "</Relationships>",
        f'<Relationship Id="rId777" Type="{_STRICT}/officeDocument/relationships/printerSettings" '
        'Target="printerSettings/printerSettings1.bin"/></Relationships>',
    )
    if 'Extension="bin"' not in types:
        types = types.replace("<Override", '<Default Extension="bin" ContentType="application/x-bin"/><Override', 1)
    template = replace_parts(
        strict,
        {
            "_rels/.rels": (_RELS % words).encode(),
            "docProps/custom.xml": _CUSTOM.encode(),
            "[Content_Types].xml": types.encode(),
            "ppt/_rels/presentation.xml.rels": presentation.encode(),
            "ppt/printerSettings/printerSettings1.bin": b"x",
        },
    )
    compiled = compile_template(template)

    deck = whole_deck(compiled, compiled.example).content

    check_whole(deck)
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        assert [name for name in archive.namelist() if b"purl.oclc.org" in archive.read(name)] == []
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    package = "http://schemas.openxmlformats.org/package/2006/relationships/"
    found = set(re.findall("Type=[\"']([^\"']*)", read_part(deck, "_rels/.rels")))
    assert found == {
        office + "officeDocument",
        office + "extended-properties",
        office + "custom-properties",
        package + "metadata/core-properties",
    }
    properties: Any = Presentation(io.BytesIO(deck)).core_properties
    assert properties.title is not None


def test_a_strict_presentation_of_others_is_drawn_from_transitional_names(replace_parts: Replace) -> None:
    words = "extended-properties", "custom-properties", "core-properties"
    strict = replace_parts(make_strict(_DEMO), {"_rels/.rels": (_RELS % words).encode()})

    with zipfile.ZipFile(io.BytesIO(as_transitional(strict))) as archive:
        assert [name for name in archive.namelist() if b"purl.oclc.org" in archive.read(name)] == []
