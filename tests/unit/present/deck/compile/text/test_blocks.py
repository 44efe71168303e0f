"""Blocks: rows, paragraphs and text that repeat for each item, or stand only when something is there."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from meetdeck.present.deck import Finding, TemplateError, compile_template, validate_template, whole_deck

Make = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]

_SLIDE = "ppt/slides/slide1.xml"
_ROW_ID = (
    '<a:extLst><a:ext uri="{0D108BD9-81ED-4DB2-BD59-A6C34878D82A}">'
    '<a16:rowId xmlns:a16="http://schemas.microsoft.com/office/drawing/2014/main" val="10001"/></a:ext></a:extLst>'
)


def _paragraphs(*texts: str) -> str:
    return "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)


def _table(*rows: tuple[str, ...]) -> str:
    grid = '<a:gridCol w="9"/>' * len(rows[0])
    body = "".join(
        '<a:tr h="7">'
        + "".join(
            f"<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{_paragraphs(*cell.split('¶'))}</a:txBody><a:tcPr/></a:tc>"
            for cell in row
        )
        + f"{_ROW_ID}</a:tr>"
        for row in rows
    )
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="T"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/>'
        f"<a:tblGrid>{grid}</a:tblGrid>{body}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


@pytest.fixture
def fill_text(text_template: Make, slide_texts: Texts, check_whole: Check) -> Callable[..., list[str]]:
    """Fill one shape's paragraphs and return them."""

    def fill(paragraphs: str, data: dict[str, Any]) -> list[str]:
        deck = whole_deck(compile_template(text_template(paragraphs)), data)
        check_whole(deck.content)
        ((text,),) = slide_texts(deck.content)
        return text.split("\n")

    return fill


@pytest.fixture
def fill_table(slide_template: Make, table_cells: Callable[[bytes], Any], check_whole: Check) -> Callable[..., Any]:
    """Fill one table and return its cells."""

    def fill(data: dict[str, Any], *rows: tuple[str, ...]) -> list[list[str]]:
        deck = whole_deck(compile_template(slide_template(_table(*rows))), data)
        check_whole(deck.content)
        return table_cells(deck.content)

    return fill


def _refusals(template: bytes) -> list[Finding]:
    return [finding for finding in validate_template(template) if finding.type == "Error"]


_PEOPLE = {"people": [{"name": "Ada", "age": 36}, {"name": "Bo"}]}


def test_a_row_repeats_for_each_item(fill_table: Callable[..., Any]) -> None:
    rows = (("Name", "Age"), ("{{#people}}{{name}}", '{{age | default:"-"}}{{/people}}'), ("Total", "2"))
    assert fill_table(_PEOPLE, *rows) == [["Name", "Age"], ["Ada", "36"], ["Bo", "-"], ["Total", "2"]]


def test_rows_between_rows_of_marks_repeat_and_the_marks_rows_go(fill_table: Callable[..., Any]) -> None:
    rows = (("{{#people}}", ""), ("{{name}}", "a"), ("{{@number}}", "b"), ("", "{{/people}}"))
    assert fill_table(_PEOPLE, *rows) == [["Ada", "a"], ["1", "b"], ["Bo", "a"], ["2", "b"]]


def test_a_block_around_all_that_a_row_says_repeats_the_row(fill_table: Callable[..., Any]) -> None:
    assert fill_table(_PEOPLE, ("{{#people}}{{name}}{{/people}}", "")) == [["Ada", ""], ["Bo", ""]]


def test_a_block_inside_one_cell_of_several_stays_in_it(fill_table: Callable[..., Any]) -> None:
    row = ("{{#people}}{{name}}{{/people}}", "x {{#people}}{{name}}{{/people}}", "{{#none}}never{{/none}}", "kept")
    assert fill_table(_PEOPLE | {"none": []}, row) == [["Ada\nBo", "x AdaBo", "", "kept"]]


def test_a_row_inside_a_row_block_knows_both_items(fill_table: Callable[..., Any]) -> None:
    data = {"bank": "B", "funds": [{"name": "X", "parts": [{"share": 1}, {"share": 2, "name": "own"}]}]}
    rows = (("{{#funds}}{{name}}", ""), ("{{#parts}}{{name}} {{bank}}", "{{share}}{{/parts}}"), ("", "{{/funds}}"))
    assert fill_table(data, *rows) == [["X", ""], ["X B", "1"], ["own B", "2"]]


