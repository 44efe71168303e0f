"""Message texts: the firm's own, or else Meetdeck's (docs/messages.md)."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from meetdeck.booking.configuration.portals.schemas import PageLanguage
from meetdeck.messages.message_texts import store
from meetdeck.messages.message_texts.errors import MessageTextNotFound
from meetdeck.messages.message_texts.schemas import MessagePreview, MessageText, SaveMessageText
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.letters import write_letter
from meetdeck.messages.writing.placeholders import find_faults
from meetdeck.messages.writing.samples import make_sample
from meetdeck.messages.writing.words import Words, get_vocabulary
from meetdeck.platform.database import Connection
from meetdeck.platform.values import refuse

TextKey: TypeAlias = tuple[TextKind, PageLanguage]

_BLOCKS: Final = ("subject", "heading", "body", "closing")


async def find_words(connection: Connection, kind: TextKind, language: str) -> Words:
    """Return the texts of a kind of message."""
    return choose_words(await store.list_texts(connection, [kind]), kind, language)


def choose_words(own: Mapping[TextKey, Words], kind: TextKind, language: str) -> Words:
    """Return the texts of a kind of message, among the firm's own, or else Meetdeck's."""
    return own.get((kind, PageLanguage(language))) or get_vocabulary(language).words[kind]


async def list_texts(connection: Connection) -> list[MessageText]:
    """Return the texts of all kinds of messages, in all languages."""
    own = await store.list_texts(connection, list(TextKind))
    return [_show(kind, language, own.get((kind, language))) for kind in TextKind for language in PageLanguage]


def read_key(kind: str, language: str) -> TextKey:
    """Return the kind and language in an address, in any case of their letters. Raises MessageTextNotFound."""
    try:
        return TextKind(kind), PageLanguage(language)
    except ValueError:
        raise MessageTextNotFound(kind, language) from None


async def get_text(connection: Connection, key: TextKey, *, for_update: bool = False) -> MessageText:
    """Return the texts of a kind in a language, locked when `for_update`."""
    kind, language = key
    return _show(kind, language, await store.find_text(connection, kind, language.value, for_update=for_update))


async def put_text(connection: Connection, current: MessageText, body: SaveMessageText) -> MessageText:
    """Replace the texts of a kind with the firm's own. Raises InvalidInput for unknown placeholders."""
    words = _read(body)
    await store.put_text(connection, current.kind, current.language.value, words)
    return _show(current.kind, current.language, words)


async def reset_text(connection: Connection, current: MessageText) -> MessageText:
    """Delete the firm's own texts, and return Meetdeck's, which are used again."""
    await store.delete_text(connection, current.kind, current.language.value)
    return _show(current.kind, current.language, None)


def preview(text: MessageText) -> MessagePreview:
    """Return a message with some texts, about an invented meeting."""
    return _preview((text.kind, text.language), Words(text.subject, text.heading, text.body, text.closing))


def try_words(key: TextKey, body: SaveMessageText) -> MessagePreview:
    """Return a message with the texts of a body, like `preview`. Raises InvalidInput for unknown placeholders."""
    return _preview(key, _read(body))


def _preview(key: TextKey, words: Words) -> MessagePreview:
    kind, language = key
    written = write_letter(make_sample(kind, language.value, words))
    return MessagePreview(written.subject, written.text, written.html)


def _read(body: SaveMessageText) -> Words:
    words = Words(body.subject, body.heading, body.body, body.closing)
    refuse([fault for block in _BLOCKS for fault in find_faults(getattr(words, block), f"/{block}")])
    return words


def _show(kind: TextKind, language: PageLanguage, own: Words | None) -> MessageText:
    words = own if own is not None else get_vocabulary(language.value).words[kind]
    return MessageText(
        kind=kind,
        language=language,
        subject=words.subject,
        heading=words.heading,
        body=words.body.strip(),
        closing=words.closing.strip(),
        is_default=own is None,
    )
