"""Markdown and hyperlinks from the data become real runs, paragraphs and links, in the template's format."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Pt

from meetdeck.present.deck import Deck, compile_template, whole_deck
from meetdeck.present.deck.errors import BadData
from meetdeck.present.deck.opc.xml import A
from support.package_checker.soundness import assert_sound
from support.text_boxes import paragraphs_of, runs_of

Make = Callable[[str], bytes]
Check = Callable[[bytes], None]
Read = Callable[[bytes, str], str]

_TAGGED = "<a:p><a:r><a:t>{{text | markdown}}</a:t></a:r></a:p>"


Fill = Callable[..., Deck]


def _bullets(deck: Deck) -> list[tuple[str, int, str]]:
    """Return each paragraph's text, level and bullet as written."""
    found: list[tuple[str, int, str]] = []
    for paragraph in paragraphs_of(deck):
        properties = paragraph._p.pPr  # noqa: SLF001 - python-pptx has no bullets
        bullets = [] if properties is None else [e for e in properties if e.tag.rpartition("}")[2] in _KINDS]
        found.append((paragraph.text, paragraph.level, " ".join(map(_describe, bullets))))
    return found


_KINDS = {"buNone", "buChar", "buAutoNum"}


def _describe(bullet: Any) -> str:
    return bullet.get("char") or f"{bullet.get('type') or 'none'}{bullet.get('startAt') or ''}"


def test_bold_italic_and_links_become_runs(fill: Fill) -> None:
    deck = fill(_TAGGED, text="Your **new _plan_**, see [the *page*](https://x.dk/a?b=1&c=2).")
    assert runs_of(deck) == [
        ("Your ", None, None, None),
        ("new ", True, None, None),
        ("plan", True, True, None),
        (", see ", None, None, None),
        ("the ", None, None, "https://x.dk/a?b=1&c=2"),
        ("page", None, True, "https://x.dk/a?b=1&c=2"),
        (".", None, None, None),
    ]
    assert deck.findings == ()


def test_runs_keep_the_format_of_the_tag(fill: Fill, read_part: Read) -> None:
    properties = (
        '<a:rPr lang="da-DK" sz="2400" b="1" i="0"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
        '<a:latin typeface="Georgia"/><a:cs typeface="Georgia"/><a:extLst/></a:rPr>'
    )
    deck = fill(
        f"<a:p><a:r>{properties}<a:t>{{{{text | markdown}}}}</a:t></a:r></a:p>", text="a *b* `c` [d](http://x.dk)"
    )
    xml = read_part(deck.content, "ppt/slides/slide1.xml")
    assert [(run.text, run.font.bold, run.font.italic, run.font.name) for run in paragraphs_of(deck)[0].runs] == [
        ("a ", True, False, "Georgia"),
        ("b", True, True, "Georgia"),
        (" ", True, False, "Georgia"),
        ("c", True, False, "Courier New"),
        (" ", True, False, "Georgia"),
        ("d", True, False, "Georgia"),
    ]
    assert all(run.font.size == Pt(24) for run in paragraphs_of(deck)[0].runs)
    assert '<a:cs typeface="Georgia"/><a:hlinkClick r:id="rId2"/><a:extLst/></a:rPr><a:t>d</a:t>' in xml


def test_strikethrough_and_line_breaks_become_properties_and_breaks(fill: Fill, read_part: Read) -> None:
    deck = fill(_TAGGED, text="~~old~~\\\nnew\nline")
    xml = read_part(deck.content, "ppt/slides/slide1.xml")
    assert '<a:rPr strike="sngStrike"></a:rPr><a:t>old</a:t>' in xml
    assert paragraphs_of(deck)[0].text == "old\vnew line"


def test_paragraphs_and_headings_become_paragraphs(fill: Fill) -> None:
    deck = fill(_TAGGED, text="# Goals\n\nFirst\n\n> Second\n\n---\n\n```\na  b\n c\n```\n\n![a chart](x.png)")
    assert [paragraph.text for paragraph in paragraphs_of(deck)] == ["Goals", "First", "Second", "a  b\v c", "a chart"]
    assert [run[1] for run in runs_of(deck)] == [True, None, None, None, None, None]