def test_a_table_keeps_a_row_when_none_is_left(fill_table: Callable[..., Any]) -> None:
    assert fill_table({"people": []}, ("{{#people}}{{name}}", "{{/people}}")) == [["", ""]]


def test_repeated_rows_do_not_share_their_unique_ids(slide_template: Make, read_part: Read) -> None:
    template = slide_template(_table(("{{#people}}{{name}}", "{{/people}}")))
    assert "rowId" not in read_part(whole_deck(compile_template(template), _PEOPLE).content, _SLIDE)


def test_two_blocks_that_want_one_row_are_refused(slide_template: Make) -> None:
    row = ("{{#a}}x", "{{/a}}", "{{#b}}y", "{{/b}}")
    assert [finding.code for finding in _refusals(slide_template(_table(row)))] == ["crossed-blocks"]


def _merge_down(table: str, text: str, rows: int) -> str:
    """Merge the cell that begins with a text with as many of the cells below as `rows` says."""
    before, _, after = table.partition(f"<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>{text}")
    first, *others = after.split("</a:tr>")
    for index in range(rows - 1):
        others[index] = others[index].replace("<a:tc>", '<a:tc vMerge="1">', 1)
    merged = f'<a:tc rowSpan="{rows}"><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>{text}'
    return "</a:tr>".join((before + merged + first, *others))


@pytest.mark.parametrize(("text", "rows"), [("All", 2), ("All", 4), ("{{#people}}", 2), ("End", 2)])
def test_a_block_that_would_tear_merged_cells_apart_is_refused(slide_template: Make, text: str, rows: int) -> None:
    table = _table(
        ("All", ""), ("{{#people}}", ""), ("{{name}}", "Yes"), ("End", "{{/people}}"), ("Sum", "x"), ("", "")
    )
    (finding,) = _refusals(slide_template(_merge_down(table, text, rows)))
    assert (finding.code, finding.details["tag"]) == ("merged-rows", "{{#people}}")


def test_merged_cells_inside_a_block_repeat_with_it(
    slide_template: Make, table_cells: Callable[[bytes], Any], check_whole: Check
) -> None:
    table = _merge_down(_table(("{{#people}}{{name}}", "Age"), ("", "{{age}}{{/people}}")), "{{#people}}", 2)
    deck = whole_deck(compile_template(slide_template(table)), {"people": [{"name": "Ada", "age": 1}] * 2})
    assert table_cells(deck.content) == [["Ada", "Age"], ["", "1"]] * 2
    check_whole(deck.content)


def test_a_bullet_repeats_when_the_block_is_all_it_says(fill_text: Callable[..., list[str]]) -> None:
    paragraphs = _paragraphs("Team", "{{#people}}{{@number}} {{name}}{{/people}}", "end")
    assert fill_text(paragraphs, _PEOPLE) == ["Team", "1 Ada", "2 Bo", "end"]


def test_paragraphs_between_marks_of_their_own_repeat(fill_text: Callable[..., list[str]]) -> None:
    paragraphs = _paragraphs("{{#people}}", "{{name}}", "({{@index}})", "{{/people}}", "end")
    assert fill_text(paragraphs, _PEOPLE) == ["Ada", "(0)", "Bo", "(1)", "end"]


def test_marks_at_the_edges_of_paragraphs_repeat_them(fill_text: Callable[..., list[str]]) -> None:
    assert fill_text(_paragraphs("{{#people}}{{name}}", "x{{/people}}"), _PEOPLE) == ["Ada", "x", "Bo", "x"]


def test_nested_marks_in_one_paragraph_keep_their_order(fill_text: Callable[..., list[str]]) -> None:
    data = {"groups": [{"members": ["a", "b"]}, {"members": ["c"]}]}
    paragraphs = _paragraphs("{{#groups}}{{#members}}", "{{.}}", "{{/members}}", "-", "{{/groups}}")
    assert fill_text(paragraphs, data) == ["a", "b", "-", "c", "-"]
    assert fill_text(_paragraphs("{{#groups}}{{#members}}{{.}}{{/members}}{{/groups}}"), data) == ["a", "b", "c"]


