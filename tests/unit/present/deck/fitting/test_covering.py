"""Shapes that became larger than in the template and cover others."""

from collections.abc import Callable

import pytest

from meetdeck.present.deck import Deck, compile_template, whole_deck
from support.fitting import EvenTypefaces, line, table, text_box

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]

_GROWS = "<a:bodyPr><a:spAutoFit/></a:bodyPr>"
_ROW = 254_000  # 20 points
_ROWS = [["{{#rows}}{{.}}", "x{{/rows}}"]]


@pytest.fixture
def fill(slide_template: Make, typefaces: EvenTypefaces) -> Callable[..., Deck]:
    """Fill a slide of the given shapes (XML)."""

    def fill(shapes: str, **data: object) -> Deck:
        return whole_deck(compile_template(slide_template(shapes)), data, typefaces=typefaces)

    return fill


def _shape(text: str, *, key: int, y: float, height: float = 24, body: str = "<a:bodyPr/>", x: float = 0) -> str:
    box = text_box(line(text), points=(100, height), y=y, body=body).replace(
        '<a:off x="0"', f'<a:off x="{round(x * 12_700)}"'
    )
    return box.replace('id="2" name="Box"', f'id="{key}" name="Box {key}"')


def _note(y: float, **more: float) -> str:
    return _shape("Important note", key=7, y=y, **more)  # pyright: ignore[reportArgumentType] - numbers alone


def _covers(deck: Deck) -> list[tuple[object, ...]]:
    found = [finding for finding in deck.findings if finding.code == "covers"]
    return [
        (one.type, one.location, *(one.details[name] for name in ("shape", "other", "millimeters"))) for one in found
    ]


@pytest.mark.parametrize("descr", ["", "{{table:rows}}"])
@pytest.mark.parametrize(("rows", "millimeters"), [(3, 0), (5, 0), (6, 8), (9, 29)])
def test_a_table_that_grows_over_a_text_is_found(
    fill: Callable[..., Deck], descr: str, rows: int, millimeters: int
) -> None:
    shapes = (
        table(_ROWS, heights=[_ROW], y=20, descr=descr)
        if not descr
        else table([["a", "b"]], heights=[_ROW], y=20, descr=descr)
    )
    data = [["a", "b"]] * rows if descr else ["a"] * rows
    # The rows have 100 points of room above the text.
    expected = [("Warning", "Slide 1", "Table", "Box 7", millimeters)] if millimeters else []
    assert _covers(fill(shapes + _note(120, height=60), rows=data)) == expected


def test_rows_that_stay_but_grow_are_found(fill: Callable[..., Deck]) -> None:
    shapes = table([["{{x}}", "b"]], heights=[_ROW]) + _note(30)
    assert _covers(fill(shapes, x="abcd " * 4)) == []
    ((*_, millimeters),) = _covers(fill(shapes, x="abcd " * 20))
    assert millimeters == 11


def test_a_shape_that_grows_over_another_is_found(fill: Callable[..., Deck]) -> None:
    shapes = _shape("{{x}}", key=2, y=0, body=_GROWS) + _note(50)
    assert _covers(fill(shapes, x="a\nb\nc\nd")) == []
    assert _covers(fill(shapes, x="a\nb\nc\nd\ne\nf")) == [("Warning", "Slide 1", "Box 2", "Box 7", 8)]
    assert _covers(fill(_note(50) + _shape("{{x}}", key=2, y=0, body=_GROWS), x="a\n" * 5 + "b")) != []


def test_two_that_grow_beside_each_other_do_not_cover_each_other(fill: Callable[..., Deck]) -> None:
    one, other = (_shape("{{x}}", key=key, y=0, x=x, body=_GROWS) for key, x in ((2, 0), (3, 120)))
    assert _covers(fill(one + other, x="a\n" * 20)) == []


@pytest.mark.parametrize(
    "other",
    [
        _shape("Beside", key=7, y=60, x=150),
        _shape("Above", key=7, y=0, height=15),
        # The ground on which it stands.
        _shape("Panel", key=7, y=0, height=500),
        _shape("Panel", key=7, y=30, height=500),
        # Nothing that anybody sees.
        _shape("", key=7, y=60),
        _shape("Hidden", key=7, y=60).replace('name="Box 7"', 'name="Box 7" hidden="1"'),
        _shape("Gone", key=7, y=60).replace('name="Box 7"', 'name="Box 7" descr="{{if:no}}"'),
        _shape("", key=7, y=60).replace("<p:nvPr/>", '<p:nvPr><p:ph type="body" idx="1"/></p:nvPr>'),
    ],
)
def test_what_is_not_newly_covered_is_no_finding(fill: Callable[..., Deck], other: str) -> None:
    shapes = other + _shape("{{x}}", key=2, y=20, height=30, body=_GROWS)
    assert _covers(fill(shapes, x="a\n" * 9, no=False)) == []


