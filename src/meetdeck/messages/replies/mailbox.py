"""A mailbox (IMAP4rev1, RFC 3501): its unread mails."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Final, Self

from aioimaplib import IMAP4, IMAP4_SSL, AioImapException, Response

from meetdeck.platform.errors import Unavailable
from meetdeck.platform.outgoing import MailServer

_PATIENCE_SECONDS: Final = 20.0
_SIZE: Final = re.compile(rb"RFC822\.SIZE (\d+)")
_VALIDITY: Final = re.compile(rb"UIDVALIDITY (\d+)")


class MailboxUnavailable(Unavailable):
    """The mailbox cannot be read; nothing in it is lost."""

    code = "mailbox_unavailable"


class Mailbox:
    """An open mailbox."""

    def __init__(self, client: IMAP4, validity: int) -> None:
        self._client = client
        self.validity = validity
        """A number that changes when UIDs refer to other mails."""

    @classmethod
    @asynccontextmanager
    async def open(cls, server: MailServer) -> AsyncGenerator[Self]:
        """Log in to a mailbox. Raises MailboxUnavailable, here and in the block."""
        connect = IMAP4_SSL if server.is_encrypted else IMAP4
        client = connect(server.host, server.port, timeout=_PATIENCE_SECONDS)
        try:
            await client.wait_hello_from_server()
            _require(await client.login(server.user or "", server.password or ""), "The user or the password is wrong.")
            selected = _require(await client.select(_quote(server.folder)), "There is no such folder.")
            found = next(filter(None, map(_VALIDITY.search, selected.lines)), None)
            yield cls(client, int(found[1]) if found else 0)
        except (AioImapException, OSError, TimeoutError) as error:
            raise MailboxUnavailable(f"The mailbox cannot be reached ({type(error).__name__}).") from error
        finally:
            with suppress(AioImapException, OSError, TimeoutError):
                await client.logout()

    async def list_unread(self) -> list[int]:
        """Return the UIDs of unread mails, the first one first."""
        found = _require(await self._client.uid_search("UNSEEN", charset=None), "It cannot be searched.")
        return sorted(int(number) for number in found.lines[0].split() if number.isdigit())

    async def read(self, uid: int, *, largest_bytes: int) -> bytes | None:
        """Return a mail, which stays unread; None if it is larger, or gone."""
        sizes = _require(await self._client.uid("fetch", str(uid), "(RFC822.SIZE)"), "A mail cannot be read.")
        size = next(filter(None, map(_SIZE.search, sizes.lines)), None)
        if size is None or int(size[1]) > largest_bytes:
            return None
        parts = _require(await self._client.uid("fetch", str(uid), "(BODY.PEEK[])"), "A mail cannot be read.")
        return next((bytes(line) for line in parts.lines if isinstance(line, bytearray)), None)

    async def mark_read(self, uid: int) -> None:
        """Mark a mail as read."""
        _require(await self._client.uid("store", str(uid), "+FLAGS", r"(\Seen)"), "A mail cannot be marked.")


def _require(response: Response, reason: str) -> Response:
    """Return the server's answer if it is positive. Raises MailboxUnavailable without its text: it may name people."""
    if response.result != "OK":
        raise MailboxUnavailable(f"The mailbox says {response.result}. {reason}")
    return response


def _quote(folder: str) -> str:
    escaped = folder.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
