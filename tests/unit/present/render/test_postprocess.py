"""A finished PDF of slides from a reader's view."""

import io
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from meetdeck.present.deck import Chapter, Outline
from meetdeck.present.render.postprocess import finish, read_links
from meetdeck.present.render.standards import Link
from support.pdfs import Bookmark, Rectangle, SeenLink, bookmarks, links_of, make_slides

FACTS = Outline(
    "Årlig gennemgang <2026> & mere",
    "da-DK",
    (Chapter("Din økonomi", ("Opsparing", "Pension")), Chapter("", ("Tak",))),
)
PLACE = Rectangle(72, 100, 144, 140)


def edited(pdf: bytes, edit: Any) -> bytes:
    """Change a PDF: `edit` gets the opened document."""
    packed = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        edit(document)
        document.save(packed)
    return packed.getvalue()


def linked(target: str | int, page: int = 0) -> bytes:
    return make_slides(3, links=[(page, PLACE, target)])


def test_each_slide_has_a_bookmark_below_its_section() -> None:
    assert bookmarks(finish(make_slides(3), FACTS)) == [
        Bookmark(0, "Din økonomi", 0, None),
        Bookmark(1, "Opsparing", 0, None),
        Bookmark(1, "Pension", 1, None),
        Bookmark(0, "Tak", 2, None),
    ]


def test_the_renderers_bookmarks_are_replaced() -> None:
    finished = finish(make_slides(3), FACTS)
    assert bookmarks(finish(finished, FACTS)) == bookmarks(finished)


def test_a_deck_of_which_other_slides_are_known_keeps_the_renderers_bookmarks() -> None:
    finished = finish(make_slides(3), FACTS)
    assert bookmarks(finish(finished, Outline("Another"))) == bookmarks(finished)


def test_the_document_has_a_title_for_the_window_and_a_language() -> None:
    with pikepdf.open(io.BytesIO(finish(make_slides(3), FACTS))) as document:
        assert str(document.docinfo["/Title"]) == FACTS.title
        assert document.Root.ViewerPreferences.DisplayDocTitle is True
        assert str(document.Root.Lang) == "da-DK"
        with document.open_metadata() as xmp:
            assert xmp["dc:title"] == FACTS.title
            assert xmp["dc:language"] == {"da-DK"}
            assert xmp["pdf:Producer"] == "Meetdeck"


def test_a_deck_without_title_and_language_gets_none_of_the_renderers() -> None:
    def describe(document: pikepdf.Pdf) -> None:
        document.docinfo["/Title"] = "presentation.pptx"
        document.Root.Lang = String("en-US")

    with pikepdf.open(io.BytesIO(finish(edited(make_slides(3), describe), Outline()))) as document:
        assert "/Title" not in document.docinfo
        assert "/Lang" not in document.Root
        assert document.Root.ViewerPreferences.DisplayDocTitle is False


def test_no_word_is_left_of_authors_programs_times_and_comments() -> None:
    def sign(document: pikepdf.Pdf) -> None:
        document.docinfo["/Author"] = "Karen Bek Lund"
        document.docinfo["/Creator"] = "Impress"
        document.docinfo["/CreationDate"] = "D:20260302060000Z"
        document.trailer["/DocChecksum"] = Name("/2B3DB3DD0B6AD94D20FB7616076FC57D")
        with document.open_metadata() as xmp:
            xmp["dc:creator"] = ["Karen Bek Lund"]
        comment = Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=Array(PLACE), T=String("Karen Bek Lund"))
        document.pages[0].Annots = Array([comment])

    finished = finish(edited(make_slides(3), sign), FACTS)
    with pikepdf.open(io.BytesIO(finished)) as document:
        assert set(document.docinfo.keys()) == {"/Title", "/Producer"}
        assert "/DocChecksum" not in document.trailer
        assert "/Annots" not in document.pages[0]
        assert not any(b"Karen" in one.unparse() for one in document.objects)
        assert b"Karen" not in document.Root.Metadata.read_bytes()


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/pension?a=1&b=%C3%A6",
        "HTTP://example.org",
        "mailto:anna@example.org",
        "tel:+4512",
        "sms:+4512",
    ],
)
def test_an_address_can_be_clicked_and_says_itself(address: str) -> None:
    assert links_of(finish(linked(address), FACTS), 0) == [SeenLink(PLACE, address, address)]


@pytest.mark.parametrize(
    ("name", "page", "target"), [("3", 0, 2), ("next", 1, 2), ("previous", 1, 0), ("first", 2, 0), ("last", 0, 2)]
)
def test_a_link_to_a_slide_leads_to_its_page_and_says_its_title(name: str, page: int, target: int) -> None:
    finished = finish(linked(f"https://slide.invalid/{name}", page), FACTS)
    assert links_of(finished, page) == [SeenLink(PLACE, target, FACTS.slides[target])]


def test_a_link_that_the_renderer_made_to_a_page_is_kept() -> None:
    assert links_of(finish(linked(2), FACTS), 0) == [SeenLink(PLACE, 2, "Tak")]


@pytest.mark.parametrize(
    "address", ["file:///tmp/presentation.pptx", "javascript:alert(1)", "presentation.pptx", "", "ftp://example.org"]
)
def test_an_address_that_is_not_for_readers_goes(address: str) -> None:
    assert links_of(finish(linked(address), FACTS), 0) == []


@pytest.mark.parametrize(
    "action",
    [Dictionary(S=Name.Launch, F=String("calc.exe")), Dictionary(S=Name.JavaScript, JS=String("x")), Dictionary()],
    ids=["launch", "script", "nothing"],
)
def test_an_action_that_is_no_link_goes(action: Dictionary) -> None:
    def act(document: pikepdf.Pdf) -> None:
        document.pages[0].Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array(PLACE), A=action)])

    assert links_of(finish(edited(make_slides(3), act), FACTS), 0) == []


@pytest.mark.parametrize("destination", [Array(), Array([7, Name.Fit]), Array([Dictionary(), Name.Fit]), String("x")])
def test_a_destination_outside_of_the_document_goes(destination: Any) -> None:
    def lead(document: pikepdf.Pdf) -> None:
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array(PLACE), Dest=destination)
        document.pages[0].Annots = Array([link])

    assert links_of(finish(edited(make_slides(3), lead), FACTS), 0) == []


def test_links_are_read_as_fractions_of_the_page_from_its_upper_left_corner() -> None:
    upside_down = Rectangle(144, 140, 72, 100)

    def lead(document: pikepdf.Pdf) -> None:
        page = document.pages[0]
        page.MediaBox = Array([72, 100, 792, 500])
        link = Dictionary(Subtype=Name.Link, Rect=Array(upside_down), A=Dictionary(S=Name.URI, URI=String("tel:1")))
        page.Annots = Array([link])

    assert read_links(edited(make_slides(3), lead)) == [[Link(0, 0.9, 0.1, 0.1, "tel:1")], [], []]


def test_finishing_keeps_the_pages_as_they_are_drawn() -> None:
    before, after = make_slides(3), finish(make_slides(3), FACTS)
    with pikepdf.open(io.BytesIO(before)) as one, pikepdf.open(io.BytesIO(after)) as other:
        for page, finished in zip(one.pages, other.pages, strict=True):
            assert finished.Contents.read_bytes() == page.Contents.read_bytes()
            assert finished.mediabox == page.mediabox


def test_the_same_input_gives_the_same_bytes() -> None:
    assert finish(make_slides(3), FACTS) == finish(make_slides(3), FACTS)