def test_paragraphs_outside_of_lists_keep_the_properties_of_the_template(fill: Fill) -> None:
    paragraph = (
        '<a:p><a:pPr algn="ctr" lvl="1"><a:spcBef><a:spcPts val="600"/></a:spcBef></a:pPr>'
        '<a:r><a:t>{{text | markdown}}</a:t></a:r><a:endParaRPr sz="1200"/></a:p>'
    )
    first, second = paragraphs_of(fill(paragraph, text="One\n\nTwo"))
    assert (first.level, second.level, second.space_before) == (1, 1, Pt(6))
    assert str(first.alignment) == str(second.alignment) == "CENTER (2)"
    assert second._p.find(second._p.tag[:-1] + "endParaRPr").get("sz") == "1200"  # noqa: SLF001


def test_lists_get_bullets_and_numbers_by_level(fill: Fill) -> None:
    deck = fill(_TAGGED, text="Goals\n\n- a\n  - b\n    1. c\n    2. d\n- e\n\n7. f\n8. g")
    assert _bullets(deck) == [
        ("Goals", 0, ""),
        ("a", 0, "•"),
        ("b", 1, "•"),
        ("c", 2, "arabicPeriod1"),
        ("d", 2, "arabicPeriod1"),
        ("e", 0, "•"),
        ("f", 0, "arabicPeriod7"),
        ("g", 0, "arabicPeriod7"),
    ]
    margins = [p._p.pPr.get("marL") for p in paragraphs_of(deck)[1:4]]  # noqa: SLF001
    assert margins == ["285750", "742950", "1257300"]


def test_a_further_paragraph_of_an_item_has_no_bullet_and_counting_goes_on(fill: Fill) -> None:
    deck = fill(_TAGGED, text="1. a\n\n   more\n2. b\n3. c\n4.\n5. e")
    assert _bullets(deck) == [
        ("a", 0, "arabicPeriod1"),
        ("more", 0, "none"),
        ("b", 0, "arabicPeriod2"),
        ("c", 0, "arabicPeriod2"),
        ("e", 0, "arabicPeriod5"),
    ]


def test_items_take_the_bullets_of_the_template(fill: Fill, read_part: Read) -> None:
    bullet = '<a:buClr><a:srgbClr val="00FF00"/></a:buClr><a:buFont typeface="Wingdings"/><a:buChar char="§"/>'
    paragraph = (
        f'<a:p><a:pPr marL="171450" indent="-171450"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc>{bullet}'
        "<a:tabLst/></a:pPr><a:r><a:t>{{text | markdown}}</a:t></a:r></a:p>"
    )
    deck = fill(paragraph, text="- a\n  - b\n\n1. c")
    assert _bullets(deck) == [("a", 0, "§"), ("b", 1, "§"), ("c", 0, "arabicPeriod1")]
    xml = read_part(deck.content, "ppt/slides/slide1.xml")
    start = '<a:pPr marL="628650" indent="-171450" lvl="1"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc>'
    assert f"{start}{bullet}<a:tabLst/></a:pPr>" in xml
    assert '<a:buFont typeface="+mj-lt"/><a:buAutoNum' in xml


def test_text_that_is_merely_indented_is_no_code(fill: Fill) -> None:
    deck = fill(_TAGGED, text="\n    **Dear** Ada\n    and Bo\n\n        Bye")
    assert [paragraph.text for paragraph in paragraphs_of(deck)] == ["Dear Ada and Bo", "Bye"]
    assert runs_of(deck)[0][:2] == ("Dear", True)


_PLACEHOLDER = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr/><p:nvPr><p:ph type="body" idx="1"/></p:nvPr>'
    "</p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle>%s</a:lstStyle>%s</p:txBody></p:sp>"
)
_BODY_STYLE = (
    '<p:bodyStyle><a:lvl1pPr marL="1000" indent="-1000"><a:buChar char="+"/></a:lvl1pPr>'
    '<a:lvl2pPr marL="2000" indent="-1000"><a:buNone/></a:lvl2pPr></p:bodyStyle>'
)


