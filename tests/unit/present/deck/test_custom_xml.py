"""Custom XML is somebody's own: whatever it holds and wherever it is related from, decks carry it as it is."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

import pytest

from meetdeck.present.deck import SlideRequest, TemplateError, build_deck, compile_template, whole_deck

Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]
Slides = Callable[[list[str]], bytes]

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PROPERTIES_TYPE = "application/vnd.openxmlformats-officedocument.customXmlProperties+xml"
_PACKAGE, _PRESENTATION = "_rels/.rels", "ppt/_rels/presentation.xml.rels"
_SLIDE, _LAYOUT = "ppt/slides/_rels/slide1.xml.rels", "ppt/slideLayouts/_rels/slideLayout7.xml.rels"
_SHAREPOINT = b'<p xmlns:ns3="$ListId:Shared Documents;" ns3:x="{{no.tag}}"/>'
_CONTENTS = {
    "sharepoint": _SHAREPOINT,
    "no XML": b"sld-customData {{no.tag}}",
    "DOCTYPE": b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    "other encoding": '<?xml version="1.0" encoding="windows-1252"?><a>\xe6</a>'.encode("cp1252"),
    "empty": b"",
    "binary": bytes(range(256)),
}


def _relate(read_part: Read, template: bytes, relationships: str, target: str, kind: str = "customXml") -> bytes:
    entry = f'<Relationship Id="rId9{kind}" Type="{_OFFICE}/{kind}" Target="{target}"/></Relationships>'
    return read_part(template, relationships).replace("</Relationships>", entry).encode()


def _typed(read_part: Read, template: bytes, **overrides: str) -> bytes:
    entries = "".join(f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in overrides.items())
    return read_part(template, "[Content_Types].xml").replace("</Types>", f"{entries}</Types>").encode()


def _parts(deck: bytes, suffix: str = "") -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(suffix)}


def _custom(deck: bytes) -> list[bytes]:
    names = {name: content for name, content in _parts(deck).items() if "customxml" in name.lower()}
    return [content for name, content in names.items() if not name.endswith(".rels") and "Props" not in name]


@pytest.mark.parametrize("content", _CONTENTS.values(), ids=_CONTENTS)
def test_custom_xml_is_copied_whatever_it_holds(
    named_slides: Slides, replace_parts: Replace, read_part: Read, check_whole: Check, content: bytes
) -> None:
    template = named_slides(["One"])
    parts = {
        "customXml/item1.xml": content,
        "customXml/itemProps1.xml": content,
        "customXml/_rels/item1.xml.rels": (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
            f'Type="{_OFFICE}/customXmlProps" Target="itemProps1.xml"/></Relationships>'
        ).encode(),
        _PRESENTATION: _relate(read_part, template, _PRESENTATION, "../customXml/item1.xml"),
        "[Content_Types].xml": _typed(read_part, template, **{"/customXml/itemProps1.xml": _PROPERTIES_TYPE}),
    }
    compiled = compile_template(replace_parts(template, parts))
    assert compiled.findings == ()
    assert compiled.tags == ()
    deck = whole_deck(compiled, {}).content
    check_whole(deck)
    assert _parts(deck)["customXml/item1.xml"] == content
    assert _parts(deck)["customXml/itemProps1.xml"] == content
    assert f'PartName="/customXml/itemProps1.xml" ContentType="{_PROPERTIES_TYPE}"' in read_part(
        deck, "[Content_Types].xml"
    )


@pytest.mark.parametrize(
    ("sources", "part"),
    [
        ({_PACKAGE: "../customXml/item1.xml"}, "customXml/item1.xml"),
        ({_PACKAGE: "../../customXml/item1.xml"}, "customXml/item1.xml"),
        ({_PACKAGE: "customXml/item1.xml"}, "customXml/item1.xml"),
        ({_PACKAGE: "/customXml/item1.xml"}, "customXml/item1.xml"),
        ({_PACKAGE: "../CustomXML/Item1.xml"}, "customXml/item1.xml"),
        ({_PACKAGE: "ppt/customXML/item.xml"}, "ppt/customXML/item.xml"),
        ({_PRESENTATION: "customXML/item.xml"}, "ppt/customXML/item.xml"),
        ({_SLIDE: "/customXml/item1.xml"}, "customXml/item1.xml"),
        ({_SLIDE: "../customXML/item.xml"}, "ppt/customXML/item.xml"),
        ({_LAYOUT: "../../customXml/item1.xml"}, "customXml/item1.xml"),
        (
            {
                _PACKAGE: "../customXml/item1.xml",
                _PRESENTATION: "../customXml/item1.xml",
                _SLIDE: "../../customXml/item1.xml",
                _LAYOUT: "/customXml/item1.xml",
            },
            "customXml/item1.xml",
        ),
    ],
)
def test_custom_xml_stays_with_what_relates_it(
    named_slides: Slides,
    replace_parts: Replace,
    read_part: Read,
    check_whole: Check,
    sources: dict[str, str],
    part: str,
) -> None:
    template = named_slides(["One", "Two"])
    parts = {name: _relate(read_part, template, name, target) for name, target in sources.items()}
    compiled = compile_template(replace_parts(template, {part: _SHAREPOINT, **parts}))
    for names in (["One", "Two"], ["Two"], ["One", "One"], ["Two", "One"]):
        deck = build_deck(compiled, [SlideRequest(name, {}) for name in names]).content
        check_whole(deck)
        assert set(_custom(deck)) <= {_SHAREPOINT}
        is_there = set(sources) != {_SLIDE} or "One" in names
        assert bool(_custom(deck)) is is_there
        assert any(b"/customXml" in content for content in _parts(deck, ".rels").values()) is is_there


@pytest.mark.parametrize("source", [_PACKAGE, _PRESENTATION, _SLIDE])
def test_a_relationship_to_custom_xml_that_is_missing_is_left_out(
    named_slides: Slides, replace_parts: Replace, read_part: Read, check_whole: Check, source: str
) -> None:
    template = named_slides(["One"])
    parts = {source: _relate(read_part, template, source, "/customXml/item1.xml")}
    compiled = compile_template(replace_parts(template, parts))
    assert [(finding.type, finding.code) for finding in compiled.findings] == [("Info", "missing-part")]
    check_whole(whole_deck(compiled, {}).content)


@pytest.mark.parametrize(
    "part",
    ["docProps/core.xml", "docProps/app.xml", "ppt/presProps.xml", "ppt/viewProps.xml", "ppt/tableStyles.xml"],
)
def test_decks_do_without_properties_that_the_file_names_and_does_not_have(
    named_slides: Slides, replace_parts: Replace, read_part: Read, check_whole: Check, part: str
) -> None:
    template = named_slides(["One"])
    types = re.sub(f'<Override PartName="/{part}"[^>]*>', "", read_part(template, "[Content_Types].xml"))
    compiled = compile_template(replace_parts(template, {part: None, "[Content_Types].xml": types.encode()}))
    assert [(finding.type, finding.code) for finding in compiled.findings] == [("Info", "missing-part")]
    check_whole(whole_deck(compiled, {}).content)


def test_what_slides_need_may_not_be_missing(named_slides: Slides, replace_parts: Replace, read_part: Read) -> None:
    template = named_slides(["One"])
    parts = {_SLIDE: _relate(read_part, template, _SLIDE, "../media/gone.png", "image")}
    with pytest.raises(TemplateError) as caught:
        compile_template(replace_parts(template, parts))
    assert [finding.code for finding in caught.value.findings] == ["missing-part"]


def test_a_slide_that_the_package_itself_relates_is_no_slide_of_its_own(
    named_slides: Slides, replace_parts: Replace, read_part: Read, check_whole: Check
) -> None:
    template = named_slides(["One", "Two"])
    parts = {_PACKAGE: _relate(read_part, template, _PACKAGE, "ppt/slides/slide1.xml", "slide")}
    deck = build_deck(compile_template(replace_parts(template, parts)), [SlideRequest("Two", {})]).content
    check_whole(deck)
    slides = [name for name in _parts(deck, ".xml") if PurePosixPath(name).parent.name == "slides"]
    assert slides == ["ppt/slides/slide2.xml"]