def test_text_repeats_inside_a_paragraph(fill_text: Callable[..., list[str]]) -> None:
    paragraphs = _paragraphs("With {{#people}}{{name}}{{^@last}} and {{/@last}}{{/people}}.")
    assert fill_text(paragraphs, _PEOPLE) == ["With Ada and Bo."]


def test_a_blank_before_the_end_keeps_what_is_repeated_in_one_paragraph(fill_text: Callable[..., list[str]]) -> None:
    assert fill_text(_paragraphs("{{#people}}{{name}}, {{/people}}"), _PEOPLE) == ["Ada, Bo, "]


def test_marks_in_different_runs_keep_the_format_of_each_run(
    text_template: Make, read_part: Read, check_whole: Check
) -> None:
    bold = '<a:rPr b="1"/>'
    paragraph = (
        f"<a:p><a:r><a:t>A {{{{#people}}}}x</a:t></a:r><a:r>{bold}<a:t>{{{{name}}}}</a:t></a:r>"
        "<a:r><a:t>;{{/people}} Z</a:t></a:r></a:p>"
    )
    deck = whole_deck(compile_template(text_template(paragraph)), _PEOPLE)
    check_whole(deck.content)
    repeated = "".join(
        f"<a:r><a:t>x</a:t></a:r><a:r>{bold}<a:t>{name}</a:t></a:r><a:r><a:t>;</a:t></a:r>" for name in ("Ada", "Bo")
    )
    expected = f"<a:p><a:r><a:t>A </a:t></a:r>{repeated}<a:r><a:t> Z</a:t></a:r></a:p>"
    assert expected in read_part(deck.content, _SLIDE)


def test_a_mark_split_over_runs_is_read(fill_text: Callable[..., list[str]]) -> None:
    runs = "".join(f"<a:r><a:t>{text}</a:t></a:r>" for text in ("a{{#peo", "ple}}", "{{na", "me}} {{/", "people}}b"))
    assert fill_text(f"<a:p>{runs}</a:p>", _PEOPLE) == ["aAda Bo b"]


@pytest.mark.parametrize("value", [False, None, 0, "", [], {}])
def test_an_inverted_block_stands_when_nothing_is_there(fill_text: Callable[..., list[str]], value: object) -> None:
    paragraphs = _paragraphs("a", "{{#x}}some{{/x}}", "{{^x}}none{{/x}}")
    assert fill_text(paragraphs, {"x": value}) == ["a", "none"]


@pytest.mark.parametrize("value", [True, 1, "text", {"a": 1}, [0]])
def test_a_block_over_anything_else_stands_once(fill_text: Callable[..., list[str]], value: object) -> None:
    paragraphs = _paragraphs("a", "{{#x}}some{{/x}}", "{{^x}}none{{/x}}")
    assert fill_text(paragraphs, {"x": value}) == ["a", "some"]


def test_a_condition_leaves_the_item_around_it_alone(fill_text: Callable[..., list[str]]) -> None:
    paragraphs = _paragraphs("{{#names}}{{#@first}}First {{.}}! {{/@first}}{{#loud}}{{.}}{{@index}}{{/loud}}{{/names}}")
    assert fill_text(paragraphs, {"names": ["a", "b"], "loud": True}) == ["First a! a0", "b1"]


def test_a_members_null_does_not_become_the_value_of_the_same_name_outside(fill_text: Callable[..., list[str]]) -> None:
    data = {"phone": "customer's", "people": [{"phone": None}, {}]}
    assert fill_text(_paragraphs("[{{#people}}{{phone}};{{/people}}]"), data) == ["[;customer's;]"]


def test_an_object_opens_its_members(fill_text: Callable[..., list[str]]) -> None:
    data = {"customer": {"name": "Ada", "address": {"city": "Oslo"}}, "name": "outside"}
    assert fill_text(_paragraphs("a {{#customer}}{{name}} {{address.city}}{{/customer}}"), data) == ["a Ada Oslo"]


