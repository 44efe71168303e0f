"""Reading the XML of a presentation's parts: well-formed, not too deep, without a document type declaration."""

from collections.abc import Callable
from typing import Final, NamedTuple
from xml.parsers import expat

from meetdeck.present.deck.opc.xml import MOST_NESTED, MarkupError, TooDeep, local_name, parse
from meetdeck.present.render.renderer import RenderingFailed

_ENCODINGS: Final = frozenset({"utf-8", "utf8", "utf-16", "us-ascii", "ascii"})  # of the package's parts


class Root(NamedTuple):
    """The outermost element: its local name, its attributes by name, and its namespace (empty when it has none)."""

    name: str
    attributes: dict[str, str]
    namespace: str


def read_root(part: str, content: bytes, parser: object = None) -> Root:
    """Return the root of `part`, read to its end. Raises RenderingFailed when it is malformed or nested too deep.

    `parser` is one of the engine's, which counts levels; a part with too few end tags to be deep is read by expat,
    which is quicker.
    """
    if content.count(b"</") <= MOST_NESTED and b"\0" not in content[:4]:  # in UTF-16 an end tag has zeros
        return _read_flat(part, content)
    try:
        root = parse(content, parser)
    except TooDeep as error:
        raise _too_deep(part) from error
    except MarkupError as error:
        raise _malformed(part, error) from error
    return Root(local_name(root), dict(root.attrib), root.tag[1:].partition("}")[0] if root.tag[0] == "{" else "")


def _read_flat(part: str, content: bytes) -> Root:
    reader = expat.ParserCreate(namespace_separator=" ")
    roots: list[Root] = []

    def take_root(element: str, attributes: dict[str, str]) -> None:
        namespace, _, name = element.rpartition(" ")
        roots.append(Root(name, attributes, namespace))
        reader.StartElementHandler = None  # without one, expat stays in C

    reader.StartElementHandler = take_root
    _parse(part, content, reader)
    return roots[0]


def scan(part: str, content: bytes, on_element: Callable[[str, dict[str, str]], None]) -> None:
    """Read `part` to its end; `on_element` gets the local name of each element, and its attributes by name.

    A name in a namespace is `namespace local`. Raises RenderingFailed as `read_root` does.
    """
    reader = expat.ParserCreate(namespace_separator=" ")
    depth = 0

    def begin(element: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MOST_NESTED:
            raise _too_deep(part)
        on_element(element.rpartition(" ")[2], attributes)

    def end(_element: str) -> None:
        nonlocal depth
        depth -= 1

    reader.StartElementHandler = begin
    reader.EndElementHandler = end
    _parse(part, content, reader)


def _parse(part: str, content: bytes, reader: expat.XMLParserType) -> None:
    def check_declaration(_version: str, encoding: str | None, _standalone: int) -> None:
        if encoding and encoding.lower() not in _ENCODINGS:
            raise _malformed(part, f"its encoding is {encoding}")

    def refuse_doctype(*_: object) -> None:
        raise RenderingFailed(f"The part {part} holds a document type declaration, which Office files never do.")

    reader.XmlDeclHandler = check_declaration
    reader.StartDoctypeDeclHandler = refuse_doctype
    try:
        reader.Parse(content, True)  # noqa: FBT003 - expat takes it by position only
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: an encoding nobody knows
        raise _malformed(part, error) from error


def _malformed(part: str, reason: object) -> RenderingFailed:
    return RenderingFailed(
        f"The part {part} is not well-formed XML ({reason}); save the presentation again in PowerPoint."
    )


def _too_deep(part: str) -> RenderingFailed:
    return RenderingFailed(
        f"The part {part} nests elements more than {MOST_NESTED} deep; ungroup shapes that are grouped within groups."
    )
