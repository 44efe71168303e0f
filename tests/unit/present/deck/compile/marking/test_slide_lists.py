"""Lists of slides elsewhere in a presentation: sections, custom shows, ids, links, comments, zooms."""

from collections.abc import Callable, Mapping

import pytest

from meetdeck.present.deck import SlideRequest, Template, build_deck, compile_template
from meetdeck.present.deck.opc.xml import P14, Element, P, R, parse

Make = Callable[[list[str]], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_PRESENTATION = "ppt/presentation.xml"
_SLIDE = "ppt/slides/slide%d.xml"
_SECTION_URI = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"
_P14_URI = P14[1:-1]


def _build(template: Template, letters: str) -> bytes:
    return build_deck(template, [SlideRequest(letter, {}) for letter in letters]).content


@pytest.fixture
def four(named_slides: Make, read_part: Read, replace_parts: Replace) -> bytes:
    """Make slides A, B (section One), C, D (section Two), and the custom show of D and A."""
    template = named_slides(["A", "B", "C", "D"])
    presentation = read_part(template, _PRESENTATION)
    ids = [e.get("id") or "" for e in parse(presentation.encode()).iter(P + "sldId")]
    rids = [e.get(R + "id") or "" for e in parse(presentation.encode()).iter(P + "sldId")]
    sections = "".join(
        f'<p14:section name="{name}" id="{{0000000{number}-0000-0000-0000-000000000000}}"><p14:sldIdLst>'
        + "".join(f'<p14:sldId id="{identifier}"/>' for identifier in members)
        + "</p14:sldIdLst></p14:section>"
        for number, name, members in ((1, "One &amp; only", ids[:2]), (2, "Two", ids[2:]))
    )
    extension = (
        f'<p:extLst><p:ext uri="{_SECTION_URI}"><p14:sectionLst xmlns:p14="{_P14_URI}">{sections}</p14:sectionLst>'
        "</p:ext></p:extLst></p:presentation>"
    )
    show = (
        f'<p:custShowLst><p:custShow name="Short" id="0"><p:sldLst><p:sld r:id="{rids[3]}"/><p:sld r:id="{rids[0]}"/>'
        "</p:sldLst></p:custShow></p:custShowLst>"
    )
    presentation = presentation.replace("<p:defaultTextStyle", show + "<p:defaultTextStyle", 1)
    presentation = presentation.replace("</p:presentation>", extension)
    return replace_parts(template, {_PRESENTATION: presentation.encode()})


def _presentation(data: bytes, read_part: Read) -> Element:
    return parse(read_part(data, _PRESENTATION).encode())


def _sections(root: Element) -> list[tuple[str, list[str]]]:
    return [
        (section.get("name") or "", [e.get("id") or "" for e in section.iter(P14 + "sldId")])
        for section in root.iter(P14 + "section")
    ]


def test_slides_stay_in_their_sections_in_order(four: bytes, read_part: Read, check_whole: Check) -> None:
    deck = _build(compile_template(four), "ABBD")
    root = _presentation(deck, read_part)
    ids = [e.get("id") or "" for e in root.iter(P + "sldId")]
    assert _sections(root) == [("One & only", ids[:3]), ("Two", ids[3:])]
    check_whole(deck)


def test_a_section_torn_apart_appears_again_under_a_new_id(four: bytes, read_part: Read) -> None:
    root = _presentation(_build(compile_template(four), "ACB"), read_part)
    assert [name for name, _ in _sections(root)] == ["One & only", "Two", "One & only"]
    assert len({section.get("id") for section in root.iter(P14 + "section")}) == 3


def test_tags_in_names_of_sections_and_shows_are_filled(
    four: bytes, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    tagged = (
        read_part(four, _PRESENTATION).replace("One &amp; only", "For {{name}}").replace("Short", "{{name}}, short")
    )
    template = compile_template(replace_parts(four, {_PRESENTATION: tagged.encode()}))
    slides = [SlideRequest(letter, {"name": f"{letter} & co"}) for letter in "BCA"]
    deck = build_deck(template, slides)
    root = _presentation(deck.content, read_part)
    assert [name for name, _ in _sections(root)] == ["For B & co", "Two", "For A & co"]
    assert [show.get("name") for show in root.iter(P + "custShow")] == ["B & co, short"]
    check_whole(deck.content)


def test_an_empty_section_goes(four: bytes, read_part: Read) -> None:
    assert [name for name, _ in _sections(_presentation(_build(compile_template(four), "DC"), read_part))] == ["Two"]


def test_sections_are_listed_with_their_slides(four: bytes) -> None:
    template = compile_template(four)
    assert [(s.name, s.slides) for s in template.sections] == [("One & only", ("A", "B")), ("Two", ("C", "D"))]
    assert [slide.section for slide in template.slides] == ["One & only", "One & only", "Two", "Two"]


def test_a_custom_show_shows_all_copies_of_its_slides_in_its_order(
    four: bytes, read_part: Read, check_whole: Check
) -> None:
    deck = _build(compile_template(four), "ADA")
    root = _presentation(deck, read_part)
    first, second, third = (e.get(R + "id") for e in root.iter(P + "sldId"))
    assert [e.get(R + "id") for e in root.iter(P + "sld")] == [second, first, third]
    check_whole(deck)


def test_a_custom_show_without_slides_goes_with_the_links_to_it(
    four: bytes, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    link = '<p:cNvPr id="1" name=""><a:hlinkClick r:id="" action="ppaction://customshow?id=0"/></p:cNvPr>'
    slide = read_part(four, _SLIDE % 2).replace('<p:cNvPr id="1" name=""/>', link, 1)
    assert link in slide
    template = compile_template(replace_parts(four, {_SLIDE % 2: slide.encode()}))
    without, with_show = _build(template, "B"), _build(template, "AB")
    assert not list(_presentation(without, read_part).iter(P + "custShow"))
    assert "customshow" not in read_part(without, _SLIDE % 2)
    assert "customshow" in read_part(with_show, _SLIDE % 2)
    check_whole(without)
    check_whole(with_show)


def test_first_copies_keep_their_ids_and_others_get_new_ones(four: bytes, read_part: Read) -> None:
    before = [e.get("id") for e in _presentation(four, read_part).iter(P + "sldId")]
    after = [e.get("id") for e in _presentation(_build(compile_template(four), "DDCBA"), read_part).iter(P + "sldId")]
    assert [after[0], *after[2:]] == before[::-1]
    assert after[1] not in before


def test_slide_ids_stay_below_those_of_masters(
    four: bytes, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    highest = read_part(four, _PRESENTATION).replace('id="259"', f'id="{2**31 - 1}"')
    deck = _build(compile_template(replace_parts(four, {_PRESENTATION: highest.encode()})), "DDDD")
    ids = {int(e.get("id") or "0") for e in _presentation(deck, read_part).iter(P + "sldId")}
    assert len(ids) == 4
    assert max(ids) == 2**31 - 1
    check_whole(deck)


def test_copies_get_creation_ids_of_their_own(named_slides: Make, read_part: Read, replace_parts: Replace) -> None:
    data = named_slides(["A"])
    extension = (
        '<p:extLst><p:ext uri="{BB962C8B-B14F-4D97-AF65-F5344CB8AC3E}">'
        f'<p14:creationId xmlns:p14="{_P14_URI}" val="77"/>'
        "</p:ext></p:extLst></p:cSld>"
    )
    slide = read_part(data, _SLIDE % 1).replace("</p:cSld>", extension)
    template = compile_template(replace_parts(data, {_SLIDE % 1: slide.encode()}))
    deck = _build(template, "AAA")
    ids = [next(parse(read_part(deck, _SLIDE % n).encode()).iter(P14 + "creationId")).get("val") for n in (1, 2, 3)]
    assert ids[0] == "77"
    assert len(set(ids)) == 3
    assert deck == _build(template, "AAA")


def test_the_list_of_slides_the_author_had_open_is_forgotten(
    named_slides: Make, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    data = named_slides(["A", "B"])
    view = read_part(data, "ppt/viewProps.xml")
    assert "<p:outlineViewPr" not in view
    view = view.replace(
        "<p:notesTextViewPr",
        '<p:outlineViewPr><p:cViewPr><p:scale><a:sx n="1" d="1"/><a:sy n="1" d="1"/></p:scale><p:origin x="0" y="0"/>'
        '</p:cViewPr><p:sldLst><p:sld r:id="rId1"/></p:sldLst></p:outlineViewPr><p:notesTextViewPr',
        1,
    )
    relationships = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        f'Type="{R[1:-1]}/slide" Target="slides/slide1.xml"/></Relationships>'
    )
    parts = {"ppt/viewProps.xml": view.encode(), "ppt/_rels/viewProps.xml.rels": relationships.encode()}
    deck = _build(compile_template(replace_parts(data, parts)), "B")
    assert "outlineViewPr" in read_part(deck, "ppt/viewProps.xml")
    assert "sldLst" not in read_part(deck, "ppt/viewProps.xml")
    check_whole(deck)


def test_a_show_of_a_range_of_the_template_becomes_a_show_of_all(
    named_slides: Make, read_part: Read, replace_parts: Replace
) -> None:
    data = named_slides(["A", "B"])
    properties = read_part(data, "ppt/presProps.xml")
    position = properties.index(">", properties.index("<p:presentationPr")) + 1
    ranged = properties[:position] + '<p:showPr><p:sldRg st="2" end="2"/></p:showPr>' + properties[position:]
    deck = _build(compile_template(replace_parts(data, {"ppt/presProps.xml": ranged.encode()})), "A")
    assert "showPr" in read_part(deck, "ppt/presProps.xml")
    assert "sldRg" not in read_part(deck, "ppt/presProps.xml")
