"""The door to the XML under python-pptx's objects: lxml ships no types, so what is used of it is named here."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Final, Protocol, cast

_URIS: Final = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}
_START_TAG: Final = re.compile(r"<[\w:]+")


class Element(Protocol):
    """The part of lxml's element that is used here."""

    def get(self, key: str) -> str | None:
        """Return an attribute."""
        ...

    def set(self, key: str, value: str) -> None:
        """Set an attribute."""
        ...

    def append(self, element: "Element") -> None:
        """Add a child behind the others."""
        ...

    def replace(self, old: "Element", new: "Element") -> None:
        """Put one element in a child's place."""
        ...

    def addnext(self, element: "Element") -> None:
        """Add a sibling right behind."""
        ...

    def find(self, path: str) -> "Element | None":
        """Return the first child that matches."""
        ...

    def iter(self, tag: str) -> Iterator["Element"]:
        """Walk through the descendants of a tag, in document order."""
        ...

    def getparent(self) -> "Element":
        """Return the parent."""
        ...


class Proxy(Protocol):
    """An object of python-pptx that stands for an element."""

    @property
    def element(self) -> object:
        """The element."""
        ...


class _Parse(Protocol):
    def __call__(self, xml: str) -> Element: ...


_parse = cast("_Parse", import_module("pptx.oxml").parse_xml)


def tree_of(proxy: Proxy) -> Element:
    """Return the element that an object of python-pptx stands for."""
    return cast("Element", proxy.element)


def get_first(element: Element, name: str) -> Element:
    """Return the first descendant of a name such as `a:tbl`."""
    prefix, _, local = name.partition(":")
    for found in element.iter(f"{{{_URIS[prefix]}}}{local}"):
        return found
    raise LookupError(f"There is no {name} here.")


def find_child(element: Element, name: str) -> Element | None:
    """Return the first child of a name, if there is one."""
    prefix, _, local = name.partition(":")
    return element.find(f"{{{_URIS[prefix]}}}{local}")


def get_child(element: Element, name: str) -> Element:
    """Return the first child of a name."""
    child = find_child(element, name)
    if child is None:
        raise LookupError(f"There is no {name} here.")
    return child


def append(parent: Element, markup: str) -> None:
    """Put new markup last in an element."""
    parent.append(_read(markup))


def insert_after(element: Element, markup: str) -> None:
    """Put new markup right behind an element."""
    element.addnext(_read(markup))


def replace(old: Element, markup: str) -> None:
    """Put new markup in an element's place."""
    old.getparent().replace(old, _read(markup))


def _read(markup: str) -> Element:
    declarations = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in _URIS.items() if f"{prefix}:" in markup)
    return _parse(_START_TAG.sub(rf"\g<0> {declarations}", markup, count=1))