def test_only_what_is_newly_covered_counts(fill: Callable[..., Deck]) -> None:
    # In the template they overlap by 6 points.
    shapes = _shape("{{x}}", key=2, y=0, body=_GROWS) + _note(18, height=60)
    assert _covers(fill(shapes, x="a\nb")) == []
    assert _covers(fill(shapes, x="a\nb\nc\nd")) == [("Warning", "Slide 1", "Box 2", "Box 7", 9)]
    label = _shape("{{x}}", key=2, y=0, height=48, body=_GROWS) + _note(6, height=12)
    assert _covers(fill(label, x="a\n" * 9)) == []


@pytest.mark.parametrize(
    "painted",
    [
        "",
        '<a:solidFill><a:srgbClr val="00FF00"/></a:solidFill>',
        "<a:ln><a:solidFill><a:srgbClr val='0000FF'/></a:solidFill></a:ln>",
    ],
)
def test_shapes_without_text_count_when_they_are_seen(fill: Callable[..., Deck], painted: str) -> None:
    mark = _shape("", key=7, y=60).replace("</a:prstGeom>", f"</a:prstGeom>{painted}")
    deck = fill(_shape("{{x}}", key=2, y=0, body=_GROWS) + mark, x="a\n" * 9)
    assert bool(_covers(deck)) == bool(painted)


def test_a_line_and_what_is_in_a_group_are_covered(fill: Callable[..., Deck]) -> None:
    rule = (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="8" name="Rule"/><p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr><p:spPr><a:xfrm>'
        '<a:off x="0" y="762000"/><a:ext cx="1270000" cy="0"/></a:xfrm><a:prstGeom prst="line"><a:avLst/></a:prstGeom>'
        "</p:spPr></p:cxnSp>"
    )
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="Group"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
        '<a:off x="0" y="0"/><a:ext cx="1270000" cy="1270000"/><a:chOff x="0" y="0"/>'
        f'<a:chExt cx="1270000" cy="1270000"/></a:xfrm></p:grpSpPr>{_shape("{{x}}", key=2, y=0, body=_GROWS)}'
        f"{_note(70)}</p:grpSp>"
    )
    deck = fill(group + rule, x="\n".join("abcdefg"))
    assert [(shape, other) for _, _, shape, other, _ in _covers(deck)] == [("Box 2", "Box 7"), ("Box 2", "Rule")]


@pytest.mark.parametrize(("items", "found"), [(3, False), (4, True)])
def test_repeated_shapes_that_reach_another_are_found(
    fill: Callable[..., Deck],
    items: int,
    found: bool,  # noqa: FBT001 - a case
) -> None:
    card = _shape("{{.}}", key=2, y=0).replace(
        'name="Box 2"', 'name="Card" descr="{{repeat:cards direction=column gap=0}}"'
    )
    deck = fill(card + _note(80), cards=["a"] * items)
    assert [(shape, other) for _, _, shape, other, _ in _covers(deck)] == ([("Card", "Box 7")] if found else [])
    # A grown card moves the next ones.
    grown = fill(
        card.replace("<a:bodyPr ", "<a:bodyPr ").replace("/><a:lstStyle/>", "><a:spAutoFit/></a:bodyPr><a:lstStyle/>")
        + _note(80),
        cards=["a\nb\nc\nd\ne"] * 2,
    )
    assert [other for _, _, _, other, _ in _covers(grown)] == ["Box 7"]


@pytest.mark.parametrize("part", ["slideLayouts/slideLayout7", "slideMasters/slideMaster1"])
def test_what_layouts_show_counts_and_their_placeholders_do_not(
    part: str,
    slide_template: Make,
    read_part: Read,
    replace_parts: Callable[..., bytes],
    typefaces: EvenTypefaces,
) -> None:
    name, template = f"ppt/{part}.xml", slide_template(table(_ROWS, heights=[_ROW]))
    footer = _note(100).replace('id="7"', 'id="90"')
    prompt = footer.replace("<p:nvPr/>", '<p:nvPr><p:ph type="body" idx="90"/></p:nvPr>').replace(
        '"90" name="Box 7"', '"91" name="P"'
    )
    ground = _shape("", key=92, y=0, height=500).replace(
        "</a:prstGeom>", '</a:prstGeom><a:solidFill><a:srgbClr val="00FF00"/></a:solidFill>'
    )
    xml = read_part(template, name).replace("</p:spTree>", f"{ground}{footer}{prompt}</p:spTree>")
    compiled = compile_template(replace_parts(template, {name: xml.encode()}))
    deck = whole_deck(compiled, {"rows": ["a"] * 8}, typefaces=typefaces)
    assert _covers(deck) == [("Warning", "Slide 1", "Table", "Box 7", 22)]


def test_a_table_that_goes_on_covers_nothing(fill: Callable[..., Deck]) -> None:
    rows = [[text.replace("#rows", "#rows continue") for text in _ROWS[0]]]
    assert _covers(fill(table(rows, heights=[_ROW]) + _note(100), rows=["a"] * 20)) == []


def test_the_message_says_what_to_do(fill: Callable[..., Deck]) -> None:
    deck = fill(_shape("{{x}}", key=2, y=0, body=_GROWS) + _note(50), x="a\nb\nc\nd\ne\nf")
    (finding,) = deck.findings
    assert finding.message == (
        "'Box 2' became larger than in the template and covers 'Box 7' by 8 mm. Send less, or leave more room between "
        "them in the template."
    )