@pytest.mark.parametrize(
    ("own", "bullets"),
    [
        ("", ["", ""]),
        ("<a:lvl1pPr><a:buNone/></a:lvl1pPr>", ["•", ""]),
        ("<a:lvl2pPr><a:buNone/></a:lvl2pPr>", ["", "•"]),
    ],
)
def test_a_list_style_of_the_shape_wins_over_the_masters(slide_template: Make, own: str, bullets: list[str]) -> None:
    template = compile_template(slide_template(_PLACEHOLDER % (own, _TAGGED)))
    deck = whole_deck(template, {"text": "- a\n  - b"})
    assert [bullet for _, _, bullet in _bullets(deck)] == bullets


def test_a_paragraph_that_wants_no_bullets_gets_those_of_the_value(slide_template: Make) -> None:
    paragraph = _TAGGED.replace("<a:p>", '<a:p><a:pPr marL="0" indent="0"><a:buNone/></a:pPr>')
    deck = whole_deck(compile_template(slide_template(_PLACEHOLDER % ("", paragraph))), {"text": "a\n\n- b"})
    assert _bullets(deck) == [("a", 0, "none"), ("b", 0, "•")]


def test_items_in_a_placeholder_take_the_bullets_of_its_master(
    make_template: Callable[[Callable[[Any], None]], bytes],
    read_part: Read,
    replace_parts: Callable[[bytes, dict[str, bytes]], bytes],
) -> None:
    def add(presentation: Any) -> None:
        presentation.slides.add_slide(presentation.slide_layouts[1]).placeholders[1].text = "{{text | markdown}}"

    template = make_template(add)
    name = "ppt/slideMasters/slideMaster1.xml"
    master = re.sub("<p:bodyStyle>.*</p:bodyStyle>", _BODY_STYLE, read_part(template, name), flags=re.DOTALL)
    template = replace_parts(template, {name: master.encode()})
    deck = whole_deck(compile_template(template), {"text": "- a\n  - b\n\n1. c\n\n   d"})
    presentation: Any = Presentation(io.BytesIO(deck.content))
    body = presentation.slides[0].placeholders[1].text_frame.paragraphs
    properties = [paragraph._p.pPr for paragraph in body]  # noqa: SLF001 - python-pptx has no bullets
    assert [(p.get("marL"), p.get("indent"), len(p)) for p in properties] == [
        (None, None, 0),
        ("742950", "-285750", 2),
        (None, None, 2),
        (None, "0", 1),
    ]


def test_beside_other_text_markdown_stays_in_its_paragraph(fill: Fill) -> None:
    deck = fill(
        '<a:p><a:r><a:rPr i="1"/><a:t>Note: {{text | markdown}} (end)</a:t></a:r></a:p>', text="**a**\n\n- b\n- c"
    )
    assert len(paragraphs_of(deck)) == 1
    assert paragraphs_of(deck)[0].text == "Note: a\vb\vc (end)"
    assert runs_of(deck)[:2] == [("Note: ", None, True, None), ("a", True, True, None)]


@pytest.mark.parametrize("text", ["", "  \n ", "[a]: http://x.dk", None])
def test_an_empty_value_leaves_an_empty_paragraph_of_the_same_format(fill: Fill, text: str | None) -> None:
    deck = fill('<a:p><a:r><a:rPr sz="4000"/><a:t>{{text | markdown}}</a:t></a:r></a:p>', text=text)
    assert [paragraph.text for paragraph in paragraphs_of(deck)] == [""]
    assert paragraphs_of(deck)[0].runs[0].font.size == Pt(40)
    assert [finding.code for finding in deck.findings] == ([] if text is not None else ["missing-value"])


def test_html_and_xml_in_markdown_are_text(fill: Fill) -> None:
    deck = fill(_TAGGED, text='<b onclick="x">A & B</b> &amp; \x01&#1; </a:t>\n\n<script>\n1\n</script>')
    assert [paragraph.text for paragraph in paragraphs_of(deck)] == [
        '<b onclick="x">A & B</b> & � </a:t>',
        "<script> 1 </script>",
    ]


