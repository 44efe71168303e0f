"""Postprocessing of a PDF of slides: bookmarks, working links, title and language, and no author's name.

Bytes in, bytes out; it computes, so run it in a thread. Nothing here relies on what one renderer adds to its PDFs.
"""

import io
from collections.abc import Collection, Iterator
from html import escape
from typing import Final, cast

import pikepdf
from pikepdf import Array, Dictionary, Name, OutlineItem, Page, Pdf, String

from meetdeck.present.deck import Outline, find_slide_link, has_safe_scheme
from meetdeck.present.render.standards import Link, Standard

_PRODUCER: Final = "Meetdeck"
_COMMENTS: Final = frozenset({"/Text", "/Popup"})  # for colleagues, with their names, not for customers
_XMP: Final = """\
<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:format>application/pdf</dc:format><pdf:Producer>{producer}</pdf:Producer>{members}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""
_XMP_TITLE: Final = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:title>'
_XMP_LANGUAGE: Final = "<dc:language><rdf:Bag><rdf:li>{}</rdf:li></rdf:Bag></dc:language>"

_XMP_STANDARDS: Final[dict[Standard, str]] = {
    Standard.PDF_A_2B: '<pdfaid:part xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">2</pdfaid:part>'
    '<pdfaid:conformance xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">B</pdfaid:conformance>',
    Standard.PDF_UA_1: '<pdfuaid:part xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">1</pdfuaid:part>',
}
# PDF/A does not know the properties of PDF/UA; the file declares their meaning (ISO 19005-2, 6.6.2.3).
_XMP_OF_PDF_UA: Final = """
<pdfaExtension:schemas xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA Universal Accessibility</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289
</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>"""


def finish(pdf: bytes, outline: Outline) -> bytes:
    """Return the PDF of a deck's visible slides, one page each, with bookmarks, links, title and language.

    When the outline has another number of slides, the bookmarks stay those of the renderer. Raises pikepdf.PdfError
    when `pdf` is not a PDF.
    """
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for index, page in enumerate(document.pages):
            _mend_annotations(document, page, index, outline)
        if len(outline.slides) == len(document.pages):
            _write_outline(document, outline)
        describe_in(document, outline)
        return save(document)


def describe(pdf: bytes, outline: Outline) -> bytes:
    """Return a PDF, which keeps its own bookmarks and links, with the deck's title and language."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        describe_in(document, outline)
        return save(document)


def read_links(pdf: bytes) -> list[list[Link]]:
    """Return the links of each page, before or after `finish`."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return [list(_links_of(document, page, index)) for index, page in enumerate(document.pages)]


def _links_of(document: Pdf, page: Page, index: int) -> Iterator[Link]:
    page_left, page_bottom, page_right, page_top = (float(edge) for edge in page.mediabox)
    page_width, page_height = page_right - page_left, page_top - page_bottom
    for annotation in _annotations(page):
        target = _target(document, annotation, index) if annotation.get("/Subtype") == Name.Link else None
        if target is not None:
            left, bottom, right, top = _edges(annotation)
            yield Link(
                (left - page_left) / page_width,
                (page_top - top) / page_height,
                (right - left) / page_width,
                (top - bottom) / page_height,
                target,
            )


def _annotations(page: Page) -> list[Dictionary]:
    return [cast("Dictionary", one) for one in page.obj.get("/Annots", ())]


def _edges(annotation: Dictionary) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top; a rectangle may be written from any two opposite corners."""
    x1, y1, x2, y2 = (float(edge) for edge in cast("Array", annotation.Rect))
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


# ---------------------------------------------------------------- links


def _target(document: Pdf, annotation: Dictionary, page: int) -> str | int | None:
    """Return the target of a link: an address, a page, or None for neither."""
    action = annotation.get("/A", Dictionary())
    if action.get("/S") == Name.URI:
        address = str(action.get("/URI", ""))
        jump = find_slide_link(address, page, len(document.pages))
        return jump if jump is not None else address if has_safe_scheme(address) else None
    destination = annotation.get("/Dest")
    if not isinstance(destination, Array):
        return None
    try:
        return document.pages.index(Page(destination[0]))
    except (IndexError, TypeError, ValueError):  # it leads to no page of this document
        return None


def _mend_annotations(document: Pdf, page: Page, index: int, outline: Outline) -> None:
    """Describe each link's target; remove comments, and links without a target here."""
    kept: list[Dictionary] = []
    for annotation in _annotations(page):
        kind = str(annotation.get("/Subtype"))
        if kind == "/Link":
            target = _target(document, annotation, index)
            if target is None:
                continue
            _lead(document, annotation, target, outline)
        if kind not in _COMMENTS:
            kept.append(annotation)
    if kept:
        page.obj.Annots = Array(kept)
    elif "/Annots" in page.obj:
        del page.obj.Annots


def _lead(document: Pdf, annotation: Dictionary, target: str | int, outline: Outline) -> None:
    """Set a link's target and its description for people who cannot see it."""
    if isinstance(target, str):
        annotation.Contents = String(target)
        return
    if "/A" in annotation:
        del annotation.A
    annotation.Dest = Array([document.pages[target].obj, Name.Fit])
    if len(outline.slides) == len(document.pages):
        annotation.Contents = String(outline.slides[target])


# ---------------------------------------------------------------- the document's own description


def _write_outline(document: Pdf, outline: Outline) -> None:
    page = 0
    with document.open_outline() as bookmarks:
        bookmarks.root.clear()
        for chapter in outline.chapters:
            items = [OutlineItem(title, page + number, "Fit") for number, title in enumerate(chapter.slides)]
            if chapter.section:
                section = OutlineItem(chapter.section, page, "Fit")
                section.children.extend(items)
                items = [section]
            bookmarks.root.extend(items)
            page += len(chapter.slides)


def describe_in(document: Pdf, outline: Outline, standards: Collection[Standard] = ()) -> None:
    """Write a PDF's own description: title, language, and the standards to which it conforms."""
    root = document.Root
    document.trailer.Info = document.make_indirect(Dictionary(Producer=_PRODUCER))
    members = ""
    if outline.title:
        document.docinfo.Title = String(outline.title)
        members += _XMP_TITLE.format(escape(outline.title))
    if "/Lang" in root:
        del root.Lang  # of the machine that rendered it
    if outline.language:
        root.Lang = String(outline.language)
        members += _XMP_LANGUAGE.format(escape(outline.language))
    members += "".join(_XMP_STANDARDS[standard] for standard in Standard if standard in standards)
    if len(standards) > 1:
        members += _XMP_OF_PDF_UA
    xmp = _XMP.format(producer=_PRODUCER, members=members).encode()
    root.Metadata = pikepdf.Stream(document, xmp, Type=Name.Metadata, Subtype=Name.XML)
    preferences = root.get("/ViewerPreferences", Dictionary())
    preferences.DisplayDocTitle = bool(outline.title)
    root.ViewerPreferences = preferences


def save(document: Pdf) -> bytes:
    """Return the document's bytes, small, and the same for the same document."""
    for key in ("/ID", "/DocChecksum"):  # of the moment of rendering, and of a file that is no more
        if key in document.trailer:
            del document.trailer[key]
    packed = io.BytesIO()
    document.save(packed, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return packed.getvalue()
