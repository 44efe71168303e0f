"""Addresses with tags in them, and what copies must not share: comments, zooms, diagrams, unknown parts."""

import io
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pptx import Presentation

from meetdeck.present.deck import SlideRequest, build_deck, compile_template, whole_deck
from meetdeck.present.deck.opc.xml import R

Make = Callable[[str], bytes]
MakeNamed = Callable[[list[str]], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_SLIDE = "ppt/slides/slide1.xml"
_RELATIONSHIPS = "ppt/slides/_rels/slide1.xml.rels"
_GUID = re.compile(r"{[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}}")
_TYPES = "[Content_Types].xml"
_OFFICE = R[1:-1]


def _relate(relationships: str, identifier: str, kind: str, target: str, mode: str = "") -> bytes:
    element = f'<Relationship Id="{identifier}" Type="{kind}" Target="{target}"{mode}/></Relationships>'
    return relationships.replace("</Relationships>", element).encode()


@pytest.fixture
def linked(text_template: Make, read_part: Read, replace_parts: Replace) -> Callable[[str], bytes]:
    """Make a template whose text is a hyperlink to an address."""

    def make(address: str) -> bytes:
        run = '<a:r><a:rPr><a:hlinkClick r:id="rId9"/></a:rPr><a:t>more on {{name}}</a:t></a:r>'
        template = text_template(f"<a:p>{run}</a:p>")
        relationships = read_part(template, _RELATIONSHIPS)
        kind = f"{_OFFICE}/hyperlink"
        return replace_parts(
            template, {_RELATIONSHIPS: _relate(relationships, "rId9", kind, address, ' TargetMode="External"')}
        )

    return make


@pytest.mark.parametrize("address", ["https://x.dk/c/{{id}}?a=1&amp;b=2", "https://x.dk/c/%7B%7Bid%7d%7D?a=1&amp;b=2"])
def test_a_tag_inside_an_address_is_filled_and_percent_encoded(
    linked: Callable[[str], bytes], read_part: Read, check_whole: Check, address: str
) -> None:
    deck = whole_deck(compile_template(linked(address)), {"id": "7/æ b", "name": "Ada"})
    assert 'Target="https://x.dk/c/7%2F%C3%A6%20b?a=1&amp;b=2"' in read_part(deck.content, _RELATIONSHIPS)
    check_whole(deck.content)


def test_a_tag_may_be_the_whole_address(linked: Callable[[str], bytes], read_part: Read) -> None:
    deck = whole_deck(compile_template(linked("{{url}}")), {"url": "https://x.dk/?q=1#a", "name": "Ada"})
    assert 'Target="https://x.dk/?q=1#a"' in read_part(deck.content, _RELATIONSHIPS)


@pytest.mark.parametrize(
    ("address", "value", "written"),
    [
        # RFC 3966: the plus is literal, spaces are not allowed, an extension is a parameter.
        ("tel:{{x}}", "+45 12 34 56 78", "tel:+4512345678"),
        ("tel:{{x}}", "tel:+45\u00a012-34.56 78", "tel:+4512345678"),
        ("tel:{{x}}", "+44 (0)20 7946 0018 ext. 12", "tel:+442079460018;ext=12"),
        ("tel:{{x}}", "\u202a+٤٥١٢٣\u202c", "tel:+45123"),
        ("tel:+45%20{{x}}", "12 34", "tel:+451234"),
        ("tel:{{x}};ext={{n}}", "+45 12", "tel:+4512;ext=7"),
        ("tel:{{x}}", "*100#", "tel:*100%23"),
        ("{{x}}", "tel:+45 12 34", "tel:+451234"),
        # RFC 5724
        ("sms:{{x}}", "+45 12 34", "sms:+451234"),
        ("sms:{{x}}?body=Hej%20{{name}}", "+45 12, +45 13", "sms:+4512,+4513?body=Hej%20A%20%26%20B"),
        # RFC 6068: the at sign is literal, line breaks are CR LF.
        ("mailto:{{x}}", "anna@x.example", "mailto:anna@x.example"),
        ("mailto:{{x}}", "anna+q&a@x.example, bo@y.example", "mailto:anna+q%26a@x.example,bo@y.example"),
        ("mailto:{{x}}", "a@x.example?bcc=evil@y.example", "mailto:a@x.example%3Fbcc%3Devil@y.example"),
        ("mailto:{{x}}@x.example", "anna", "mailto:anna@x.example"),
        (
            "mailto:{{x}}?cc={{x}}&amp;subject={{name}}, 50%25&amp;body={{lines}}",
            "anna@x.example",
            "mailto:anna@x.example?cc=anna@x.example&amp;subject=A%20%26%20B%2C%2050%25&amp;body=One%0D%0ATwo%3F",
        ),
        ("mailto:{{x}}", "Anna Holm <anna@x.example>; bo@y.example", "mailto:anna@x.example,bo@y.example"),
        ("mailto:{{x}}", "anna@x.example\nbo@y.example", "mailto:anna@x.example,bo@y.example"),
        ("mailto:?subject={{x}}", "Your\nplan", "mailto:?subject=Your%20plan"),
        # People dial letters and pauses, too.
        ("tel:{{x}}", "1-800-FLOWERS", "tel:1-800-FLOWERS"),
        ("tel:{{x}}", "+4512345678,,5#", "tel:+4512345678%2C%2C5%23"),
        ("sms:{{x}}", "+45 12\n+45 13", "sms:+4512,+4513"),
        # What people leave out.
        ("{{x}}", "www.x.example/a b", "https://www.x.example/a%20b"),
        ("{{x}}", "anna@x.example", "mailto:anna@x.example"),
        ("{{x}}?subject={{name}}", "anna@x.example", "mailto:anna@x.example?subject=A%20%26%20B"),
        ("{{x}}/c/{{name}}", "x.example", "https://x.example/c/A%20%26%20B"),
        ("https://{{x}}/c", "x.example:8080", "https://x.example:8080/c"),
        ("http://{{x}}", "https://x.example/a", "https://x.example/a"),
        ("https://x.example/?q={{x}}", "50 % + 2&3", "https://x.example/?q=50%20%25%20%2B%202%263"),
        ("{{x}}", "https://x.example/100%/a", "https://x.example/100%25/a"),
    ],
)
def test_an_address_is_written_by_the_rules_of_its_scheme(
    linked: Callable[[str], bytes], read_part: Read, check_whole: Check, address: str, value: str, written: str
) -> None:
    data = {"x": value, "name": "A & B", "n": 7, "lines": "One\nTwo?"}
    deck = whole_deck(compile_template(linked(address)), data)
    assert re.findall(r'Target="([^"]*)" TargetMode', read_part(deck.content, _RELATIONSHIPS)) == [written]
    assert deck.findings == ()
    check_whole(deck.content)


@pytest.mark.parametrize(
    "url", ["tel:ask at the desk", "file:///etc/passwd", "javascript:alert(1)", "", None, "https://[x"]
)
def test_a_link_without_a_safe_address_goes_and_its_text_stays(
    linked: Callable[[str], bytes], read_part: Read, check_whole: Check, url: str | None
) -> None:
    deck = whole_deck(compile_template(linked("{{url}}")), {"url": url, "name": "Ada"})
    assert "hlinkClick" not in read_part(deck.content, _SLIDE)
    assert "more on Ada" in read_part(deck.content, _SLIDE)
    assert (deck.findings != ()) == (url != "")
    check_whole(deck.content)


@pytest.mark.parametrize(
    ("address", "value", "reason"),
    [
        ("tel:{{x}}", "javascript:alert(1)", "has no telephone number"),
        ("tel:{{x}}", "see page 4", "has no telephone number"),
        ("tel:{{x}}", "n/a", "has no telephone number"),
        ("tel:{{x}}", "å", "has no telephone number"),
        ("tel:{{x}}", "12345678\n87654321", "has no telephone number"),
        ("tel:{{x}};ext=7", "", "has no telephone number"),
        ("{{x}}", "tel:x%31", "has no telephone number"),
        ("sms:{{x}}", "javascript:alert(1)", "has no telephone number"),
        ("sms:{{x}}", "+45 12, the office", "has no telephone number"),
        ("sms:{{x}}?body=4", "", "has no telephone number"),
        ("mailto:{{x}}", "call 12345678", "has no e-mail address"),
        ("mailto:{{x}}", "anna@x.example\nBcc: eve@y.example", "has no e-mail address"),
        ("mailto:{{x}}@x.example", "", "has no e-mail address"),
        ("https://x.example/{{x}}", "a" * 2_083, "has more than 2,083 characters"),
        ("{{x}}", "file:///etc/passwd", "is not a web, mail or telephone address"),
    ],
)
def test_an_address_that_leads_to_nobody_is_no_link_and_the_finding_says_why(
    linked: Callable[[str], bytes], read_part: Read, check_whole: Check, address: str, value: str, reason: str
) -> None:
    deck = whole_deck(compile_template(linked(address)), {"x": value, "name": "Ada"})

    assert "hlinkClick" not in read_part(deck.content, _SLIDE)
    assert [finding.code for finding in deck.findings] == ["unsafe-address"]
    assert reason in deck.findings[0].message
    check_whole(deck.content)


@pytest.mark.parametrize("address", ["tel:{{x}};ext=7", "sms:{{x}}?body=4", "mailto:{{x}}@x.example", "{{x}}://y"])
def test_a_missing_value_in_an_address_is_found_once(linked: Callable[[str], bytes], address: str) -> None:
    deck = whole_deck(compile_template(linked(address)), {"name": "Ada"})

    assert [finding.code for finding in deck.findings] == ["missing-value"]


@pytest.mark.parametrize("scheme", ["tel", "sms", "mailto"])
def test_an_empty_value_is_no_link_and_no_fault(linked: Callable[[str], bytes], read_part: Read, scheme: str) -> None:
    deck = whole_deck(compile_template(linked(f"{scheme}:{{{{x}}}}")), {"x": " ", "name": "Ada"})

    assert "hlinkClick" not in read_part(deck.content, _SLIDE)
    assert deck.findings == ()


def test_a_line_break_in_linked_text_keeps_the_link(linked: Callable[[str], bytes], read_part: Read) -> None:
    deck = whole_deck(compile_template(linked("{{url}}")), {"url": "https://x.dk", "name": "Ada\nBo"})
    assert read_part(deck.content, _SLIDE).count('<a:hlinkClick r:id="rId10"/>') == 3


@pytest.mark.parametrize("target", ["../new/thing 1.dat", "../new/thing%201.dat"])
def test_parts_of_an_unknown_kind_are_copied_and_reported(
    text_template: Make, read_part: Read, replace_parts: Replace, check_whole: Check, target: str
) -> None:
    template = text_template("<a:p/>")
    relationships = _relate(read_part(template, _RELATIONSHIPS), "rId9", "http://example.com/new", target)
    types = read_part(template, _TYPES).replace("<Default", '<Default Extension="dat" ContentType="x/y"/><Default', 1)
    parts = {_RELATIONSHIPS: relationships, "ppt/new/thing 1.dat": b"\0\1", _TYPES: types.encode()}
    compiled = compile_template(replace_parts(template, parts))
    assert [(finding.type, finding.code) for finding in compiled.findings] == [("Info", "unknown-relationship")]
    deck = build_deck(compiled, [SlideRequest("Slide 1", {})] * 2)
    assert "thing 2.dat" in read_part(deck.content, "ppt/slides/_rels/slide2.xml.rels")
    check_whole(deck.content)


def test_what_the_whole_deck_uses_is_not_copied_for_a_slide(
    text_template: Make, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    template = text_template("<a:p/>")
    of_presentation = "ppt/_rels/presentation.xml.rels"
    parts = {
        _RELATIONSHIPS: _relate(read_part(template, _RELATIONSHIPS), "rId9", "http://example.com/new", "../new.xml"),
        of_presentation: _relate(read_part(template, of_presentation), "rId99", "http://example.com/new", "new.xml"),
        "ppt/new.xml": b"<new/>",
    }
    compiled = compile_template(replace_parts(template, parts))
    assert compiled.findings == ()
    deck = build_deck(compiled, [SlideRequest("Slide 1", {})] * 2)
    assert "../new.xml" in read_part(deck.content, "ppt/slides/_rels/slide2.xml.rels")
    check_whole(deck.content)


def test_comments_belong_to_their_copy(
    text_template: Make, read_part: Read, replace_parts: Replace, check_whole: Check
) -> None:
    template = text_template("<a:p/>")
    creation_id = (
        '<p:extLst><p:ext uri="{BB962C8B-B14F-4D97-AF65-F5344CB8AC3E}"><p14:creationId '
        'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" val="7"/></p:ext></p:extLst></p:cSld>'
    )
    comments = (
        '<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" '
        'xmlns:pc="http://schemas.microsoft.com/office/powerpoint/2013/main/command">'
        '<p188:cm id="{6BA0A5C5-0A1F-4DC9-9F4E-C8B2A5B1F0F1}">'
        '<pc:sldMkLst><pc:docMk/><pc:sldMk cId="7" sldId="256"/></pc:sldMkLst></p188:cm></p188:cmLst>'
    )
    kind = "http://schemas.microsoft.com/office/2018/10/relationships/comments"
    override = (
        '<Override PartName="/ppt/comments/c.xml" ContentType="application/vnd.ms-powerpoint.comments+xml"/></Types>'
    )
    parts = {
        _RELATIONSHIPS: _relate(read_part(template, _RELATIONSHIPS), "rId9", kind, "../comments/c.xml"),
        "ppt/comments/c.xml": comments.encode(),
        _TYPES: read_part(template, _TYPES).replace("</Types>", override).encode(),
        _SLIDE: read_part(template, _SLIDE).replace("</p:cSld>", creation_id).encode(),
    }
    deck = build_deck(compile_template(replace_parts(template, parts)), [SlideRequest("Slide 1", {})] * 2)
    for slide, comments_of_it, slide_id in (("slide1", "c", "256"), ("slide2", "c1", "257")):
        number = read_part(deck.content, f"ppt/slides/{slide}.xml").partition(' val="')[2].partition('"')[0]
        place = f'<pc:sldMk cId="{number}" sldId="{slide_id}"/>'
        assert place in read_part(deck.content, f"ppt/comments/{comments_of_it}.xml")
    first, second = (_GUID.findall(read_part(deck.content, f"ppt/comments/{name}.xml")) for name in ("c", "c1"))
    assert first == ["{6BA0A5C5-0A1F-4DC9-9F4E-C8B2A5B1F0F1}"]
    assert len(second) == 1
    assert first != second
    check_whole(deck.content)


def test_a_zoom_to_a_dropped_slide_becomes_its_picture(
    named_slides: MakeNamed, read_part: Read, replace_parts: Replace
) -> None:
    template = named_slides(["A", "B"])
    zoom = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        '<mc:Choice xmlns:z="http://schemas.microsoft.com/office/powerpoint/2016/slidezoom" Requires="z">'
        '<p:graphicFrame><z:sldZm><z:sldZmObj sldId="257" cId="1"/></z:sldZm></p:graphicFrame></mc:Choice>'
        "<mc:Fallback><p:pic/></mc:Fallback></mc:AlternateContent></p:spTree>"
    )
    slide = read_part(template, _SLIDE).replace("</p:spTree>", zoom).encode()
    compiled = compile_template(replace_parts(template, {_SLIDE: slide}))
    both = build_deck(compiled, [SlideRequest("B", {}), SlideRequest("A", {})])
    alone = build_deck(compiled, [SlideRequest("A", {})])
    assert "sldZmObj" in read_part(both.content, _SLIDE)
    assert "AlternateContent" not in read_part(alone.content, _SLIDE)
    assert read_part(alone.content, _SLIDE).endswith(
        "<p:pic/></p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
    )


def test_a_slides_link_to_itself_leads_to_its_own_copy(
    make_template: Callable[[Callable[[Any], None]], bytes], check_whole: Check
) -> None:
    def fill(presentation: Any) -> None:
        itself, other = (presentation.slides.add_slide(presentation.slide_layouts[6]) for _ in range(2))
        for slide, target in ((itself, itself), (itself, other), (other, itself)):
            slide.shapes.add_textbox(0, 0, 9, 9).click_action.target_slide = target

    names = ["Slide 1", "Slide 2", "Slide 1", "Slide 1"]
    deck = build_deck(compile_template(make_template(fill)), [SlideRequest(name, {}) for name in names]).content
    check_whole(deck)
    presentation: Any = Presentation(io.BytesIO(deck))
    slides = list(presentation.slides)
    led = [[slides.index(shape.click_action.target_slide) for shape in slide.shapes] for slide in slides]
    assert led == [[0, 1], [0], [2, 1], [3, 1]]


def test_a_slides_zoom_to_itself_leads_to_its_own_copy(
    named_slides: MakeNamed, read_part: Read, replace_parts: Replace
) -> None:
    template = named_slides(["A", "B"])
    zoom = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        '<mc:Choice xmlns:z="http://schemas.microsoft.com/office/powerpoint/2016/slidezoom" Requires="z">'
        '<p:graphicFrame><z:sldZm><z:sldZmObj sldId="256" cId="77"/></z:sldZm></p:graphicFrame></mc:Choice>'
        '<mc:Fallback><p:pic/></mc:Fallback></mc:AlternateContent></p:spTree><p:extLst><p:ext uri="x"><p14:creationId '
        'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" val="77"/></p:ext></p:extLst>'
    )
    slide = read_part(template, _SLIDE).replace("</p:spTree>", zoom).encode()
    compiled = compile_template(replace_parts(template, {_SLIDE: slide}))
    deck = build_deck(compiled, [SlideRequest("A", {}), SlideRequest("B", {}), SlideRequest("A", {})]).content
    presentation: Any = Presentation(io.BytesIO(deck))
    assert [
        f'sldId="{slide.slide_id}"' in read_part(deck, slide.part.partname[1:]) for slide in presentation.slides
    ] == [
        True,
        False,
        True,
    ]
    (copied,) = re.findall('cId="([0-9]+)"', read_part(deck, presentation.slides[2].part.partname[1:]))
    assert copied != "77"
    assert f'val="{copied}"' in read_part(deck, presentation.slides[2].part.partname[1:])
