"""The texts of a presentation's slides, read without the engine and without python-pptx, which opens no .potx."""

from typing import Final

from support.package_checker.content_models import tag
from support.package_checker.markup import R
from support.package_checker.opc import Package, read_package

_KINDS: Final = ("notesSlide", "chart", "diagramData", "diagramDrawing")


def read_slide_texts(pptx: bytes) -> list[list[str]]:
    """Return the paragraphs of each slide with its notes, charts and diagrams, in the order of the slide list."""
    package = read_package(pptx)
    document = package.document()
    assert document is not None, "there is no presentation"
    assert document.markup is not None, "there is no presentation"
    entries = document.markup.root.findall(f"{tag('p:sldIdLst')}/{tag('p:sldId')}")
    parts = [document.relationships[entry.get(R + "id", "")].part for entry in entries]
    return [_read_slide(package, part) for part in parts if part]


def _read_slide(package: Package, slide: str) -> list[str]:
    parts = [slide, *(name for kind in _KINDS for name in package.parts[slide].related(kind))]
    markups = [markup for name in parts if (markup := package.parts[name].markup)]
    paragraphs = [paragraph for markup in markups for paragraph in markup.root.iter(tag("a:p"))]
    return ["".join(text.text or "" for text in paragraph.iter(tag("a:t"))) for paragraph in paragraphs]
