"""XML that no program wrote, in any part: elements lost, doubled, moved, renamed; attributes gone or wrong."""

import io
import re
import zipfile
from copy import deepcopy
from functools import cache
from typing import Final
from xml.etree.ElementTree import Element, fromstring, register_namespace, tostring

from hypothesis import given
from hypothesis import strategies as st

from fuzz.engine import build_all
from support.package_checker.content_models import NAMESPACES
from support.package_checker.samples import edit_parts, one_of_everything

_DATA: Final = {"customer": {"name": "N", "id": "7"}, "fund": "F", "title": "T"}
_VALUES: Final = [
    "",
    "0",
    "1",
    "-1",
    "rId1",
    "rId2",
    "rId99",
    "{{fund}}",
    "{{",
    "256",
    "4294967296",
    "٣",
    "../x",
    "/",
    "NULL",
]
_TEXTS: Final = [
    "",
    "{{fund}}",
    "{{",
    "}}",
    "a & <b>",
    "\u00a0",
    "7",
    "{{#rows}}",
    "{{#rows continue numbered}}",
    "{{#rows columns}}{{fund}}{{/rows}}",
    "{{/rows}}",
]


for _prefix, _uri in {
    **NAMESPACES,
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
}.items():
    register_namespace(_prefix, _uri)


@cache
def _parts() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(one_of_everything())) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith((".xml", ".rels"))}


# Slides, their own parts and the lists are worth most; themes and layouts are only copied.
_names = st.sampled_from(
    [name for name in sorted(_parts()) if re.search(r"slides/|chart|notesSlide|\]|ppt/_rels|pres", name)]
)
_names |= st.sampled_from(sorted(_parts()))


@st.composite
def _edits(draw: st.DrawFn) -> tuple[str, str]:
    """Return a part's name and its XML after one to four changes."""
    name = draw(_names)
    root = fromstring(_parts()[name])  # noqa: S314 - our own sample
    for _ in range(draw(st.integers(1, 4))):
        _change(draw, root)
    return name, tostring(root, encoding="unicode")


def _change(draw: st.DrawFn, root: Element) -> None:
    elements = list(root.iter())
    element = elements[draw(st.integers(0, len(elements) - 1))]
    other = elements[draw(st.integers(0, len(elements) - 1))]
    kind = draw(st.sampled_from(["drop", "double", "copy", "rename", "attribute", "forget", "text", "tail", "empty"]))
    children = list(element)
    child = children[draw(st.integers(0, len(children) - 1))] if children else None
    if kind == "drop" and child is not None:
        element.remove(child)
    elif kind == "double" and child is not None:
        element.append(deepcopy(child))
    elif kind == "copy":
        element.insert(draw(st.integers(0, len(element))), deepcopy(other))
    elif kind == "rename":
        element.tag = draw(st.sampled_from([other.tag, "{urn:x}x", "x"]))
    elif kind == "attribute":
        names = sorted({*element.attrib, *other.attrib, "id", "x"})
        element.set(draw(st.sampled_from(names)), draw(st.sampled_from(_VALUES)))
    elif kind == "forget" and element.attrib:
        del element.attrib[draw(st.sampled_from(sorted(element.attrib)))]
    elif kind == "text":
        element.text = draw(st.sampled_from(_TEXTS))
    elif kind == "tail":
        element.tail = draw(st.sampled_from(_TEXTS))
    elif kind == "empty":
        element[:] = []


@given(st.lists(_edits(), min_size=1, max_size=2))
def test_strange_markup(edits: list[tuple[str, str]]) -> None:
    changed = dict(edits)
    template = edit_parts(one_of_everything(), {name: lambda _, text=text: text for name, text in changed.items()})
    build_all(template, _DATA)
