"""The formats of runs and paragraphs in which rich text is written."""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.language.markdown import Paragraph, Run, Style
from meetdeck.present.deck.language.values import escape_text, legal
from meetdeck.present.deck.program.scope import Program, Scope, run
from meetdeck.present.deck.program.text.language import write_language_attribute

LINK_SLOT: Final = "new-link"

_DEEPEST_LEVEL: Final = 8

# PowerPoint's own buttons set these, in EMU: the indents of a bullet and a number, and each level's indentation.
_HANGS: Final = {"bullet": 285_750, "number": 342_900, "continued": 285_750}

_LEVEL_STEP: Final = 457_200

_LARGEST_NUMBER: Final = 32_767


class RunFormat(Struct, frozen=True):
    """A run's properties; `prefix` is DrawingML's with its colon, `new_link` a hyperlink to the slot's relationship."""

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

    def write(self, out: list[bytes], scope: Scope, content: Run, link: bytes | None = None) -> None:
        """Append a run; its line breaks become elements. `link` is the id of a hyperlink relationship."""
        opening = f"<{self.prefix}r>".encode()
        ending = f"</{self.prefix}t></{self.prefix}r>".encode()
        for number, line in enumerate(legal(content.text).split("\n")):
            if number:
                self.write_break(out, scope, content.style, link)
            out.append(opening)
            self._write_properties(out, scope, content.style, link)
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
            scope.slots[LINK_SLOT] = link
            run(self.new_link, out, scope)
        run(self.after, out, scope)
        out.append(f"</{prefix}rPr>".encode())


class ParagraphFormat(Struct, frozen=True):
    """A paragraph's properties: `properties` and `ending` whole, the other members those that list items vary.

    `namespaces` are the declarations on the paragraph itself, which its replacement needs too. `margin` is the left one
    in EMU, None for an inherited one; `bullet` the paragraph's own, with its font, and `number_type` the kind of an
    automatic number. `inherited` are the levels for which the placeholder has bullets.
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

    def write_properties(self, out: list[bytes], scope: Scope, paragraph: Paragraph) -> None:
        """Append a paragraph's properties; outside of lists they are the template's."""
        if not paragraph.bullet:
            run(self.properties, out, scope)
            return
        level = min(self.level + paragraph.level, _DEEPEST_LEVEL)
        out.append(f'<{self.prefix}pPr{self.attributes}{self._place(paragraph, level)} lvl="{level}">'.encode())
        for program in (self.spacing, self.bullet_look, self._bullet(paragraph, level), self.after):
            run(program, out, scope)
        out.append(f"</{self.prefix}pPr>".encode())

    def _place(self, paragraph: Paragraph, level: int) -> str:
        """Return margin and indentation; with the template's own bullets, the template's."""
        step = _LEVEL_STEP * paragraph.level
        if self.bullet or level in self.inherited:
            margin = "" if self.margin is None else f' marL="{self.margin + step}"'
            return margin + (' indent="0"' if paragraph.bullet == "continued" else self.indent)
        hang = _HANGS[paragraph.bullet]
        indent = 0 if paragraph.bullet == "continued" else -hang
        return f' marL="{(self.margin or 0) + step + hang}" indent="{indent}"'

    def _bullet(self, paragraph: Paragraph, level: int) -> Program:
        prefix = self.prefix
        if paragraph.bullet == "continued":
            return (f"<{prefix}buNone/>".encode(),)
        if paragraph.bullet == "number":
            start = min(max(paragraph.start, 1), _LARGEST_NUMBER)
            font = f'<{prefix}buFont typeface="+mj-lt"/>'
            kind = self.number_type or "arabicPeriod"
            return (f'{font}<{prefix}buAutoNum type="{kind}" startAt="{start}"/>'.encode(),)
        if self.bullet or level in self.inherited:
            return self.bullet
        return (f'<{prefix}buFont typeface="Arial"/><{prefix}buChar char="•"/>'.encode(),)
