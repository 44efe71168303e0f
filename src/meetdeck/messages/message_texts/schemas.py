"""Message texts, as firms read and write them."""

from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.booking.configuration.portals.schemas import PageLanguage
from meetdeck.booking.texts import Name
from meetdeck.messages.writing.kinds import TextKind

_Paragraphs = Annotated[
    str,
    Meta(max_length=5_000, description="Paragraphs, separated by empty lines. `{{name}}` is replaced by a value."),
]


class MessageText(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The texts of a kind of message in a language."""

    kind: TextKind
    """The occasion of the message, and whether it goes to employees."""
    language: PageLanguage
    """The language of the texts."""
    subject: str
    """The subject of the mail."""
    heading: str
    """The heading of the message."""
    body: str
    """The paragraphs before the facts of the meeting."""
    closing: str
    """The paragraphs after the facts; empty: none."""
    is_default: bool
    """True if they are Meetdeck's own texts."""

    @property
    def id(self) -> str:
        """Return the last steps of the address."""
        return f"{self.kind.value}/{self.language.value}"


class SaveMessageText(msgspec.Struct, frozen=True, kw_only=True):
    """The body of message texts. Only the placeholders in docs/messages.md are allowed as `{{…}}`."""

    subject: Annotated[Name, Meta(examples=["Your meeting on {{day}}"])]
    """The subject of the mail."""
    heading: Annotated[Name, Meta(examples=["See you on {{day}}"])]
    """The heading of the message."""
    body: Annotated[_Paragraphs, Meta(min_length=1, examples=["Hello {{name}},\n\n{{advisor}} looks forward to it."])]
    """The paragraphs before the facts of the meeting."""
    closing: _Paragraphs = ""
    """The paragraphs after the facts; empty: none."""


class MessagePreview(msgspec.Struct, frozen=True):
    """A message as it would be sent, about an invented meeting."""

    subject: str
    """The subject of the mail."""
    text: str
    """The message for mail programs that show only text."""
    html: str
    """The message for all other mail programs."""
