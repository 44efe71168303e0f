"""Links of several words on their way through the renderer."""

import re

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from meetdeck.present.render.link_words import join_links, split_links

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LINK = '<a:hlinkClick r:id="rId2" tooltip="x"/>'


def slide(text: str, format_: str = LINK, namespace: str = A) -> bytes:
    """Return a part with one linked run between two others."""
    return (
        f'<w xmlns:a="{namespace}" xmlns:r="{R}"><a:p><a:r><a:t>See the </a:t></a:r><a:r><a:rPr lang="en" b="1">'
        f"{format_}</a:rPr><a:t>{text}</a:t></a:r><a:r><a:t> and more</a:t></a:r></a:p></w>"
    ).encode()


def runs(part: bytes) -> list[tuple[str, bool]]:
    """Return the texts of the runs, and which are links."""
    found = re.findall(r"<a:r>(.*?)</a:r>", part.decode())
    return [(re.sub("<[^>]*>", "", run), "hlinkClick" in run) for run in found]


def test_each_word_of_a_link_is_a_link_and_the_blanks_look_like_it() -> None:
    written = split_links(slide("Foundation for windmills"))

    assert runs(written) == [
        ("See the ", False),
        ("Foundation", True),
        (" ", False),
        ("for", True),
        (" ", False),
        ("windmills", True),
        (" and more", False),
    ]
    blank = re.findall("<a:rPr[^>]*>(?:(?!</a:rPr>).)*</a:rPr><a:t> <", written.decode())[0]
    assert 'b="1"' in blank
    assert 'u="sng"' in blank
    assert '<a:schemeClr val="hlink"/>' in blank


@pytest.mark.parametrize("text", ["Windmills", "DKK\u00a01,000", "", "10\u202f%"])
def test_a_link_without_a_place_to_break_stays_as_it_is(text: str) -> None:
    assert split_links(slide(text)) == slide(text)


def test_text_without_links_stays_as_it_is() -> None:
    assert split_links(slide("Foundation for windmills", "")) == slide("Foundation for windmills", "")


def test_the_blanks_of_a_link_in_the_color_of_the_text_keep_that() -> None:
    color = (
        '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill><a:hlinkClick r:id="rId2"><a:extLst><a:ext uri="{A}">'
        '<ahyp:hlinkClr xmlns:ahyp="http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor" val="tx"/></a:ext>'
        "</a:extLst></a:hlinkClick>"
    )

    written = split_links(slide("two words", color)).decode()

    assert written.count('<a:srgbClr val="FF0000"/>') == 3
    assert "schemeClr" not in written


def test_blanks_at_the_ends_and_in_rows_stay() -> None:
    assert "".join(text for text, _ in runs(split_links(slide("  two  words ")))) == "See the   two  words  and more"


@pytest.mark.parametrize(
    "part",
    [
        b"<w>hlinkClick",
        b"<!DOCTYPE w><w>hlinkClick</w>",
        slide("two words", LINK.replace("x", "x" * 3_000_000)),
        slide("two words ", LINK.replace("x", "x" * 20_000) * 50),
    ],
)
def test_what_is_broken_or_would_become_huge_stays_as_it_is(part: bytes) -> None:
    assert len(split_links(part)) < len(part) + 9_000_000


def document_of(*links: tuple[str, tuple[float, float, float, float]]) -> pikepdf.Pdf:
    """Return a PDF of one page with links, each with its address and rectangle."""
    document = pikepdf.new()
    page = document.add_blank_page()
    page.obj.Annots = Array(
        [
            document.make_indirect(
                Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.Link,
                    Rect=Array(list(rectangle)),
                    A=Dictionary(S=Name.URI, URI=String(address)),
                )
            )
            for address, rectangle in links
        ]
    )
    return document


def areas(document: pikepdf.Pdf) -> list[tuple[float, ...]]:
    return [tuple(float(edge) for edge in one.Rect) for one in document.pages[0].obj.Annots]


def test_words_of_one_link_on_one_line_are_one_area_with_the_blanks() -> None:
    first, second, third = (10, 100, 40, 112), (43, 100, 60, 112), (10, 86, 30, 98)

    document = document_of(("https://a.example/", first), ("https://a.example/", second), ("https://a.example/", third))

    assert join_links(document)
    assert areas(document) == [(10, 100, 60, 112), third]


def test_words_that_are_read_from_right_to_left_are_joined() -> None:
    document = document_of(("https://a.example/", (43, 100, 60, 112)), ("https://a.example/", (10, 100, 40, 112)))

    assert join_links(document)
    assert areas(document) == [(10, 100, 60, 112)]


def test_links_to_other_places_and_links_further_away_stay_apart() -> None:
    document = document_of(
        ("https://a.example/", (10, 100, 40, 112)),
        ("https://b.example/", (43, 100, 60, 112)),
        ("https://b.example/", (90, 100, 99, 112)),
    )

    assert not join_links(document)
    assert len(areas(document)) == 3
