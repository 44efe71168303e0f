"""Colors of shapes, cells and text from the data: `{{fill:status}}`, `{{line:status}}`, `{{change | color:"red"}}`."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from meetdeck.present.deck import TemplateError, compile_template, whole_deck

SLIDE = "ppt/slides/slide1.xml"
GREEN = '<a:solidFill><a:srgbClr val="00B050"/></a:solidFill>'
RED = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
OWN = (
    '<a:gradFill><a:gsLst><a:gs pos="0"><a:schemeClr val="accent1"/></a:gs><a:gs pos="100000">'
    '<a:schemeClr val="accent2"/></a:gs></a:gsLst><a:lin ang="0"/></a:gradFill>'
)
SHAPE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Light" descr="%s"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="ellipse"><a:avLst/>'
    "</a:prstGeom>%s</p:spPr></p:sp>"
)
FRAME = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="Table" descr="%s"/><p:cNvGraphicFramePr/><p:nvPr/>'
    '</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="4000000" cy="740000"/></p:xfrm><a:graphic>'
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/><a:tblGrid>'
    '<a:gridCol w="2000000"/><a:gridCol w="2000000"/></a:tblGrid>%s</a:tbl></a:graphicData></a:graphic>'
    "</p:graphicFrame>"
)
CELL = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>%s</a:t></a:r></a:p></a:txBody>%s</a:tc>"

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]


def row(*cells: str) -> str:
    """Return a row of cells whose properties have a border, behind which a fill belongs."""
    properties = '<a:tcPr><a:lnB><a:noFill/></a:lnB><a:extLst><a:ext uri="{1}"/></a:extLst></a:tcPr>'
    return f'<a:tr h="370000">{"".join(CELL % (text, properties) for text in cells)}</a:tr>'


@pytest.mark.parametrize(
    ("color", "filled"),
    [
        ("green", GREEN),
        ("#00b050", GREEN),
        ("Accent 2", '<a:solidFill><a:schemeClr val="accent2"/></a:solidFill>'),
        ("background1", '<a:solidFill><a:schemeClr val="bg1"/></a:solidFill>'),
        ("none", "<a:noFill/>"),
        ("auto", OWN),
        (None, OWN),
    ],
)
def test_a_shape_is_filled_with_the_color_of_the_data(
    slide_template: Make, read_part: Read, check_whole: Check, color: str | None, filled: str
) -> None:
    compiled = compile_template(slide_template(SHAPE % ("{{fill:status}} A light", OWN + "<a:effectLst/>")))

    deck = whole_deck(compiled, {"status": color})

    slide = read_part(deck.content, SLIDE)
    assert f"</a:prstGeom>{filled}<a:effectLst/></p:spPr>" in slide
    assert 'descr="A light"' in slide
    assert not deck.findings
    check_whole(deck.content)


def test_a_shape_without_fill_and_line_gets_both_in_their_places(
    slide_template: Make, read_part: Read, check_whole: Check
) -> None:
    compiled = compile_template(slide_template(SHAPE % ("{{line:edge}}{{fill:status}}", "<a:effectLst/>")))

    deck = whole_deck(compiled, {"status": "green", "edge": "red"}).content

    assert f"</a:prstGeom>{GREEN}<a:ln>{RED}</a:ln><a:effectLst/>" in read_part(deck, SLIDE)
    check_whole(deck)


def test_an_outline_keeps_its_width_and_dashes(slide_template: Make, read_part: Read) -> None:
    own = '<a:ln w="38100"><a:noFill/><a:prstDash val="dash"/></a:ln>'
    compiled = compile_template(slide_template(SHAPE % ("{{line:edge}}", own)))

    slide = read_part(whole_deck(compiled, {"edge": "red"}).content, SLIDE)

    assert f'<a:ln w="38100">{RED}<a:prstDash val="dash"/></a:ln>' in slide


@pytest.mark.parametrize("value", ["greenish", 7, ["red"], {"a": 1}, True])
def test_what_is_no_color_is_a_finding_and_leaves_the_authors_own(
    slide_template: Make, read_part: Read, value: object
) -> None:
    compiled = compile_template(slide_template(SHAPE % ("{{fill:goal.status}}", OWN)))

    deck = whole_deck(compiled, {"goal": {"status": value}})

    assert OWN in read_part(deck.content, SLIDE)
    (found,) = deck.findings
    assert (found.type, found.code) == ("Warning", "bad-color")
    assert (found.details["path"], found.details["shape"]) == ("goal.status", "Light")


def test_a_color_that_is_missing_is_a_finding(slide_template: Make) -> None:
    compiled = compile_template(slide_template(SHAPE % ("{{fill:status}}", "")))

    assert [finding.code for finding in whole_deck(compiled, {}).findings] == ["missing-value"]


def test_a_picture_and_a_fill_for_one_shape_are_a_finding(slide_template: Make) -> None:
    compiled = compile_template(slide_template(SHAPE % ("{{image:photo}}{{fill:status}}", "")))

    assert [finding.code for finding in compiled.findings] == ["missing-target"]


def test_each_repeated_row_colors_its_own_cells(slide_template: Make, read_part: Read, check_whole: Check) -> None:
    rows = row("{{#goals}}{{fill:status}} {{name}}", "{{saved}}{{/goals}}")
    compiled = compile_template(slide_template(FRAME % ("", rows)))
    goals = [{"name": "House", "saved": 1, "status": "green"}, {"name": "Car", "saved": 2, "status": "bad"}]

    deck = whole_deck(compiled, {"goals": goals})

    slide = read_part(deck.content, SLIDE)
    assert re.findall("<a:t>([^<]*)</a:t>", slide) == ["House", "1", "Car", "2"]
    assert slide.count(GREEN) == 1
    assert f"</a:lnB>{GREEN}<a:extLst>" in slide
    assert [finding.details["path"] for finding in deck.findings] == ["goals.1.status"]
    check_whole(deck.content)


def test_a_second_color_for_one_cell_is_a_finding(slide_template: Make, read_part: Read, check_whole: Check) -> None:
    compiled = compile_template(slide_template(FRAME % ("", row("{{fill:a}}{{fill:b}}", "x"))))

    deck = whole_deck(compiled, {"a": "green", "b": "red"}).content

    assert [finding.code for finding in compiled.findings] == ["missing-target"]
    assert (GREEN in read_part(deck, SLIDE), RED in read_part(deck, SLIDE)) == (True, False)
    check_whole(deck)


def test_a_table_of_the_data_colors_its_cells(slide_template: Make, read_part: Read, check_whole: Check) -> None:
    rows = row("a", "{{status}} {{fill:status}}")
    compiled = compile_template(slide_template(FRAME % ("{{table:goals}}", rows)))

    deck = whole_deck(compiled, {"goals": [{"name": "House", "status": "green"}, {"name": "Car", "status": "red"}]})

    slide = read_part(deck.content, SLIDE)
    assert (slide.count(GREEN), slide.count(RED)) == (1, 1)
    check_whole(deck.content)


def test_a_fill_in_the_text_of_a_shape_is_refused(text_template: Make) -> None:
    with pytest.raises(TemplateError) as refused:
        compile_template(text_template("<a:p><a:r><a:t>{{fill:status}}</a:t></a:r></a:p>"))

    assert [finding.code for finding in refused.value.findings] == ["misplaced-directive"]


def test_a_colored_tag_is_a_run_of_its_own(text_template: Make, read_part: Read, check_whole: Check) -> None:
    format_ = (
        '<a:rPr sz="1800"><a:ln/><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="X"/></a:rPr>'
    )
    text = f'<a:p><a:pPr lvl="1"/><a:r>{format_}<a:t>It is {{{{change | number:1 | negative}}}} %</a:t></a:r></a:p>'
    compiled = compile_template(text_template(text))

    fallen = read_part(whole_deck(compiled, {"change": -3.25}).content, SLIDE)
    risen = read_part(whole_deck(compiled, {"change": 3.25}).content, SLIDE)

    assert re.findall("<a:t>([^<]*)</a:t>", fallen) == ["It is ", "-3.3", " %"]
    assert f'<a:rPr sz="1800"><a:ln/>{RED}<a:latin typeface="X"/></a:rPr><a:t>-3.3</a:t>' in fallen
    assert fallen.count(RED) == 1
    assert RED not in risen
    check_whole(whole_deck(compiled, {"change": -3.25}).content)


@pytest.mark.parametrize(
    ("tag", "data", "color"),
    [
        ('{{change | color:"green"}}', {"change": "x"}, GREEN),
        ("{{change | color:status}}", {"change": "x", "status": "green"}, GREEN),
        ('{{change | color:"red, 50: green"}}', {"change": 50}, GREEN),
        ('{{change | color:"red, 50: green"}}', {"change": 49.9}, RED),
        ("{{change | link:'x'}} {{change | color:'red'}}", {"change": "http://x"}, RED),
    ],
)
def test_a_text_has_its_color_from_the_filter_or_the_data(
    text_template: Make, read_part: Read, check_whole: Check, tag: str, data: dict[str, object], color: str
) -> None:
    compiled = compile_template(text_template(f"<a:p><a:r><a:t>{tag}</a:t></a:r></a:p>"))

    deck = whole_deck(compiled, data)

    assert f"<a:rPr>{color}</a:rPr>" in read_part(deck.content, SLIDE)
    assert not deck.findings
    check_whole(deck.content)


def test_bounds_for_what_is_no_number_are_a_finding(text_template: Make) -> None:
    compiled = compile_template(text_template("<a:p><a:r><a:t>{{a | color:'red, 5: green'}}</a:t></a:r></a:p>"))

    (found,) = whole_deck(compiled, {"a": "high"}).findings

    assert (found.code, found.details["path"]) == ("bad-color", "a")


@pytest.mark.parametrize(
    "filters",
    [
        'color:"grean"',
        'color:"#12"',
        'color:"red, green"',
        'color:"red, 9: x"',
        'steps:"a, 3: b, 2: c"',
        "color | upper",
    ],
)
def test_a_filter_that_names_no_color_refuses_the_template(text_template: Make, filters: str) -> None:
    with pytest.raises(TemplateError) as refused:
        compile_template(text_template(f"<a:p><a:r><a:t>{{{{change | {filters}}}}}</a:t></a:r></a:p>"))

    assert [finding.code for finding in refused.value.findings] == ["bad-filter"]


def test_steps_say_what_a_number_stands_for(text_template: Make, slide_texts: Callable[[bytes], Any]) -> None:
    tags = "{{a | steps:'low, 50: fair, 80: good'}} {{b | steps:'low, 50: fair, 80: good'}}"
    compiled = compile_template(text_template(f"<a:p><a:r><a:t>{tags}</a:t></a:r></a:p>"))

    assert slide_texts(whole_deck(compiled, {"a": 79.9, "b": "80"}).content) == [["fair good"]]


def test_the_example_has_colors_and_the_schema_says_which(slide_template: Make) -> None:
    compiled = compile_template(slide_template(SHAPE % ("{{fill:status}}", "")))

    assert compiled.fields.example == {"status": "accent1"}
    assert "accent1 to accent6" in str(compiled.fields.schema["properties"])


@pytest.mark.parametrize(
    ("rule", "data", "color"),
    [
        ('"red" if change < 0 else "green"', {"change": -1}, RED),
        ('"red" if change < 0 else "green"', {"change": 1}, GREEN),
        ('score | steps:"red, 50: amber, 80: green"', {"score": 80}, GREEN),
        ('score | steps:"red, 50: amber, 80: green"', {"score": 12.5}, RED),
        ('"red" if change < 0 else "auto"', {"change": -1}, RED),
        ('goals | count | steps:"red, 1: green"', {"goals": [1]}, GREEN),
    ],
)
def test_a_shape_and_a_cell_are_colored_by_rule(
    slide_template: Make, read_part: Read, check_whole: Check, rule: str, data: dict[str, object], color: str
) -> None:
    escaped = f"{{{{fill:{rule}}}}}".replace('"', "&quot;").replace("<", "&lt;")
    compiled = compile_template(slide_template(SHAPE % (escaped, "") + FRAME % ("", row(escaped, "x"))))

    deck = whole_deck(compiled, data)

    assert read_part(deck.content, SLIDE).count(color) == 2
    assert not deck.findings
    check_whole(deck.content)


@pytest.mark.parametrize("tag", ["{{a - b | number:1 | negative}}", '{{list | sum:"v" | number:1 | negative}}'])
def test_a_computed_number_is_red_below_zero(text_template: Make, read_part: Read, tag: str) -> None:
    compiled = compile_template(text_template(f"<a:p><a:r><a:t>{tag}</a:t></a:r></a:p>"))

    slide = read_part(whole_deck(compiled, {"a": 1, "b": 3, "list": [{"v": -2}]}).content, SLIDE)

    assert f"<a:rPr>{RED}</a:rPr><a:t>-2.0</a:t>" in slide


def test_a_rule_for_one_leaves_the_others_as_they_are(slide_template: Make, read_part: Read) -> None:
    compiled = compile_template(
        slide_template(SHAPE % ("{{fill:&quot;red&quot; if change &lt; 0 else &quot;auto&quot;}}", OWN))
    )

    deck = whole_deck(compiled, {"change": 1})

    assert OWN in read_part(deck.content, SLIDE)
    assert not deck.findings


def test_what_a_rule_needs_is_asked_of_the_data(slide_template: Make) -> None:
    rule = "{{fill:&quot;red&quot; if change &lt; 0 else &quot;green&quot;}}"
    compiled = compile_template(slide_template(SHAPE % (rule, "")))

    assert list(compiled.fields.example) == ["change"]
    assert "'change': {'type': ['number', 'string', 'null']" in str(compiled.fields.schema["properties"])
