"""Tags in the text of slides: filled wherever PowerPoint cut them, and nothing else changes."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meetdeck.present.deck import BadData, SlideRequest, TemplateError, build_deck, compile_template, whole_deck

Make = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]
Read = Callable[[bytes, str], str]

_SLIDE = "ppt/slides/slide1.xml"
_FIXTURES_ARE_FUNCTIONS = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40
)


def _run(text: str, properties: str = "") -> str:
    return f"<a:r>{properties}<a:t>{text}</a:t></a:r>"


def _paragraph(*runs: str) -> str:
    return f"<a:p>{''.join(runs)}</a:p>"


def test_a_tag_is_filled(text_template: Make, slide_texts: Texts, check_whole: Callable[[bytes], None]) -> None:
    deck = whole_deck(
        compile_template(text_template(_paragraph(_run("Dear {{ customer.name }}!")))), {"customer": {"name": "Ada"}}
    )
    assert slide_texts(deck.content) == [["Dear Ada!"]]
    assert deck.findings == ()
    check_whole(deck.content)


def test_a_tag_split_over_runs_is_filled_with_the_format_of_its_first_brace(
    text_template: Make, read_part: Read
) -> None:
    bold, italic = '<a:rPr lang="en-GB" b="1"/>', '<a:rPr lang="da-DK" i="1"/>'
    runs = [_run("Hi {", bold), _run("{cust", italic), _run("omer", bold), _run(".name}} bye", italic)]
    deck = whole_deck(compile_template(text_template(_paragraph(*runs))), {"customer": {"name": "Ada"}})
    expected = _paragraph(_run("Hi Ada", bold), _run(" bye", italic))
    assert expected in read_part(deck.content, _SLIDE)


def test_a_proofing_mark_in_the_middle_of_a_tag_does_not_matter(text_template: Make, slide_texts: Texts) -> None:
    runs = [_run("{{", '<a:rPr err="1"/>'), _run("fornavn", '<a:rPr err="1" dirty="0"/>'), _run("}}")]
    deck = whole_deck(compile_template(text_template(_paragraph(*runs))), {"fornavn": "Åse"})
    assert slide_texts(deck.content) == [["Åse"]]


def test_a_line_break_inside_a_tag_goes(text_template: Make, slide_texts: Texts) -> None:
    paragraph = _paragraph(_run("A {{customer."), "<a:br><a:rPr/></a:br>", _run("name}} B"), "<a:br/>", _run("C"))
    deck = whole_deck(compile_template(text_template(paragraph)), {"customer": {"name": "Ada"}})
    assert slide_texts(deck.content) == [["A Ada B\vC"]]


def test_tags_next_to_one_another_are_all_filled(text_template: Make, slide_texts: Texts) -> None:
    paragraph = _paragraph(_run("{{a}}{{b}}"), _run("{{a}"), _run("}{{b}}x"))
    deck = whole_deck(compile_template(text_template(paragraph)), {"a": "1", "b": "2"})
    assert slide_texts(deck.content) == [["1212x"]]


def test_a_line_break_in_a_value_keeps_the_format_and_the_link_of_the_run(text_template: Make, read_part: Read) -> None:
    properties = '<a:rPr lang="en-GB" b="1"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:rPr>'
    deck = whole_deck(
        compile_template(text_template(_paragraph(_run("[{{address}}]", properties)))), {"address": "Road 1\r\nTown"}
    )
    expected = f"{_run('[Road 1', properties)}<a:br>{properties}</a:br>{_run('Town]', properties)}"
    assert expected in read_part(deck.content, _SLIDE)


def test_outside_of_tags_not_one_character_changes(text_template: Make, read_part: Read) -> None:
    untouched = _paragraph(_run("  a &amp; b &lt; c\t{ d } "), "<a:br/>", _run("\u00a0\u200b"), _run(""))
    deck = whole_deck(compile_template(text_template(untouched + _paragraph(_run(" {{x}} ")))), {"x": "y"})
    assert untouched.replace("<a:t></a:t>", "<a:t/>") in read_part(deck.content, _SLIDE)
    assert "<a:t> y </a:t>" in read_part(deck.content, _SLIDE)


def test_what_stands_for_a_formula_is_filled_like_the_formula(text_template: Make, read_part: Read) -> None:
    formula = (
        '<a:p xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:AlternateContent>'
        '<mc:Choice xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" Requires="a14"><a14:m><m:t '
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">{{rate}}</m:t></a14:m></mc:Choice>'
        "<mc:Fallback><a:r><a:t>{{rate}}</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p>"
    )
    slide = read_part(whole_deck(compile_template(text_template(formula)), {"rate": 7}).content, _SLIDE)
    assert slide.count("7<") == 2
    assert "{{" not in slide


def test_escaped_braces_stay_as_braces(text_template: Make, slide_texts: Texts) -> None:
    deck = whole_deck(compile_template(text_template(_paragraph(_run(r"\{{name}} is {{name}}")))), {"name": "Ada"})
    assert slide_texts(deck.content) == [["{{name}} is Ada"]]


def test_escaped_braces_are_literal_where_nothing_else_is_filled(text_template: Make, slide_texts: Texts) -> None:
    deck = whole_deck(compile_template(text_template(_paragraph(_run(r"Write \{{name}}")))), {})
    assert slide_texts(deck.content) == [["Write {{name}}"]]


def test_a_template_without_tags_keeps_the_bytes_of_its_slides(text_template: Make, read_part: Read) -> None:
    template = text_template(_paragraph(_run("plain")))
    deck = whole_deck(compile_template(template), {})
    assert read_part(deck.content, _SLIDE) == read_part(template, _SLIDE)


@pytest.mark.parametrize("data", [{}, {"name": None}, {"other": "x"}])
def test_a_missing_value_is_empty_text_and_a_finding(
    text_template: Make, slide_texts: Texts, data: dict[str, object]
) -> None:
    deck = whole_deck(compile_template(text_template(_paragraph(_run("[{{name}}]")))), data)
    assert slide_texts(deck.content) == [["[]"]]
    (finding,) = deck.findings
    assert (finding.type, finding.code, finding.location) == ("Warning", "missing-value", "Slide 1")
    assert (finding.details["shape"], finding.details["tag"], finding.details["paragraph"]) == ("Box", "{{name}}", 1)


def test_a_list_as_text_is_refused_with_its_place(text_template: Make) -> None:
    template = compile_template(text_template(_paragraph(_run("{{customer.names}}"))))
    good, bad = {"customer": {"names": "Ada"}}, {"customer": {"names": ["Ada", "Bo"]}}
    with pytest.raises(BadData) as caught:
        build_deck(template, [SlideRequest("Slide 1", good), SlideRequest("Slide 1", bad)])
    problem = caught.value
    assert (problem.slide, problem.shape, problem.tag) == ("Slide 1", "Box", "{{customer.names}}")
    assert (problem.path, problem.position_in_request) == ("customer.names", 1)
    assert "list" in problem.reason


def test_an_unclosed_tag_refuses_the_template_and_says_where(text_template: Make) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(text_template(_paragraph(_run("fine")) + _paragraph(_run("{{customer.name"))))
    (finding,) = caught.value.findings
    assert (finding.code, finding.location, finding.details["paragraph"]) == ("unclosed-tag", "Slide 1", 2)
    assert finding.details["suggestion"] == "{{customer.name}}"


def test_a_directive_in_a_text_is_refused_with_the_place_where_it_belongs(text_template: Make) -> None:
    with pytest.raises(TemplateError, match="belongs in the alternative text"):
        compile_template(text_template(_paragraph(_run("{{image:logo}}"))))


def test_tags_in_tables_groups_and_alternative_text_are_filled(slide_template: Make, read_part: Read) -> None:
    cell = (
        "<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>{{cell}}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>"
    )
    table = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="T" descr="Of {{name}}"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/><a:tblGrid>'
        f'<a:gridCol w="9"/></a:tblGrid><a:tr h="9">{cell}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>'
    )
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" name="G"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
        '<p:sp><p:nvSpPr><p:cNvPr id="6" name="Inner"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>'
        "<a:p><a:r><a:t>{{inner}}</a:t></a:r></a:p></p:txBody></p:sp></p:grpSp>"
    )
    deck = whole_deck(
        compile_template(slide_template(table + group)), {"cell": "C&C", "name": 'A "b"\nc', "inner": "I"}
    )
    slide = read_part(deck.content, _SLIDE)
    assert "<a:t>C&amp;C</a:t>" in slide
    assert "<a:t>I</a:t>" in slide
    assert 'descr="Of A &quot;b&quot;&#10;c"' in slide


@_FIXTURES_ARE_FUNCTIONS
@given(value=st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=60))
def test_any_value_comes_back_exactly(text_template: Make, slide_texts: Texts, value: str) -> None:
    deck = whole_deck(compile_template(text_template(_paragraph(_run("[{{x}}]")))), {"x": value})
    assert slide_texts(deck.content) == [[f"[{value}]"]]


@_FIXTURES_ARE_FUNCTIONS
@given(cuts=st.lists(st.integers(0, 34), max_size=9))
def test_a_tag_cut_anywhere_is_filled(text_template: Make, slide_texts: Texts, cuts: list[int]) -> None:
    text = "Dear {{customer.name}} ({{number}})"
    edges = sorted({0, len(text), *cuts})
    runs = [_run(text[start:end], f'<a:rPr sz="{start + 100}"/>') for start, end in pairwise(edges)]
    deck = whole_deck(compile_template(text_template(_paragraph(*runs))), {"customer": {"name": "Ada"}, "number": 7})
    assert slide_texts(deck.content) == [["Dear Ada (7)"]]
