"""Links from slide to slide, written as addresses, which every renderer copies unchanged into its PDF.

LibreOffice counts hidden slides when it creates such links and not when it creates pages: its links lead to wrong
pages, or to a file on its own disk.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from meetdeck.present.deck.errors import DeckError
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.packed import pack
from meetdeck.present.deck.opc.relationships import HYPERLINK, Relationship, highest_id, relationships_name
from meetdeck.present.deck.opc.xml import A, Element, R, remove, serialize
from meetdeck.present.deck.opc.zipwrite import ZipWriter
from meetdeck.present.deck.presentation.document import get_document
from meetdeck.present.deck.presentation.slides import read_slides
from meetdeck.present.deck.program.relationships import relationships_part, write_relationship, written_target

# Reserved for nobody (RFC 2606): an address that got past `find_slide_link` would lead nowhere.
_ADDRESS: Final = "https://slide.invalid/"
_LONGEST_NUMBER: Final = 9
_SHOW_JUMPS: Final = {"nextslide": "next", "previousslide": "previous", "firstslide": "first", "lastslide": "last"}
_ACTION: Final = re.compile(r"ppaction://(hlinksldjump|hlinkshowjump\?jump=(?P<jump>[a-z]+))", re.IGNORECASE)
_MARK: Final = b"ppaction://hlink"
_KIND: Final = "application/vnd.openxmlformats-officedocument.presentationml.{}+xml"
_LINKING_TYPES: Final = frozenset(_KIND.format(name) for name in ("slide", "slideLayout", "slideMaster"))


def find_slide_link(address: str, page: int, pages: int) -> int | None:
    """Return the page in an address, counted from 0, of `pages`; None for any other address.

    The page before the first is the first, as in a slide show.
    """
    if not address.startswith(_ADDRESS):
        return None
    name = address.removeprefix(_ADDRESS)
    if name.isascii() and name.isdigit():
        number = int(name) if len(name) <= _LONGEST_NUMBER else 0
        return number - 1 if 1 <= number <= pages else None
    by_name = {"next": page + 1, "previous": page - 1, "first": 0, "last": pages - 1}
    return max(0, min(by_name[name], pages - 1)) if name in by_name else None


def address_slide_links(data: bytes, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the presentation with its links between slides as addresses, without links to hidden slides.

    A presentation without such links, or an unreadable one, is returned unchanged; raises nothing.
    """
    try:
        package = read_package(data, [], limits)
        changed = {name: part for linking in _linking_parts(package) for name, part in _addressed(package, linking)}
        return _with_parts(package, changed) if changed else data
    except DeckError:
        return data


def _linking_parts(package: Package) -> list[str]:
    candidates = [name for name in package.names if package.content_type(name) in _LINKING_TYPES]
    return [name for name in candidates if _MARK in (package.read(name) or b"")]


def _addressed(package: Package, part: str) -> Iterator[tuple[str, bytes]]:
    """Yield the part and its relationships with addresses for links between slides."""
    root = package.parse(part)
    if root is None:
        return
    relationships = {one.id: one for one in package.relationships(part)}
    pages = _page_numbers(package)
    new: dict[str, Relationship] = {}
    next_id = highest_id(relationships.values()) + 1
    for link in list(root.iter(A + "hlinkClick")):
        name = _name_of_jump(link, relationships, pages)
        if name == "":
            remove(link)
        elif name is not None:
            known = Relationship(f"rId{next_id + len(new)}", HYPERLINK, _ADDRESS + name, external=True, part=None)
            link.set(R + "id", new.setdefault(name, known).id)
            link.set("action", "")
    all_of_them = (*relationships.values(), *new.values())
    program = relationships_part(write_relationship(one, written_target(one)) for one in all_of_them)
    name = relationships_name(part)
    yield part, serialize(root)
    yield package.find_name(name) or name, b"".join(node for node in program if isinstance(node, bytes))


def _name_of_jump(
    link: Element, relationships: Mapping[str, Relationship], pages: Mapping[str | None, int]
) -> str | None:
    """Return a page number or name for the address, empty for a hidden slide, None for any other link."""
    action = _ACTION.fullmatch(link.get("action", "") or "")
    if action is None:
        return None
    if action["jump"]:
        return _SHOW_JUMPS.get(action["jump"].lower())
    target = relationships.get(link.get(R + "id", "") or "")
    return str(pages.get(target.part, "")) if target is not None else None


def _page_numbers(package: Package) -> dict[str | None, int]:
    """Return the page numbers, from 1, of the visible slides by their parts."""
    shown = [slide.part for slide in read_slides(package, get_document(package)) if not slide.hidden]
    return {part: number for number, part in enumerate(shown, start=1)}


def _with_parts(package: Package, changed: Mapping[str, bytes]) -> bytes:
    """Return the package with some parts replaced or added; all others keep their compressed bytes."""
    writer = ZipWriter(package.limits.deck_bytes)
    for name in dict.fromkeys((*package.names, *changed)):
        writer.add(name, pack(changed[name]) if name in changed else package.packed(name))
    return writer.finish()
