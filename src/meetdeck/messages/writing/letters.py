"""A message as text and as HTML: its words filled in, in the shared layout."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, select_autoescape

from meetdeck.messages.writing.placeholders import Values, fill, write_in_one_line
from meetdeck.messages.writing.words import Words

_LONGEST_SUBJECT: Final = 250

_LAYOUTS: Final = Path(__file__).parent / "layout"
_environment = Environment(
    loader=FileSystemLoader(_LAYOUTS),
    auto_reload=False,
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)

SHARED_LINES: Final = frozenset(
    line
    for line in (_LAYOUTS / "message.html").read_text(encoding="utf-8").split("\n")
    if "{{" not in line and "{%" not in line
)
"""The lines of HTML that all messages have."""


class Fact(msgspec.Struct, frozen=True):
    """A line about the meeting: a label and a value."""

    label: str
    value: str
    link: str | None = None
    """The address to which the value links; None: none."""


class Link(msgspec.Struct, frozen=True):
    """The button of a message."""

    label: str
    link: str


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a message, and its words."""

    language: str
    words: Words
    values: Values
    facts: Sequence[Fact]
    button: Link | None
    organization: str
    footer: str
    color: str
    """The color of the button, `#RRGGBB`."""


class WrittenMessage(msgspec.Struct, frozen=True):
    """A message in its final form."""

    subject: str
    text: str
    html: str


def write_letter(letter: Letter) -> WrittenMessage:
    """Return a message's subject, and the message as text and as HTML."""
    subject = " ".join(fill(letter.words.subject, letter.values).split())[:_LONGEST_SUBJECT]
    body = _list_paragraphs(letter.words.body, letter.values)
    shown = {
        "language": letter.language,
        "subject": subject,
        "heading": " ".join(fill(letter.words.heading, letter.values).split()),
        "preview": ", ".join(fact.value for fact in letter.facts[:2]),
        "body": body,
        "closing": _list_paragraphs(letter.words.closing, letter.values),
        "facts": [msgspec.structs.replace(fact, value=write_in_one_line(fact.value)) for fact in letter.facts],
        "button": letter.button,
        "organization": letter.organization,
        "footer": letter.footer,
        "color": letter.color,
    }
    text, html = (layout.render(shown) for layout in _get_layouts())
    return WrittenMessage(subject, text, html)


@cache
def _get_layouts() -> tuple[Template, Template]:
    """Return the layouts of texts and of HTML."""
    return _environment.get_template("message.txt"), _environment.get_template("message.html")


def _list_paragraphs(text: str, values: Values) -> list[list[str]]:
    """Return the lines of each paragraph; a value cannot begin one."""
    paragraphs = text.replace("\r\n", "\n").strip().split("\n\n")
    return [[fill(line, values) for line in each.strip("\n").split("\n")] for each in paragraphs if each.strip()]