def test_an_unsafe_link_in_markdown_is_text_and_a_finding(fill: Fill) -> None:
    deck = fill(_TAGGED, text="[a](javascript:alert(1)) [b](file:///etc/passwd) [c](//server/share) [d](../e.pdf)")
    assert [run[3] for run in runs_of(deck)] == [None, None, None, None, "https://server/share", None, None]
    assert [finding.code for finding in deck.findings] == ["unsafe-address"] * 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a" * 20_001, "20,001 characters"),
        ("\n".join("  " * level + "- a" for level in range(10)), "nested too deep"),
        ("> " * 5_000 + "a", "nested too deep"),
        (["a"], "it is a list"),
    ],
)
def test_what_is_too_much_is_refused_in_words(text_template: Make, text: object, reason: str) -> None:
    with pytest.raises(BadData, match=reason) as refusal:
        whole_deck(compile_template(text_template(_TAGGED)), {"text": text})
    assert (refusal.value.shape, refusal.value.path) == ("Box", "text")


def test_nine_levels_of_lists_are_nine_levels(fill: Fill) -> None:
    deck = fill(_TAGGED, text="\n".join("  " * level + "- a" for level in range(9)))
    assert [level for _, level, _ in _bullets(deck)] == list(range(9))


def test_levels_begin_at_that_of_the_template_and_end_at_the_last(fill: Fill) -> None:
    paragraph = '<a:p><a:pPr lvl="7"/><a:r><a:t>{{text | markdown}}</a:t></a:r></a:p>'
    deck = fill(paragraph, text="- a\n  - b\n    - c")
    assert [level for _, level, _ in _bullets(deck)] == [7, 8, 8]


@pytest.mark.parametrize("prefix", ["", "d"])
def test_a_paragraph_may_declare_its_namespace_itself(text_template: Make, prefix: str) -> None:
    name, colon = ("xmlns:" + prefix, prefix + ":") if prefix else ("xmlns", "")
    paragraph = (
        f'<{colon}p {name}="{A[1:-1]}"><{colon}r><{colon}t>%s{{{{text | markdown}}}}</{colon}t></{colon}r></{colon}p>'
    )
    deck = whole_deck(compile_template(text_template(paragraph % "" + paragraph % "so: ")), {"text": "**a**\n\n- b"})
    assert_sound(deck.content)
    assert [paragraph.text for paragraph in paragraphs_of(deck)] == ["a", "b", "so: a\vb"]


def test_rich_values_repeat_with_their_block(fill: Fill) -> None:
    paragraphs = "".join(
        f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in ("{{#items}}", "{{. | markdown}}", "{{/items}}")
    )
    deck = fill(paragraphs, items=["**a**", "- b"])
    assert _bullets(deck) == [("a", 0, ""), ("b", 0, "•")]


def test_where_only_text_can_stand_markdown_is_text(slide_template: Make, read_part: Read) -> None:
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box" descr="{{text | markdown}}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        "<p:spPr/></p:sp>"
    )
    deck = whole_deck(compile_template(slide_template(shape)), {"text": "**a** [b](http://x.dk)"})
    assert 'descr="a b"' in read_part(deck.content, "ppt/slides/slide1.xml")


@pytest.mark.parametrize("tag", ["{{text | markdown}}", "{{text | link}}", '{{text | link:"More"}}', "{{text | goto}}"])
@pytest.mark.parametrize(
    ("first", "last"), [("{{#on}}TAG", "{{/on}}"), ("{{#on}}", "TAG{{/on}}"), ("{{#on}} TAG ", "TAG {{/on}}")]
)
@pytest.mark.parametrize("runs", [1, 2])
def test_a_tag_alone_beside_the_mark_of_a_block_of_several_paragraphs_stays(
    fill: Fill, tag: str, first: str, last: str, runs: int
) -> None:
    texts = [text.replace("TAG", "</a:t></a:r><a:r><a:t>" * (runs - 1) + tag) for text in (first, "Middle", last)]
    deck = fill(
        "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts), on=True, text="https://example.com"
    )
    shown = [paragraph.text for paragraph in paragraphs_of(deck)]
    word = "More" if "More" in tag else "https://example.com"
    assert [text.strip() for text in shown] == [word] * ("TAG" in first) + ["Middle"] + [word] * ("TAG" in last)


def test_only_what_stands_in_a_block_repeats_beside_a_link(fill: Fill) -> None:
    paragraph = "<a:p><a:r><a:t>{{#items}}{{.}},{{/items}}{{text | link}}</a:t></a:r></a:p>"
    deck = fill(paragraph, items=["a", "b"], text="https://example.com")
    assert [one.text for one in paragraphs_of(deck)] == ["a,b,https://example.com"]
