"""Rich text: links and Markdown, written as runs and paragraphs."""

from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.addresses import encode_address, finish_address
from meetdeck.present.deck.language.constructs import Tag
from meetdeck.present.deck.language.markdown import Paragraph, Run, Style, read_markdown
from meetdeck.present.deck.language.values import Unwritable, legal
from meetdeck.present.deck.program.glyphs import report_undrawable
from meetdeck.present.deck.program.nodes import allow_address
from meetdeck.present.deck.program.scope import Program, Scope, bad_data, resolve_text, run
from meetdeck.present.deck.program.text.formats import ParagraphFormat, RunFormat

_PLAIN: Final = Style()

_NOTHING: Final = Paragraph(())


class LinkNode(Struct, frozen=True):
    """A hyperlink to the value; `text` is its text, empty for the value itself."""

    tag: Tag
    place: Place
    text: str
    run_format: RunFormat

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the link; plain text for an unsafe address, nothing for an empty one."""
        address = legal(resolve_text(self.tag, self.place, scope)).strip()
        if address:
            report_undrawable(self.text or address, self.place, scope)
            self.run_format.write(out, scope, Run(self.text or address, _PLAIN), _relate(address, scope))


class SlideLinkNode(Struct, frozen=True):
    """A value that links to a slide made for the surrounding item: from the template's slide `target`, or any."""

    tag: Tag
    place: Place
    target: int | None
    run_format: RunFormat

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value as a link; as plain text when the deck has no such slide."""
        text = legal(resolve_text(self.tag, self.place, scope))
        if text:
            report_undrawable(text, self.place, scope)
            part = scope.deck.find_slide(self.target, scope) if scope.deck else None
            link = scope.relationships.add_slide(part) if part else None
            self.run_format.write(out, scope, Run(text, _PLAIN), link)


class MarkdownNode(Struct, frozen=True):
    """Markdown inside a paragraph with other text: its paragraphs become lines."""

    tag: Tag
    place: Place
    run_format: RunFormat

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the runs."""
        for number, paragraph in enumerate(_read(self.tag, self.place, scope)):
            if number:
                self.run_format.write_break(out, scope, _PLAIN)
            _write_runs(out, scope, self.run_format, paragraph)


class ParagraphsNode(Struct, frozen=True):
    """Markdown that replaces a paragraph: at least one paragraph, as a text body requires.

    `start` is written at the beginning of each: the mark of an animated paragraph.
    """

    tag: Tag
    place: Place
    run_format: RunFormat
    paragraph_format: ParagraphFormat
    start: Program = ()

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the paragraphs."""
        paragraph_format = self.paragraph_format
        for paragraph in _read(self.tag, self.place, scope) or [_NOTHING]:
            out.append(f"<{paragraph_format.prefix}p{paragraph_format.namespaces}>".encode())
            run(self.start, out, scope)
            paragraph_format.write_properties(out, scope, paragraph)
            _write_runs(out, scope, self.run_format, paragraph)
            run(paragraph_format.ending, out, scope)
            out.append(f"</{paragraph_format.prefix}p>".encode())


def _read(tag: Tag, place: Place, scope: Scope) -> tuple[Paragraph, ...]:
    text = resolve_text(tag, place, scope)
    report_undrawable(text, place, scope)
    try:
        return read_markdown(text)
    except Unwritable as problem:
        raise bad_data(tag, place, scope, str(problem)) from problem


def _write_runs(out: list[bytes], scope: Scope, run_format: RunFormat, paragraph: Paragraph) -> None:
    # A run without text keeps an empty paragraph at the height of its format.
    for content in paragraph.runs or (Run("", _PLAIN),):
        address = content.style.address
        run_format.write(out, scope, content, _relate(address, scope) if address else None)


def _relate(address: str, scope: Scope) -> bytes | None:
    """Return the id of a relationship to an address; None, reported, for an unsafe one."""
    whole = finish_address(encode_address(address, whole=True))
    return scope.relationships.add_address(whole) if allow_address(whole, scope) else None
