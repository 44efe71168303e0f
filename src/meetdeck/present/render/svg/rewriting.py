"""An SVG rewritten by an allow-list: everything that is not known to only draw is removed."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from meetdeck.present.deck import NoPicture
from meetdeck.present.deck.opc.xml import Element, MarkupError, TooDeep, local_name, parse, remove, serialize_inside
from meetdeck.present.render.svg.expansion import (
    MOST_ELEMENTS,
    MOST_NESTED,
    TOO_DEEP,
    TOO_MANY,
    check_expansion,
    list_uses,
    read_link,
)
from meetdeck.present.render.svg.sizes import read_size
from meetdeck.present.render.svg.styles import StyleSheets, read_declarations, write_declarations
from meetdeck.present.render.svg.vocabulary import (
    ATTRIBUTES,
    ELEMENTS,
    GRADIENTS,
    PROPERTIES,
    SILENT_ELEMENTS,
    SVG,
    XHTML,
    XLINK,
    find_references,
    is_missed,
    is_safe,
)

_MOST_BYTES: Final = 2_000_000
_LINKING: Final = GRADIENTS | {"use"}
_LINKS: Final = frozenset({"href", f"{XLINK}href"})
_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_CONDITIONS: Final = frozenset({"requiredExtensions", "requiredFeatures", "systemLanguage"})
_PAINTS: Final = frozenset({"fill", "stroke"})
_LONGEST_NAME: Final = 40


class SafeSvg(NamedTuple):
    """An SVG that decks may hold, its size in CSS pixels, and the names of what was removed."""

    content: bytes
    width: float
    height: float
    dropped: tuple[str, ...]
    has_text: bool


def make_safe(svg: bytes) -> SafeSvg:
    """Return an SVG rewritten by the allow-list. Raises `NoPicture`."""
    if len(svg) > _MOST_BYTES:
        raise NoPicture(f"it is an SVG of {len(svg) / 1e6:,.1f} MB; at most {_MOST_BYTES // 10**6} MB are accepted.")
    if svg.count(b"<") - svg.count(b"</") > 2 * MOST_ELEMENTS:
        raise NoPicture(TOO_MANY)
    root = _read(svg)
    rewriting = _Rewriter(StyleSheets(root))
    rewriting.rewrite(root)
    _drop_dangling(root)
    check_expansion(root)
    width, height = read_size(root)
    has_text = next(root.iter(f"{SVG}text"), None) is not None
    # Only the root: its siblings may name style sheets of other files.
    content = serialize_inside(root, parse(b"<none/>"))
    return SafeSvg(content, width, height, tuple(sorted(rewriting.dropped)), has_text)


def _read(svg: bytes) -> Element:
    try:
        root = parse(svg)
    except TooDeep as problem:
        raise NoPicture(TOO_DEEP) from problem
    except MarkupError as problem:
        message = str(problem)
        if "DOCTYPE" in message:
            message = "it declares a DOCTYPE; remove it, which changes nothing of the drawing"
        raise NoPicture(f"it is an SVG that cannot be read: {message}.") from problem
    if root.tag != f"{SVG}svg":
        raise NoPicture(f'it is XML, but no SVG: its root must be <svg xmlns="{SVG[1:-1]}">.')
    return root


class _Rewriter:
    """Removes from one document what the allow-list lacks; `dropped` names what may be missed."""

    def __init__(self, sheets: StyleSheets) -> None:
        self.dropped = {"style sheet rule"} if sheets.has_more else set[str]()
        self._sheets = sheets

    def rewrite(self, root: Element) -> None:
        pending = [(root, 1)]
        while pending:
            element, depth = pending.pop()
            if depth > MOST_NESTED:
                raise NoPicture(TOO_DEEP)
            self._rewrite_attributes(element)
            for child in list(element.iterchildren()):
                if self._stays(child):
                    pending.append((child, depth + 1))
                else:
                    remove(child)

    def _stays(self, element: Element) -> bool:
        name = local_name(element)
        if not name or (not element.tag.startswith((SVG, XHTML)) and element.tag != name):
            return False  # comments, and what editors write for themselves
        if element.tag == f"{SVG}a":
            self.dropped.add("a")
            element.tag = f"{SVG}tspan" if _is_in_text(element) else f"{SVG}g"
            return True
        if element.tag == f"{SVG}switch":
            _choose_child(element)
            element.tag = f"{SVG}g"
            return True
        if element.tag.startswith(SVG) and name in ELEMENTS:
            return not self._leads_outside(element, name)
        if name not in SILENT_ELEMENTS:
            self._drop(name)
        return False

    def _leads_outside(self, element: Element, name: str) -> bool:
        """Return whether an element shows one of another document."""
        if name == "use" and not read_link(element):
            self._drop("use of another file")
            return True
        return False

    def _rewrite_attributes(self, element: Element) -> None:
        name = local_name(element)
        styles = self._filter(
            [*self._sheets.find(element), *read_declarations(element.get("style") or "")], of_style=True
        )
        for key, value in list(element.attrib.items()):
            if key in _LINKS and name in _LINKING and value.startswith("#"):
                continue
            if key == _SPACE:
                continue
            kept = self._filter([(key, value)], of_style=False) if key in _LINKS or key[0] != "{" else []
            if not kept:
                del element.attrib[key]
            elif kept[0][1] != value:
                element.set(*kept[0])
        if styles:
            element.set("style", write_declarations(styles))

    def _filter(self, pairs: Iterable[tuple[str, str]], *, of_style: bool) -> list[tuple[str, str]]:
        """Return the allowed attributes or properties; record those that may be missed."""
        allowed, kept = PROPERTIES if of_style else ATTRIBUTES, list[tuple[str, str]]()
        for key, value in pairs:
            if key in allowed and is_safe(value):
                kept.append((key, value))
            elif key in allowed:
                self._drop(f"{key} with another file or function")
                kept += [(key, "none")] if key in _PAINTS else []
            elif key != "style" and is_missed(key, value):
                self._drop(key.removeprefix(XLINK))
        return kept

    def _drop(self, name: str) -> None:
        self.dropped.add(name[:_LONGEST_NAME])


def _is_in_text(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and local_name(parent) in {"text", "tspan"}


def _choose_child(switch: Element) -> None:
    """Keep only the child of a `switch` that every program shows: the first without conditions."""
    children = [child for child in switch.iterchildren() if local_name(child)]
    chosen = next((child for child in children if _CONDITIONS.isdisjoint(child.attrib)), None)
    for child in children:
        if child is not chosen:
            remove(child)


def _drop_dangling(root: Element) -> None:
    """Remove references to missing elements: paint becomes none, otherwise a shape would turn black."""
    there = {element.get("id") for element in root.iter()}
    for element in list(root.iter()):
        gone = [name for name in list_uses(element) if name not in there]
        if not gone:
            continue
        if local_name(element) == "use" and read_link(element) in gone:
            remove(element)
            continue
        for key, value in list(element.attrib.items()):
            if key in _LINKS:
                if value.removeprefix("#") in gone:
                    del element.attrib[key]
            elif key == "style":
                kept = [_without(name, one, there) for name, one in read_declarations(value)]
                element.set("style", write_declarations(pair for pair in kept if pair[1]))
            elif found := _without(key, value, there)[1]:
                element.set(key, found)
            else:
                del element.attrib[key]


def _without(name: str, value: str, there: set[str | None]) -> tuple[str, str]:
    """Return a property with its value, which is `none` or empty if it refers to something missing."""
    if all(one in there for one in find_references(value)):
        return name, value
    return name, "none" if name in _PAINTS else ""
