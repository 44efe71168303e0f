"""Files that are stored temporarily."""

import secrets
from uuid import UUID

import msgspec

from meetdeck.pages.console.kit import Api


class Content(msgspec.Struct, frozen=True, rename="camel"):
    """A stored file."""

    content_id: UUID


async def store_file(api: Api, file_name: str, content: bytes) -> Content:
    """Store a file as a content (RFC 7578)."""
    boundary = secrets.token_hex(16)
    name = "".join(" " if letter in "\r\n" else letter for letter in file_name).replace('"', "%22")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    media_type = f"multipart/form-data; boundary={boundary}"
    return (await api.send("POST", "present/contents", body, media_type=media_type)).read(Content)
