"""The format of the template's runs and paragraphs, taken apart so that what is filled in can vary it by joining bytes.

The order of children is the schema's (ECMA-376 part 1, 21.1.2.3.9 a:rPr and 21.1.2.2.7 a:pPr).
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.fill import Program, Scope, run
from meetdeck.present.deck.language.markdown import Paragraph, Run, Style
from meetdeck.present.deck.language.values import escape_attribute, escape_text, legal
from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import A, Element, R, local_name, prefix_for, serialize_inside
from meetdeck.present.deck.pieces import Slot
from meetdeck.present.deck.proofing import write_language_attribute

_LINK_SLOT: Final = "new-link"
_SCRIPT_FONTS: Final = frozenset({"ea", "cs", "sym"})
_AFTER_LINK: Final = frozenset({"hlinkMouseOver", "rtl", "extLst"})
_FROM_LATIN: Final = frozenset({"latin", *_SCRIPT_FONTS, "hlinkClick", *_AFTER_LINK})

_SPACING: Final = frozenset({"lnSpc", "spcBef", "spcAft"})
_BULLET_LOOK: Final = frozenset({"buClrTx", "buClr", "buSzTx", "buSzPct", "buSzPts"})
_BULLET_FONT: Final = frozenset({"buFontTx", "buFont"})
_BULLET: Final = frozenset({"buAutoNum", "buChar", "buBlip"})
_AFTER_BULLET: Final = frozenset({"tabLst", "defRPr", "extLst"})
_DEEPEST_LEVEL: Final = 8
# What PowerPoint's own buttons set, in EMU: how far a bullet and a number hang, and each level's indentation.
_HANGS: Final = {"bullet": 285_750, "number": 342_900, "continued": 285_750}
_LEVEL_STEP: Final = 457_200
_LARGEST_NUMBER: Final = 32_767
_WHOLE: Final = re.compile("-?[0-9]{1,8}")
# The marks behind an element that belong to it; those that follow them begin something around the next one.
_CLOSING_MARKS: Final = re.compile(r"(?:\ufdd0c[0-9]+\ufdd1|\s)*")


class RunFormat(Struct, frozen=True):
    """A run's properties; `prefix` is DrawingML's with its colon, `new_link` a hyperlink to what the slot names."""

    prefix: str
    attributes: str
    language: str
    bold: str
    italic: str
    strike: str
    before: Program
    latin: Program
    script_fonts: Program
    link: Program
    after: Program
    new_link: Program

    def write(self, out: list[bytes], scope: Scope, what: Run, link: bytes | None = None) -> None:
        """Append a run; its line breaks become elements. `link` is the id of a hyperlink relationship."""
        opening = f"<{self.prefix}r>".encode()
        ending = f"</{self.prefix}t></{self.prefix}r>".encode()
        for number, line in enumerate(legal(what.text).split("\n")):
            if number:
                self.write_break(out, scope, what.style, link)
            out.append(opening)
            self._write_properties(out, scope, what.style, link)
            out.append(f"<{self.prefix}t>{escape_text(line)}".encode())
            out.append(ending)

    def write_break(self, out: list[bytes], scope: Scope, style: Style, link: bytes | None = None) -> None:
        """Append a line break of a run's format."""
        out.append(f"<{self.prefix}br>".encode())
        self._write_properties(out, scope, style, link)
        out.append(f"</{self.prefix}br>".encode())

    def _write_properties(self, out: list[bytes], scope: Scope, style: Style, link: bytes | None) -> None:
        prefix = self.prefix
        bold = ' b="1"' if style.bold else self.bold
        italic = ' i="1"' if style.italic else self.italic
        strike = ' strike="sngStrike"' if style.strike else self.strike
        out.append(f"<{prefix}rPr{self.attributes}".encode())
        out.append(write_language_attribute(scope.language, self.language))
        out.append(f"{bold}{italic}{strike}>".encode())
        run(self.before, out, scope)
        if style.code:
            out.append(f'<{prefix}latin typeface="Courier New"/>'.encode())
        else:
            run(self.latin, out, scope)
        run(self.script_fonts, out, scope)
        if link is None:
            run(self.link, out, scope)
        else:
            scope.slots[_LINK_SLOT] = link
            run(self.new_link, out, scope)
        run(self.after, out, scope)
        out.append(f"</{prefix}rPr>".encode())


