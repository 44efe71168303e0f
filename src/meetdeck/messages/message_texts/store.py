"""The SQL of message texts."""

from collections.abc import Sequence

from asyncpg import Record

from meetdeck.booking.configuration.portals.schemas import PageLanguage
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.words import Words
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def list_texts(connection: Connection, kinds: Sequence[TextKind]) -> dict[tuple[TextKind, PageLanguage], Words]:
    """Return the firm's own texts of some kinds, by kind and language."""
    rows = queries.list_texts(connection, kinds=[kind.value for kind in kinds])
    return {(TextKind(row["kind"]), PageLanguage(row["language"])): _read(row) async for row in rows}


async def find_text(connection: Connection, kind: TextKind, language: str, *, for_update: bool = False) -> Words | None:
    """Return the firm's own texts, locked when `for_update`; None: it has none."""
    if for_update:
        await queries.lock_text(connection, kind=kind.value, language=language)
    row: Record | None = await queries.find_text(connection, kind=kind.value, language=language)
    return _read(row) if row is not None else None


async def put_text(connection: Connection, kind: TextKind, language: str, words: Words) -> None:
    """Upsert the firm's own texts."""
    await queries.put_text(
        connection,
        kind=kind.value,
        language=language,
        subject=words.subject,
        heading=words.heading,
        body=words.body,
        closing=words.closing,
    )


async def delete_text(connection: Connection, kind: TextKind, language: str) -> None:
    """Delete the firm's own texts."""
    await queries.delete_text(connection, kind=kind.value, language=language)


def _read(row: Record) -> Words:
    return Words(row["subject"], row["heading"], row["body"], row["closing"])
