"""Templates made in memory, and what a user would check of a deck: does it open, is it whole, what does it say."""

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from pptx import Presentation

from support.fitting import EvenTypefaces
from support.package_checker.soundness import assert_sound

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = f'xmlns:a="{A}" xmlns:p="{P}" xmlns:r="{R}"'

_SLIDE = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    f"<p:sld {NAMESPACES}><p:cSld><p:spTree>"
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
    "<p:grpSpPr/>%s</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
)
_SHAPE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
    '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="rect">'
    "<a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>%s</p:txBody></p:sp>"
)


@cache
def _base() -> bytes:
    """Make a file of one slide and its layout: the ten other layouts would be read by each of a thousand tests."""
    presentation: Any = Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[6])
    for layout in [each for each in presentation.slide_layouts if not each.used_by_slides]:
        presentation.slide_layouts.remove(layout)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _replace(data: bytes, parts: Mapping[str, bytes | None]) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target,
    ):
        for name in dict.fromkeys([*source.namelist(), *parts]):
            content = parts[name] if name in parts else source.read(name)
            if content is not None:
                target.writestr(name, content)
    return out.getvalue()


def _read(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()


def _texts(data: bytes) -> list[list[str]]:
    presentation: Any = Presentation(io.BytesIO(data))
    return [[shape.text_frame.text for shape in slide.shapes if shape.has_text_frame] for slide in presentation.slides]


@pytest.fixture
def text_template() -> Callable[[str], bytes]:
    """Make a template of one slide with one shape, `Box`, of the given paragraphs (XML)."""
    return lambda paragraphs: _replace(_base(), {"ppt/slides/slide1.xml": (_SLIDE % (_SHAPE % paragraphs)).encode()})


@pytest.fixture
def slide_template() -> Callable[[str], bytes]:
    """Make a template of one slide with the given shapes (XML)."""
    return lambda shapes: _replace(_base(), {"ppt/slides/slide1.xml": (_SLIDE % shapes).encode()})


@pytest.fixture
def replace_parts() -> Callable[[bytes, Mapping[str, bytes | None]], bytes]:
    """Exchange, add or (None) take out parts of a file."""
    return _replace


@pytest.fixture
def read_part() -> Callable[[bytes, str], str]:
    """Return a part's text."""
    return _read


@pytest.fixture
def slide_texts() -> Callable[[bytes], list[list[str]]]:
    """Return the texts of the shapes, slide by slide, as python-pptx reads them."""
    return _texts


def _cells(data: bytes) -> list[list[str]]:
    presentation: Any = Presentation(io.BytesIO(data))
    tables = [shape.table for slide in presentation.slides for shape in slide.shapes if shape.has_table]
    return [[cell.text for cell in row.cells] for row in tables[0].rows]


@pytest.fixture
def table_cells() -> Callable[[bytes], list[list[str]]]:
    """Return the texts of the first table's cells, row by row, as python-pptx reads them."""
    return _cells


@pytest.fixture
def check_whole() -> Callable[[bytes], None]:
    """Assert that PowerPoint finds nothing to repair."""
    return assert_sound


@pytest.fixture
def make_template() -> Callable[[Callable[[Any], None]], bytes]:
    """Make a template with python-pptx: the function given fills an empty presentation."""

    def make(fill: Callable[[Any], None]) -> bytes:
        presentation: Any = Presentation()
        fill(presentation)
        out = io.BytesIO()
        presentation.save(out)
        return out.getvalue()

    return make


@pytest.fixture
def named_slides() -> Callable[[list[str]], bytes]:
    """Make a template of empty slides with the given names."""

    def make(names: list[str]) -> bytes:
        presentation: Any = Presentation()
        for name in names:
            presentation.slides.add_slide(presentation.slide_layouts[6]).name = name
        out = io.BytesIO()
        presentation.save(out)
        return out.getvalue()

    return make


@pytest.fixture
def typefaces() -> EvenTypefaces:
    """Lend fonts whose every letter is half as wide as high, with lines 1.2 times as far apart."""
    return EvenTypefaces()
