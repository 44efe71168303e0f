"""A mailbox (IMAP4rev1, RFC 3501): its unread mails."""

import re
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Final, Self

from meetdeck.messages.replies.imap import Answer, ImapConnection, ImapError, write_folder
from meetdeck.messages.replies.reading import LARGEST_BYTES
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.outgoing import MailServer

_PATIENCE_SECONDS: Final = 20.0
_ENOUGH_BYTES: Final = LARGEST_BYTES + 1
"""Read of each mail: what servers say of its size is not always true."""
_VALIDITY: Final = re.compile(rb"UIDVALIDITY (\d+)", re.IGNORECASE)
_FOUND: Final = re.compile(rb"\* SEARCH\b(.*)", re.IGNORECASE)


class MailboxUnavailable(Unavailable):
    """The mailbox cannot be read; nothing in it is lost."""

    code = "mailbox_unavailable"


class Mailbox:
    """An open mailbox."""

    def __init__(self, connection: ImapConnection, validity: int) -> None:
        self._connection = connection
        self.validity = validity
        """A number that changes when UIDs refer to other mails."""

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        server: MailServer,
        *,
        trust: ssl.SSLContext | None = None,
        patience_seconds: float = _PATIENCE_SECONDS,
    ) -> AsyncGenerator[Self]:
        """Log in to a mailbox. Raises MailboxUnavailable, here and in the block.

        `trust`: the authorities that are trusted; without it, they are read again.
        """
        try:
            async with ImapConnection.open(
                server.host,
                server.port,
                trust=(trust or ssl.create_default_context()) if server.is_encrypted else None,
                patience_seconds=patience_seconds,
                largest_bytes=_ENOUGH_BYTES,
            ) as connection:
                yield cls(connection, await _log_in(connection, server))
                with suppress(ImapError, OSError, TimeoutError):
                    await connection.command("LOGOUT")
        except (ImapError, OSError, TimeoutError) as error:
            raise MailboxUnavailable(f"The mailbox cannot be reached ({type(error).__name__}).") from error

    async def list_unread(self) -> list[int]:
        """Return the UIDs of unread mails, the first one first."""
        found = _require(await self._connection.command("UID SEARCH", "UNSEEN"), "It cannot be searched.")
        numbers = b" ".join(match[1] for match in map(_FOUND.match, found.lines) if match)
        return sorted(int(number) for number in numbers.split() if number.isdigit())

    async def read(self, uid: int) -> bytes | None:
        """Return a mail, which stays unread; None if it is larger than a reply, or gone."""
        part = f"(BODY.PEEK[]<0.{_ENOUGH_BYTES}>)"
        mail = _require(await self._connection.command("UID FETCH", str(uid), part), "A mail cannot be read.")
        return next((one for one in mail.literals if len(one) < _ENOUGH_BYTES), None)

    async def mark_read(self, uid: int) -> None:
        """Mark a mail as read."""
        marked = await self._connection.command("UID STORE", str(uid), "+FLAGS", r"(\Seen)")
        _require(marked, "A mail cannot be marked.")


async def _log_in(connection: ImapConnection, server: MailServer) -> int:
    """Log in and open the folder; return its validity."""
    user, password = (server.user or "").encode(), (server.password or "").encode()
    _require(await connection.command("LOGIN", user, password), "The user or the password is wrong.")
    selected = _require(await connection.command("SELECT", write_folder(server.folder)), "There is no such folder.")
    found = next(filter(None, map(_VALIDITY.search, selected.lines)), None)
    return int(found[1]) if found else 0


def _require(answer: Answer, reason: str) -> Answer:
    """Return the server's answer if it is positive. Raises MailboxUnavailable without its text: it may name people."""
    if answer.status != "OK":
        raise MailboxUnavailable(f"The mailbox says {answer.status}. {reason}")
    return answer
