"""The check of a firm's own message texts when they are imported."""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.administration.exports.checks.checking import Check
from meetdeck.messages.message_texts import service
from meetdeck.messages.message_texts.schemas import SaveMessageText
from meetdeck.platform.database import Connection
from meetdeck.platform.values import read_builtins

_COLUMNS: Final = "kind, language, subject, heading, body, closing"


async def _read(connection: Connection, _: Sequence[UUID] | None) -> Iterable["_StoredText"]:
    rows = await connection.fetch(f"select {_COLUMNS} from message_text")  # noqa: S608 - of our own
    return [_StoredText(f"{row['kind']} {row['language']}", dict(row)) for row in rows]


async def _require(_: Connection, stored: "_StoredText") -> None:
    key = service.read_key(stored.row.pop("kind"), stored.row.pop("language"))
    service.try_words(key, read_builtins(stored.row, SaveMessageText))


class _StoredText(msgspec.Struct):
    id: str
    row: dict[str, str]


MESSAGE_TEXTS: Final = Check("message_text", _read, _require)
"""The check of message texts."""
