"""Style sheets inside of an SVG, resolved: each element's share of them becomes its own style."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import tinycss2
from tinycss2.ast import QualifiedRule

from meetdeck.present.deck import NoPicture
from meetdeck.present.deck.opc.xml import Element, local_name
from meetdeck.present.render.svg.vocabulary import SVG

_MOST_CHARACTERS: Final = 200_000
# The limit for the styles of all elements together.
_MOST_RESOLVED: Final = 8_000_000
# Roughly the size of a property without its value.
_PROPERTY_CHARACTERS: Final = 20
# The weight of a selector, as in CSS: elements, classes, ids.
_ANY, _ELEMENT, _CLASS, _ID = 0, 1, 2, 4
_TOO_MUCH: Final = (
    "it is an SVG whose style sheets have too many rules for too many elements; export it with inline styles."
)


class _Value(NamedTuple):
    weight: int
    order: int
    value: str


class StyleSheets:
    """The rules of an SVG that select only by element, class or id; `has_more` says whether there are others."""

    def __init__(self, root: Element) -> None:
        self.has_more = False
        # By class, id or element, then by the element that is selected with a class or id, then by property.
        self._values: dict[tuple[str, str], dict[str, _Value]] = {}
        self._order = 0
        self._resolved = 0
        for element in root.iter(f"{SVG}style"):
            self._read(element.text or "")

    def find(self, element: Element) -> list[tuple[str, str]]:
        """Return the properties and values of an element. Raises `NoPicture` when all elements get too many."""
        if not self._values:
            return []
        name, found = local_name(element), dict[str, _Value]()
        classes = dict.fromkeys((element.get("class") or "").split())
        for key in ("*", name, *(f".{one}" for one in classes), f"#{element.get('id')}"):
            for of in ("", name):
                for known, value in self._values.get((key, of), {}).items():
                    self._resolved += len(value.value) + _PROPERTY_CHARACTERS
                    found[known] = max(value, found.get(known, value))
                if self._resolved > _MOST_RESOLVED:
                    raise NoPicture(_TOO_MUCH)
        return [(known, value.value) for known, value in found.items()]

    def _read(self, text: str) -> None:
        if len(text) > _MOST_CHARACTERS:
            self.has_more = True
            return
        try:
            for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
                if isinstance(rule, QualifiedRule):
                    declarations = list(read_declarations(tinycss2.serialize(rule.content)))
                    for selector in tinycss2.serialize(rule.prelude).split(","):
                        self._add(selector.strip(), declarations)
                else:
                    self.has_more = True
        except RecursionError:  # brackets in brackets, which no drawing needs
            self.has_more = True

    def _add(self, selector: str, declarations: Iterable[tuple[str, str]]) -> None:
        mark = next((mark for mark in ".#" if mark in selector), "")
        element, _, name = selector.partition(mark) if mark else (selector, "", "")
        if not (_is_name(element) or (mark and not element)) or (mark and not _is_name(name)):
            self.has_more = True
            return
        of = "" if element == "*" or not mark else element
        weight = {"": _ANY if element == "*" else _ELEMENT, ".": _CLASS, "#": _ID}[mark] + bool(of)
        values = self._values.setdefault((mark + name or element, of), {})
        self._order += 1
        for known, value in declarations:
            values[known] = _Value(weight, self._order, value)


def _is_name(text: str) -> bool:
    return text == "*" or text.replace("-", "").replace("_", "").isalnum()


def read_declarations(style: str) -> Iterator[tuple[str, str]]:
    """Yield the properties and values of a `style`, in order."""
    for declaration in style.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            yield name.strip().lower(), value.strip().removesuffix("!important").rstrip()


def write_declarations(declarations: Iterable[tuple[str, str]]) -> str:
    """Return a `style` of properties and values, the last value of each."""
    return ";".join(f"{name}:{value}" for name, value in dict(declarations).items())
