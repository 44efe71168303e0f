"""In which language filled text, and the deck, says it is."""

import re
from collections.abc import Callable

import pytest

from meetdeck.present.deck import SlideRequest, build_deck, compile_template, read_outline, whole_deck

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]

_SLIDE = "ppt/slides/slide1.xml"
_CORE = "docProps/core.xml"


def _run(text: str, properties: str = '<a:rPr lang="en-US" b="1"/>') -> str:
    return f"<a:r>{properties}<a:t>{text}</a:t></a:r>"


def _languages(slide: str) -> list[tuple[str, str]]:
    """Return the language and the text of each run."""
    found = re.findall(r"<a:(?:r|fld)\b[^>]*>(?:<a:rPr([^>]*?)/?>.*?)?<a:t>([^<]*)</a:t>", slide)
    return [("".join(re.findall(r'lang="([^"]*)"', properties)), text) for properties, text in found]


_PARAGRAPHS = (
    "<a:p>" + _run("Dear ") + _run("{{name}}") + _run("{{na") + _run("me}}", "<a:rPr/>") + "</a:p>"
    "<a:p>" + _run("{{name}}", "") + _run("{{name | upper}}", '<a:rPr i="1"><a:noFill/></a:rPr>') + "</a:p>"
    "<a:p>" + _run("{{#names}}{{.}} {{/names}}") + "</a:p>"
    "<a:p>" + _run("{{name | markdown}}") + "</a:p>"
    '<a:p><a:fld id="{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}" type="datetime1">'
    '<a:rPr lang="en-GB"/><a:t>{{name}}</a:t></a:fld></a:p>'
)


def test_runs_that_are_filled_say_the_language_of_the_data_and_others_keep_theirs(
    text_template: Make, read_part: Read, check_whole: Check
) -> None:
    template = compile_template(text_template(_PARAGRAPHS))
    deck = whole_deck(template, {"$locale": "da-DK", "name": "Ida\nBo", "names": ["A", "B"]})
    said = _languages(read_part(deck.content, _SLIDE))
    assert said[0] == ("en-US", "Dear ")
    assert {language for language, _ in said[1:]} == {"da-DK"}
    assert [text for _, text in said[1:7]] == ["Ida", "Bo"] * 3
    check_whole(deck.content)


def test_without_a_said_language_nothing_is_said(text_template: Make, read_part: Read) -> None:
    deck = whole_deck(compile_template(text_template(_PARAGRAPHS)), {"name": "Ida", "names": ["A"]})
    languages = [language for language, _ in _languages(read_part(deck.content, _SLIDE))]
    assert languages == ["en-US"] * 3 + [""] * 2 + ["en-US", "en-US", "en-GB"]
    assert "<a:rPr/>" not in read_part(deck.content, _SLIDE)


@pytest.mark.parametrize(
    ("said", "own", "written"),
    [
        ("da-DK", "en-US", "da-DK"),
        ("da_DK", "en-US", "da-DK"),
        ("da", "en-US", "da-DK"),
        ("en", "en-GB", "en-GB"),
        ("en", "da-DK", "en-US"),
        ("en-US", "en-GB", "en-US"),
        ("zh-Hant-TW", "en-US", "zh-Hant-TW"),
        ("xx-YY", "en-US", "en-US"),
        ('da"DK', "en-US", "en-US"),
        (7, "en-US", "en-US"),
    ],
)
def test_a_language_without_a_region_leaves_the_authors(
    text_template: Make, read_part: Read, said: object, own: str, written: str
) -> None:
    template = compile_template(text_template(f"<a:p>{_run('{{x}}', f'<a:rPr lang={chr(34)}{own}{chr(34)}/>')}</a:p>"))
    deck = whole_deck(template, {"$locale": said, "x": "Hej"})
    assert _languages(read_part(deck.content, _SLIDE)) == [(written, "Hej")]


def test_each_slide_speaks_its_own_language_and_the_deck_that_of_its_first(
    text_template: Make, read_part: Read
) -> None:
    template = compile_template(text_template(f"<a:p>{_run('{{x}}')}</a:p><a:p>{_run('Words ' * 20)}</a:p>"))
    entries = [SlideRequest("Slide 1", {"$locale": locale, "x": "Hej"}) for locale in ("da-DK", "sv-SE")]
    deck = build_deck(template, entries).content
    said = [_languages(read_part(deck, f"ppt/slides/slide{number}.xml"))[0][0] for number in (1, 2)]
    assert said == ["da-DK", "sv-SE"]
    assert read_outline(deck).language == "da-DK"


def test_the_tenants_language_is_said_unless_it_is_the_default(text_template: Make, read_part: Read) -> None:
    template = compile_template(text_template(f"<a:p>{_run('{{x}}')}</a:p>"))
    deck = whole_deck(template, {"x": "Hej"}, locale="nb-NO").content
    assert _languages(read_part(deck, _SLIDE)) == [("nb-NO", "Hej")]
    assert read_outline(deck).language == "nb-NO"
    unsaid = whole_deck(template, {"x": "Hej"}).content
    assert read_outline(unsaid).language == "en-US"
    assert "language" not in read_part(unsaid, _CORE)


def test_cells_of_a_table_from_the_data_say_it(slide_template: Make, read_part: Read) -> None:
    cell = f"<a:tc><a:txBody><a:bodyPr/><a:p>{_run('x')}</a:p></a:txBody></a:tc>"
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="T" descr="{{table:rows}}"/>'
        "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>"
        '<p:xfrm><a:off x="0" y="0"/><a:ext cx="900" cy="900"/></p:xfrm><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/>'
        f'<a:tblGrid><a:gridCol w="900"/></a:tblGrid><a:tr h="900">{cell}</a:tr></a:tbl>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    deck = whole_deck(compile_template(slide_template(frame)), {"$locale": "da-DK", "rows": [["a"], ["b"]]})
    assert _languages(read_part(deck.content, _SLIDE)) == [("da-DK", "a"), ("da-DK", "b")]
