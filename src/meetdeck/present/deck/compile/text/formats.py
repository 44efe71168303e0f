"""The format of the template's runs and paragraphs, taken apart so that filled text can vary it by joining bytes.

The order of children is the schema's (ECMA-376 part 1, 21.1.2.3.9 a:rPr and 21.1.2.2.7 a:pPr).
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.xml import A, Element, R, local_name, prefix_for, serialize_inside
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.text.formats import LINK_SLOT, ParagraphFormat, RunFormat

_SCRIPT_FONTS: Final = frozenset({"ea", "cs", "sym"})
_AFTER_LINK: Final = frozenset({"hlinkMouseOver", "rtl", "extLst"})
_FROM_LATIN: Final = frozenset({"latin", *_SCRIPT_FONTS, "hlinkClick", *_AFTER_LINK})

_SPACING: Final = frozenset({"lnSpc", "spcBef", "spcAft"})
_BULLET_LOOK: Final = frozenset({"buClrTx", "buClr", "buSzTx", "buSzPct", "buSzPts"})
_BULLET_FONT: Final = frozenset({"buFontTx", "buFont"})
_BULLET: Final = frozenset({"buAutoNum", "buChar", "buBlip"})
_AFTER_BULLET: Final = frozenset({"tabLst", "defRPr", "extLst"})
_WHOLE: Final = re.compile("-?[0-9]{1,8}")
# The marks after an element that belong to it; those that follow them start something around the next one.
_CLOSING_MARKS: Final = re.compile(r"(?:\ufdd0c[0-9]+\ufdd1|\s)*")


def read_run_format(holder: Element, paragraph: Element, markers: Markers) -> RunFormat:
    """Return the format of a run or field, taken apart."""
    properties = holder.find(A + "rPr")
    attributes = dict(properties.attrib) if properties is not None else {}
    parts = _Parts(properties, paragraph, markers)
    return RunFormat(
        prefix=parts.prefix,
        language=attributes.pop("lang", ""),
        bold=_written({"b": attributes.pop("b", None)}),
        italic=_written({"i": attributes.pop("i", None)}),
        strike=_written({"strike": attributes.pop("strike", None)}),
        attributes=_written(attributes),
        before=parts.program(parts.names - _FROM_LATIN),
        latin=parts.program({"latin"}),
        script_fonts=parts.program(_SCRIPT_FONTS),
        link=parts.program({"hlinkClick"}),
        after=parts.program(_AFTER_LINK),
        new_link=_new_link(parts.prefix, paragraph),
    )


def read_paragraph_format(paragraph: Element, markers: Markers, inherited: Collection[int] = ()) -> ParagraphFormat:
    """Return a paragraph's format, taken apart; `inherited` are the levels whose bullets the placeholder has."""
    properties, ending = paragraph.find(A + "pPr"), paragraph.find(A + "endParaRPr")
    attributes = dict(properties.attrib) if properties is not None else {}
    parts = _Parts(properties, paragraph, markers)
    number = properties.find(A + "buAutoNum") if properties is not None else None
    margin = attributes.pop("marL", "")
    level = attributes.pop("lvl", "")
    return ParagraphFormat(
        prefix=parts.prefix,
        namespaces=_own_namespaces(paragraph),
        properties=_whole(properties, paragraph, markers),
        ending=_whole(ending, paragraph, markers),
        level=int(level) if level.isascii() and level.isdigit() and len(level) == 1 else 0,
        margin=int(margin) if _WHOLE.fullmatch(margin) else None,
        indent=_written({"indent": attributes.pop("indent", None)}),
        attributes=_written(attributes),
        spacing=parts.program(_SPACING),
        bullet_look=parts.program(_BULLET_LOOK),
        bullet=parts.program(_BULLET_FONT | _BULLET) if parts.names & _BULLET else (),
        number_type=escape_attribute(number.get("type", "") or "") if number is not None else "",
        after=parts.program(_AFTER_BULLET),
        inherited=() if "buNone" in parts.names else inherited,
    )


class _Parts:
    """The children of a property element, written one by one, each with the markers around it."""

    def __init__(self, properties: Element | None, paragraph: Element, markers: Markers) -> None:
        self.prefix = f"{paragraph.prefix}:" if paragraph.prefix else ""
        self._written = list(_write_children(properties, paragraph)) if properties is not None else []
        self.names = {name for name, _ in self._written}
        self._markers = markers

    def program(self, names: Collection[str]) -> Program:
        """Return the children with these names."""
        return self._markers.cut_bytes(b"".join(xml for name, xml in self._written if name in names))


def _write_children(properties: Element, paragraph: Element) -> Iterator[tuple[str, bytes]]:
    before = properties.text or ""
    for child in properties.iterchildren():
        after = child.tail or ""
        closing = _CLOSING_MARKS.match(after)
        end = closing.end() if closing else 0
        yield local_name(child), before.encode() + serialize_inside(child, paragraph) + after[:end].encode()
        before = after[end:]


def _whole(element: Element | None, paragraph: Element, markers: Markers) -> Program:
    return markers.cut_bytes(serialize_inside(element, paragraph)) if element is not None else ()


def _own_namespaces(element: Element) -> str:
    parent = element.getparent()
    around = parent.nsmap if parent is not None else dict[str | None, str]()
    return "".join(
        f' xmlns{":" if prefix else ""}{prefix or ""}="{escape_attribute(uri)}"'
        for prefix, uri in element.nsmap.items()
        if around.get(prefix) != uri
    )


def _written(attributes: dict[str, str | None] | dict[str, str]) -> str:
    """Return attributes as text, without those of other namespaces, which are extensions."""
    return "".join(
        f' {name}="{escape_attribute(value)}"'
        for name, value in attributes.items()
        if value is not None and not name.startswith("{")
    )


def slide_link(prefix: str, paragraph: Element) -> Program:
    """Return a link to the slide of the slot's relationship."""
    return _new_link(prefix, paragraph, b' action="ppaction://hlinksldjump"')


def _new_link(prefix: str, paragraph: Element, action: bytes = b"") -> Program:
    relationships = prefix_for(paragraph, R)
    attribute = f"{relationships}:id" if relationships else f'xmlns:r="{R[1:-1]}" r:id'
    return (f'<{prefix}hlinkClick {attribute}="'.encode(), Slot(LINK_SLOT), b'"' + action + b"/>")
