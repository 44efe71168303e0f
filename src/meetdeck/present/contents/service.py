"""Stored contents: files by id, kept for a while, with links that a browser can open.

The rules: docs/api/decks.md#contents, #own-links.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode
from uuid import UUID, uuid4

from msgspec import UNSET

from meetdeck.platform.changes import forget_data
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Fault
from meetdeck.platform.secrets import SignedLinks
from meetdeck.platform.storage import FileStream, Storage, digest_of, new_file_key
from meetdeck.platform.values import UploadedFile, refuse
from meetdeck.present.contents import store
from meetdeck.present.contents.schemas import Content, MadeDeck, StoredContent
from meetdeck.present.errors import ContentNotFound, InvalidUpload
from meetdeck.present.quotas import Quotas
from meetdeck.present.render.portraits import UnusablePicture, draw_portrait, require_small
from meetdeck.present.renderings import FOLDER
from meetdeck.present.threads import RENDERINGS

_MOST_LISTED: Final = 1_000
_LONGEST_FILE_NAME: Final = 255


@dataclass(frozen=True, slots=True)
class Contents:
    """Stores files; `lifetime` is that of the files and of their links."""

    storage: Storage
    links: SignedLinks
    lifetime: timedelta
    quotas: Quotas

    async def store(
        self,
        tenant_id: UUID,
        content: bytes | UploadedFile,
        *,
        file_name: str,
        content_type: str,
        now: datetime,
        expires_at: datetime | None = None,
    ) -> StoredContent:
        """Put a file into storage, for a lifetime unless it has its own expiry; `add_content` makes it findable.

        Raises InvalidUpload without a name, and QuotaExceeded.

        In this order: a crash between them leaves a file that is swept later, never a row without its file.
        """
        file_name = file_name.strip()[-_LONGEST_FILE_NAME:]
        if not file_name:
            raise InvalidUpload("Give the file a name.")
        await self.quotas.require_room(
            tenant_id, content.size_bytes if isinstance(content, UploadedFile) else len(content)
        )
        key = new_file_key(tenant_id)
        if isinstance(content, UploadedFile):
            digest, size_bytes = content.digest, content.size_bytes
            content.spool.seek(0)
            await self.storage.put(key, content.spool)
        else:
            digest, size_bytes = digest_of(content), len(content)
            await self.storage.put(key, content)
        return StoredContent(
            content_id=uuid4(),
            tenant_id=tenant_id,
            file_key=key,
            digest=digest,
            file_name=file_name,
            content_type=content_type,
            size_bytes=size_bytes,
            created_at=now,
            expires_at=expires_at or now + self.lifetime,
        )

    async def discard(self, file_key: str) -> None:
        """Delete a file whose row is gone."""
        await self.quotas.discard(file_key)

    async def read(self, content: StoredContent) -> bytes:
        """Return the file."""
        return await self.storage.get(content.file_key)

    async def open_stream(self, content: StoredContent, part: range | None = None) -> FileStream:
        """Open the file, or the bytes of it in `part`, to read it in chunks."""
        return await self.storage.open_stream(content.file_key, part)

    def describe(self, content: StoredContent, *, address: str, deck: MadeDeck | None = None) -> Content:
        """Return the content response; `address` is the content's own."""
        query = urlencode(self.links.sign(content.tenant_id, content.content_id, content.expires_at))
        return Content(
            content_id=content.content_id,
            slide_location=address,
            file_name=content.file_name,
            content_type=content.content_type,
            size=content.size_bytes,
            created_at=content.created_at,
            expires_at=content.expires_at,
            download_url=f"{address}/download?{query}",
            findings=deck.findings if deck else UNSET,
            templates=deck.templates if deck else UNSET,
        )


@dataclass(frozen=True, slots=True)
class Portraits:
    """Draws portraits of contents. Called outside of transactions."""

    database: Database
    contents: Contents

    async def draw(self, tenant_id: UUID, content_id: UUID, now: datetime, pointer: str) -> bytes:
        """Return the portrait made from a content (WebP). Raises ContentNotFound, and InvalidInput, at the pointer."""
        async with self.database.reading(tenant_id) as connection:
            content = await get_content(connection, content_id, now, pointer=pointer)
        try:
            require_small(content.size_bytes)
            file = await self.contents.read(content)
            return await RENDERINGS.run(tenant_id, lambda _: draw_portrait(file))
        except UnusablePicture as problem:
            refuse([Fault(pointer, str(problem))])
            raise


async def add_content(connection: Connection, content: StoredContent, user_id: UUID | None, quotas: Quotas) -> None:
    """Insert a row for a stored file, so that it can be found; without a user, it is ours. Raises QuotaExceeded."""
    await store.add_content(connection, content, user_id)
    await quotas.require_kept(connection)


async def delete_content(connection: Connection, content: StoredContent, now: datetime) -> str:
    """Delete a content; return the key of its file. Raises ContentNotFound when it was deleted in the meantime."""
    file_key = await store.delete_content(connection, content.content_id, now)
    if file_key is None:
        raise ContentNotFound("/contentId")
    return file_key


async def get_content(
    connection: Connection, content_id: UUID, now: datetime, *, pointer: str = "/contentId"
) -> StoredContent:
    """Return a content. Raises ContentNotFound, for an expired one too."""
    found = await store.list_contents(connection, [content_id], now)
    if not found:
        raise ContentNotFound(pointer)
    return found[0]


async def list_contents(connection: Connection, content_ids: Iterable[UUID], now: datetime) -> Sequence[StoredContent]:
    """Return the contents that exist."""
    return await store.list_contents(connection, list(content_ids)[:_MOST_LISTED], now)


async def list_contents_about(connection: Connection, words: Sequence[str]) -> list[UUID]:
    """Return the ids of contents whose file names contain one of the words, whole and in any case.

    A word may consist of several, with any signs between them in the file's name.
    """
    parts = [re.findall(r"[^\W_]+", word) for word in words]
    pattern = "|".join(r"[\W_]+".join(map(re.escape, each)) for each in parts if each)
    if not pattern:
        return []
    about = re.compile(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", re.IGNORECASE)
    names = await store.list_file_names(connection)
    return [content_id for content_id, name in names.items() if about.search(name)]


async def delete_contents_about(connection: Connection, words: Sequence[str]) -> list[StoredContent]:
    """Delete contents whose file names contain one of the words; return them, for `delete_files`.

    Their data is removed from events, too.
    """
    return await delete_contents(connection, await list_contents_about(connection, words))


async def delete_contents(connection: Connection, content_ids: Sequence[UUID]) -> list[StoredContent]:
    """Delete contents, including expired ones; return them, for `delete_files`.

    Their data is removed from events, too.
    """
    await forget_data(connection, [f"contents/{content_id}" for content_id in content_ids])
    return await store.delete_contents(connection, content_ids)


async def keep_contents(connection: Connection, content_ids: Sequence[UUID], until: datetime) -> None:
    """Extend the lifetime of contents that have not expired until `until` at least."""
    await store.keep_contents(connection, content_ids, until)


async def delete_files(storage: Storage, tenant_id: UUID, contents: Sequence[StoredContent]) -> None:
    """Delete the files of deleted contents, and the PDFs and pictures rendered from them.

    Raises StorageUnavailable; the sweeper deletes the rest within a day.
    """
    if not contents:
        return
    await storage.delete([content.file_key for content in contents])
    folders = tuple(f"/{content.digest.hex()}/" for content in contents)
    async for page in storage.list_pages(f"{tenant_id}/{FOLDER}"):
        made = [file.key for file in page if any(folder in file.key for folder in folders)]
        if made:
            await storage.delete(made)
