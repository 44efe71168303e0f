"""Any text, cut into any runs: what is not a tag stays, and the deck is sound."""

from hypothesis import given
from hypothesis import strategies as st

from fuzz.engine import build_all
from support.package_checker.samples import SLIDE_1, edit_parts, one_of_everything

_words = st.sampled_from(
    [
        *("{{", "}}", "{", "}", "\\", "name", "rows", ".", "#", "/", "^", "@index", " | ", "number:2", "upper", '"'),
        *("image:", "chart:", "table:", "if:", "each:", "fit=cover", "\u00a0", "\u200b", "\u201c", "A ", "0", ":"),
        *("[", "]", "tag:", "[tag:name]", "[tag:name:upper", "case]", ":trim", "[Tag:name]", "[image:i]", "[slide:x]"),
        *("{{@page}}", "{{@pages}}", "{{#@slides}}", "{{title | goto}}", "{{/@slides}}", "{{name | goto}}"),
        *("{{name}}", "{{#rows}}", "{{#rows continue}}", "{{/rows}}", "{{.}}", "{{^rows}}", "{{text | markdown}}"),
        *("{{#rows columns}}", "{{^rows columns}}", "{{#n < 0 columns}}", "{{/}}", " columns"),
        *('{{url | link:"x"}}', "{{name | color:red}}", "{{n | negative}}", "{{fill:color}}", "{{image:photo}}"),
    ]
)
_pieces = st.sampled_from(
    [
        "<a:r><a:rPr b='1'/><a:t>%s</a:t></a:r>",
        "<a:r><a:t>%s</a:t></a:r>",
        "<a:r><a:t>%s</a:t></a:r><a:br/>",
        "<a:fld id='{A4F7C8E0-0C5B-4B4E-9B0E-0A4F2F6B9D01}' type='slidenum'><a:t>%s</a:t></a:fld>",
        "<a:r><a:rPr><a:hlinkClick r:id='rId2'/></a:rPr><a:t>%s</a:t></a:r>",
    ]
)
_runs = st.lists(st.tuples(_pieces, st.lists(_words, max_size=4)), max_size=6)
_paragraphs = st.lists(_runs, min_size=1, max_size=4)
_data = {
    "name": "N & <N>\nM",
    "rows": [{"name": "a"}, {"name": None}, 3],
    "text": "**b** *i*\n- one\n- [two](https://example.com)\n",
    "url": "https://example.com/?a=b&c",
    "0": ["x"],
    "n": -1,
    "photo": "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
    "color": "accent2",
}


def _write(paragraphs: list[list[tuple[str, list[str]]]]) -> str:
    return "".join(f"<a:p>{''.join(piece % ''.join(words) for piece, words in runs)}</a:p>" for runs in paragraphs)


@given(_paragraphs)
def test_text_in_a_shape(paragraphs: list[list[tuple[str, list[str]]]]) -> None:
    def edit(xml: str) -> str:
        before, between, after = xml.partition("</p:txBody></p:sp></p:spTree>")
        return before + _write(paragraphs) + between + after

    build_all(edit_parts(one_of_everything(), {SLIDE_1: edit}), _data)


@given(
    _paragraphs, _paragraphs, _paragraphs, st.sampled_from(("", "<a:r><a:t>{{#rows columns}}{{.}}{{/}}</a:t></a:r>"))
)
def test_text_in_the_cells_of_a_table(
    first: list[list[tuple[str, list[str]]]],
    second: list[list[tuple[str, list[str]]]],
    third: list[list[tuple[str, list[str]]]],
    last: str,
) -> None:
    texts = (_write(first), _write(second), _write(third), f"<a:p>{last}</a:p>")
    cells = [f"<a:tc><a:txBody><a:bodyPr/>{text}</a:txBody><a:tcPr/></a:tc>" for text in texts]
    rows = "".join(f'<a:tr h="1">{cells[at]}{cells[at + 1]}</a:tr>' for at in (0, 2))
    table = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="T"/><p:cNvGraphicFramePr/><p:nvPr/>'
        '</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData '
        'uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblGrid><a:gridCol w="1"/>'
        f'<a:gridCol w="1"/></a:tblGrid>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>'
    )
    build_all(
        edit_parts(one_of_everything(), {SLIDE_1: lambda xml: xml.replace("</p:spTree>", table + "</p:spTree>")}), _data
    )
