"""The XML of one part: well-formed, in the order of the schema, with declared namespaces (ECMA-376 part 3)."""

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from typing import Final, NamedTuple, cast
from xml.etree.ElementTree import Element, ParseError, fromstring, iterparse

from support.package_checker.content_models import find_model, fits, is_foreign, short_name

R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_ALTERNATE: Final = _MC + "AlternateContent"
_CHOICE: Final = _MC + "Choice"
_FALLBACK: Final = _MC + "Fallback"
_PREFIX_LISTS: Final = (_MC + "Ignorable", _MC + "ProcessContent", _MC + "MustUnderstand")


class Reference(NamedTuple):
    """A relationship id that an element uses."""

    element: str
    attribute: str
    id: str


class Markup(NamedTuple):
    """A parsed part: its root, the relationships it uses, and (kind, detail) of its own faults."""

    root: Element
    references: tuple[Reference, ...]
    faults: tuple[tuple[str, str], ...]


@lru_cache(maxsize=256)
def read_markup(data: bytes) -> Markup:
    """Parse a part. Raises ParseError when it is not well-formed or declares a DOCTYPE."""
    if b"<!DOCTYPE" in data:
        raise ParseError("it declares a DOCTYPE")
    root = fromstring(data)  # noqa: S314 - without a DOCTYPE there are no entities
    ignorable: frozenset[str] = frozenset()
    faults: list[tuple[str, str]] = []
    if b"markup-compatibility/2006" in data:
        ignorable, faults = _read_compatibility(data)
    references: list[Reference] = []
    for element in root.iter():
        faults += _element_faults(element, ignorable)
        for name, value in element.attrib.items():
            if name.startswith(R) and value:
                references.append(Reference(element.tag, name.removeprefix(R), value))
    return Markup(root, tuple(references), tuple(faults))


def number(text: str | None, *, default: int = -1) -> int:
    """Return a whole number that is not negative; the default for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() else default


def walk(element: Element) -> Iterator[Element]:
    """Yield an element and its descendants as seen by an application that understands every extension."""
    yield element
    for child in element:
        if child.tag == _ALTERNATE:
            for branch in _branches(child)[:1]:
                for inner in branch:
                    yield from walk(inner)
        else:
            yield from walk(child)


def _branches(alternate: Element) -> list[Element]:
    """Return the choices, then the fallback."""
    return [*alternate.findall(_CHOICE), *alternate.findall(_FALLBACK)]


def _element_faults(element: Element, ignorable: frozenset[str]) -> Iterator[tuple[str, str]]:
    model = find_model(element.tag)
    if model is None:
        return
    for names in _child_sequences(element):
        children = tuple([name for name in names if not is_foreign(name)])
        if len(children) < len(names) and model.children is not None:
            for name in names:
                if is_foreign(name) and name[1:].partition("}")[0] not in ignorable:
                    yield "unknown-element", f"{short_name(element.tag)} holds {name}, which no one said to ignore"
        if not fits(element.tag, children):
            shown = " ".join(map(short_name, children)) or "nothing"
            yield "schema", f"{short_name(element.tag)} must hold {model.source or 'nothing'} and holds {shown}"
    for name in model.attributes:
        if name not in element.attrib:
            yield "schema", f"{short_name(element.tag)} has no {name}"


def _child_sequences(element: Element) -> list[tuple[str, ...]]:
    """Return the names of the children; with alternatives among them, once for the first and once for the last.

    The contents of a choice belong to the extension that it requires: foreign elements in it are left out.
    """
    names = tuple([child.tag for child in element])
    if _ALTERNATE not in names:
        return [names]
    return [tuple(_choose(element, branch)) for branch in (0, -1)]


def _choose(element: Element, branch: int) -> Iterator[str]:
    for child in element:
        if child.tag != _ALTERNATE:
            yield child.tag
            continue
        branches = _branches(child)
        if branches:
            yield from (inner.tag for inner in branches[branch] if not is_foreign(inner.tag))


def _read_compatibility(data: bytes) -> tuple[frozenset[str], list[tuple[str, str]]]:
    """Return the namespaces to ignore, and the prefixes that are named without being declared (ECMA-376 part 3, 7)."""
    scope: dict[str, list[str]] = {}
    opened: list[str] = []
    ignorable: set[str] = set()
    faults: list[tuple[str, str]] = []
    events = cast("Iterator[tuple[str, object]]", iterparse(BytesIO(data), ["start-ns", "end-ns", "start"]))  # noqa: S314 - the same
    for event, item in events:
        if event == "start-ns":
            prefix, uri = cast("tuple[str, str]", item)
            opened.append(prefix)
            scope.setdefault(prefix, []).append(uri)
        elif event == "end-ns":
            scope[opened.pop()].pop()
        else:
            element = cast("Element", item)
            undeclared = [prefix for prefix in _named_prefixes(element) if not scope.get(prefix)]
            faults += [("undeclared-prefix", f"{short_name(element.tag)} names {prefix}") for prefix in undeclared]
            named = element.get(_MC + "Ignorable", "").split()
            ignorable |= {scope[prefix][-1] for prefix in named if scope.get(prefix)}
    return frozenset(ignorable), faults


def _named_prefixes(element: Element) -> Iterator[str]:
    for name in _PREFIX_LISTS:
        yield from (token.partition(":")[0] for token in element.get(name, "").split())
    if element.tag == _CHOICE:
        yield from element.get("Requires", "").split()