def test_a_text_body_keeps_a_paragraph_when_none_is_left(
    text_template: Make, read_part: Read, slide_texts: Texts
) -> None:
    deck = whole_deck(compile_template(text_template(_paragraphs("{{#x}}some{{/x}}"))), {"x": False})
    assert slide_texts(deck.content) == [[""]]
    assert "<a:lstStyle/><a:p/></p:txBody>" in read_part(deck.content, _SLIDE)


def test_a_block_without_a_value_is_noticed_and_an_inverted_one_is_not(text_template: Make) -> None:
    template = compile_template(text_template(_paragraphs("{{#x}}{{.}}{{/x}}", "{{^y}}none{{/y}}")))
    (finding,) = whole_deck(template, {}).findings
    assert (finding.code, finding.details["path"], finding.details["tag"]) == ("missing-value", "x", "{{#x}}")


def test_what_is_wrong_in_an_item_is_named_with_its_number(text_template: Make) -> None:
    template = compile_template(text_template(_paragraphs("{{#people}}{{name}} {{age | number:0}}{{/people}}")))
    deck = whole_deck(template, {"people": [{"name": "Ada", "age": 1}, {"age": 2}]})
    assert [finding.details["path"] for finding in deck.findings] == ["people.1.name"]


@pytest.mark.parametrize(
    ("paragraphs", "code", "tag"),
    [
        (("{{#a}}x",), "unclosed-block", "{{#a}}"),
        (("x{{/a}}",), "unopened-block", "{{/a}}"),
        (("{{#a}}{{#b}}x{{/a}}{{/b}}",), "crossed-blocks", "{{/a}}"),
        (("intro {{#a}}x", "y{{/a}}"), "split-block", "{{#a}}"),
        (("{{#a}}x", "y{{/a}} end"), "split-block", "{{/a}}"),
    ],
)
def test_blocks_that_do_not_fit_are_refused(
    text_template: Make, paragraphs: tuple[str, ...], code: str, tag: str
) -> None:
    finding = _refusals(text_template(_paragraphs(*paragraphs)))[0]
    assert (finding.code, finding.details["tag"], finding.location) == (code, tag, "Slide 1")


def test_a_block_does_not_reach_into_the_next_shape(slide_template: Make) -> None:
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="{0}" name="Box {0}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr/>'
        "<p:txBody><a:bodyPr/>{1}</p:txBody></p:sp>"
    )
    shapes = shape.format(2, _paragraphs("{{#a}}")) + shape.format(3, _paragraphs("{{/a}}"))
    found = {(finding.code, finding.details["shape"]) for finding in _refusals(slide_template(shapes))}
    assert found == {("unclosed-block", "Box 2"), ("unopened-block", "Box 3")}


def test_blocks_work_in_alternative_texts_and_addresses(slide_template: Make, read_part: Read) -> None:
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box" descr="Of {{#people}}{{name}};{{/people}}"/><p:cNvSpPr/><p:nvPr/>'
        "</p:nvSpPr><p:spPr/></p:sp>"
    )
    deck = whole_deck(compile_template(slide_template(shape)), _PEOPLE)
    assert 'descr="Of Ada;Bo;"' in read_part(deck.content, _SLIDE)


def test_many_errors_in_one_text_are_all_reported(text_template: Make) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(text_template(_paragraphs("{{#a}}", "{{/b}}", "{{x", "{{y | nope}}")))
    codes = [finding.code for finding in caught.value.findings]
    assert codes == ["crossed-blocks", "unclosed-tag", "bad-filter", "unclosed-block"]


def test_threads_that_share_a_template_get_what_each_asked_for(text_template: Make, slide_texts: Texts) -> None:
    template = compile_template(text_template(_paragraphs("{{#rows}}{{name}}-{{@index}} {{/rows}}{{who}}")))

    def build(n: int) -> bytes:
        return whole_deck(template, {"who": str(n), "rows": [{"name": f"{n}.{row}"} for row in range(20)]}).content

    alone = [build(n) for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(build, range(40)))
    assert together == alone
    assert slide_texts(together[7])[0][0].startswith("7.0-0 7.1-1 ")