class ParagraphFormat(Struct, frozen=True):
    """A paragraph's properties: `properties` and `ending` whole, the other members what list items vary.

    `namespaces` are the declarations on the paragraph itself, which what takes its place needs too.
    `margin` is the left one in EMU, None for an inherited one; `bullet` the paragraph's own, with its font, and
    `number_type` the kind of an automatic number. `inherited` are the levels whose bullets the placeholder has.
    """

    prefix: str
    namespaces: str
    properties: Program
    ending: Program
    attributes: str
    level: int
    margin: int | None
    indent: str
    spacing: Program
    bullet_look: Program
    bullet: Program
    number_type: str
    after: Program
    inherited: Collection[int] = ()

    def write_properties(self, out: list[bytes], scope: Scope, what: Paragraph) -> None:
        """Append a paragraph's properties; outside of lists they are the template's."""
        if not what.bullet:
            run(self.properties, out, scope)
            return
        level = min(self.level + what.level, _DEEPEST_LEVEL)
        out.append(f'<{self.prefix}pPr{self.attributes}{self._place(what, level)} lvl="{level}">'.encode())
        for program in (self.spacing, self.bullet_look, self._bullet(what, level), self.after):
            run(program, out, scope)
        out.append(f"</{self.prefix}pPr>".encode())

    def _place(self, what: Paragraph, level: int) -> str:
        """Return margin and indentation; bullets that the template has bring theirs along."""
        step = _LEVEL_STEP * what.level
        if self.bullet or level in self.inherited:
            margin = "" if self.margin is None else f' marL="{self.margin + step}"'
            return margin + (' indent="0"' if what.bullet == "continued" else self.indent)
        hang = _HANGS[what.bullet]
        indent = 0 if what.bullet == "continued" else -hang
        return f' marL="{(self.margin or 0) + step + hang}" indent="{indent}"'

    def _bullet(self, what: Paragraph, level: int) -> Program:
        prefix = self.prefix
        if what.bullet == "continued":
            return (f"<{prefix}buNone/>".encode(),)
        if what.bullet == "number":
            start = min(max(what.start, 1), _LARGEST_NUMBER)
            font = f'<{prefix}buFont typeface="+mj-lt"/>'
            kind = self.number_type or "arabicPeriod"
            return (f'{font}<{prefix}buAutoNum type="{kind}" startAt="{start}"/>'.encode(),)
        if self.bullet or level in self.inherited:
            return self.bullet
        return (f'<{prefix}buFont typeface="Arial"/><{prefix}buChar char="•"/>'.encode(),)


def read_run_format(holder: Element, paragraph: Element, marks: Marks) -> RunFormat:
    """Take the properties of a run or field apart."""
    properties = holder.find(A + "rPr")
    attributes = dict(properties.attrib) if properties is not None else {}
    parts = _Parts(properties, paragraph, marks)
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


def read_paragraph_format(paragraph: Element, marks: Marks, inherited: Collection[int] = ()) -> ParagraphFormat:
    """Take a paragraph's properties apart; `inherited` are the levels whose bullets the placeholder has."""
    properties, ending = paragraph.find(A + "pPr"), paragraph.find(A + "endParaRPr")
    attributes = dict(properties.attrib) if properties is not None else {}
    parts = _Parts(properties, paragraph, marks)
    number = properties.find(A + "buAutoNum") if properties is not None else None
    margin = attributes.pop("marL", "")
    level = attributes.pop("lvl", "")
    return ParagraphFormat(
        prefix=parts.prefix,
        namespaces=_own_namespaces(paragraph),
        properties=_whole(properties, paragraph, marks),
        ending=_whole(ending, paragraph, marks),
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
    """The children of a property element, written one by one, each with the marks around it."""

    def __init__(self, properties: Element | None, paragraph: Element, marks: Marks) -> None:
        self.prefix = f"{paragraph.prefix}:" if paragraph.prefix else ""
        self._written = list(_write_children(properties, paragraph)) if properties is not None else []
        self.names = {name for name, _ in self._written}
        self._marks = marks

    def program(self, names: Collection[str]) -> Program:
        """Return the children of these names."""
        return self._marks.cut_bytes(b"".join(xml for name, xml in self._written if name in names))


def _write_children(properties: Element, paragraph: Element) -> Iterator[tuple[str, bytes]]:
    before = properties.text or ""
    for child in properties.iterchildren():
        after = child.tail or ""
        closing = _CLOSING_MARKS.match(after)
        end = closing.end() if closing else 0
        yield local_name(child), before.encode() + serialize_inside(child, paragraph) + after[:end].encode()
        before = after[end:]


def _whole(element: Element | None, paragraph: Element, marks: Marks) -> Program:
    return marks.cut_bytes(serialize_inside(element, paragraph)) if element is not None else ()


def _own_namespaces(element: Element) -> str:
    parent = element.getparent()
    around = parent.nsmap if parent is not None else dict[str | None, str]()
    return "".join(
        f' xmlns{":" if prefix else ""}{prefix or ""}="{escape_attribute(uri)}"'
        for prefix, uri in element.nsmap.items()
        if around.get(prefix) != uri
    )


def _written(attributes: dict[str, str | None] | dict[str, str]) -> str:
    """Write attributes; those of other namespaces are extensions that nobody misses."""
    return "".join(
        f' {name}="{escape_attribute(value)}"'
        for name, value in attributes.items()
        if value is not None and not name.startswith("{")
    )


def _new_link(prefix: str, paragraph: Element) -> Program:
    relationships = prefix_for(paragraph, R)
    attribute = f"{relationships}:id" if relationships else f'xmlns:r="{R[1:-1]}" r:id'
    return (f'<{prefix}hlinkClick {attribute}="'.encode(), Slot(_LINK_SLOT), b'"/>')
