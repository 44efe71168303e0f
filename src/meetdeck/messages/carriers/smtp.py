"""Delivering mails to a mail server (RFC 5321), over connections that are kept from one mail to the next."""

import asyncio
import re
import ssl
from collections.abc import Awaitable
from functools import cached_property
from typing import Final, NamedTuple
from uuid import UUID

from aiosmtplib import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPNotSupported,
    SMTPResponseException,
    SMTPSenderRefused,
)

from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused
from meetdeck.messages.carriers.smtp_client import SmtpClient
from meetdeck.messages.writing.mail import AddressUnusable, Mail, write_address, write_mail
from meetdeck.platform.outgoing import MailServer

_PATIENCE_SECONDS: Final = 20
_IDLE_SECONDS: Final = 30
"""So long a connection waits for the next mail; servers wait for minutes (RFC 5321, section 4.5.3.2.7)."""
_MOST_MAILS: Final = 50
"""Mails over one connection; many servers take 100."""
_MOST_KEPT: Final = 4
_CLOSING: Final = 421
_FIRST_PERMANENT: Final = 500
_ENHANCED: Final = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")
# The server refuses us, not the mail: an operator fixes that, and then the mail is sent.
_OURS_TO_MEND: Final = (SMTPAuthenticationError, SMTPHeloError, SMTPNotSupported, SMTPSenderRefused)


class _Kept(NamedTuple):
    """A connection without a mail."""

    client: SmtpClient
    closing: asyncio.TimerHandle
    """Closes it, unless a mail comes first."""


class SmtpCarrier:
    """Delivers mails to one mail server.

    A connection over which a mail was accepted is kept for the next one. The server may have closed it meanwhile: that
    shows before the content of the mail is sent, and then the mail goes over a new one.
    """

    def __init__(
        self,
        server: MailServer,
        *,
        patience_seconds: float = _PATIENCE_SECONDS,
        idle_seconds: float = _IDLE_SECONDS,
        most_mails: int = _MOST_MAILS,
    ) -> None:
        self._server = server
        self._patience_seconds = patience_seconds
        self._idle_seconds = idle_seconds
        self._most_mails = most_mails
        self._own_name: str | None = None
        """The name of this machine, which the first connection asks the DNS for."""
        self._kept: list[_Kept] = []

    async def carry(self, tenant_id: UUID, mail: Mail) -> None:  # noqa: ARG002 - one server for all firms
        """Deliver a mail to the server. Raises MessageRefused, MessageDeferred, MessageUnanswered."""
        try:
            message = write_mail(mail)
            sender, recipient = write_address(mail.sender).spec, write_address(mail.to).spec
        except AddressUnusable as error:
            raise MessageRefused(str(error)) from error
        try:
            client = await self._offer(sender, recipient, len(message))
            await _leave_after_error(client, client.send_content(message))
        except (OSError, SMTPException) as error:
            raise _translate(error) from error
        self._keep(client)

    def close(self) -> None:
        """Close the connections that wait for mails."""
        while (client := self._take()) is not None:
            client.leave()

    async def _offer(self, sender: str, recipient: str, size: int) -> SmtpClient:
        """Return a connection on which the server waits for the content of a mail. Raises OSError, SMTPException."""
        client = self._take()
        if client is not None:
            try:
                async with asyncio.timeout(self._patience_seconds):
                    await _leave_after_error(client, client.offer(sender, recipient, size))
            except (OSError, SMTPException) as error:
                if not _is_about_connection(error):
                    raise
                self.close()  # the server closed the others, too, if it was restarted
            else:
                return client
        client = _make_client(self._server, self._patience_seconds, self._trust, self._own_name)
        await client.connect()
        self._own_name = client.local_hostname
        await _leave_after_error(client, client.offer(sender, recipient, size))
        return client

    def _take(self) -> SmtpClient | None:
        """Return the connection that was used last, None if there is none."""
        if not self._kept:
            return None
        kept = self._kept.pop()
        kept.closing.cancel()
        return kept.client

    def _keep(self, client: SmtpClient) -> None:
        """Keep a connection for the next mail, or close it."""
        if client.mails >= self._most_mails or len(self._kept) >= _MOST_KEPT:
            client.leave()
            return
        closing = asyncio.get_running_loop().call_later(self._idle_seconds, self._drop, client)
        self._kept.append(_Kept(client, closing))

    def _drop(self, client: SmtpClient) -> None:
        """Close a connection for which there was no mail."""
        self._kept = [kept for kept in self._kept if kept.client is not client]
        client.leave()

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Return the authorities that are trusted; reading them takes 20 ms of processor time, and is done once."""
        return ssl.create_default_context()


async def require_server(server: MailServer) -> None:
    """Log in to a mail server, without sending anything. Raises MessageDeferred, MessageRefused."""
    try:
        async with _make_client(server, _PATIENCE_SECONDS) as client:
            await client.noop()
    except (OSError, SMTPException) as error:
        raise _translate(error) from error


async def _leave_after_error(client: SmtpClient, work: Awaitable[None]) -> None:
    """Wait for a step of a mail; after an error, or a cancellation, the connection is closed."""
    try:
        await work
    except BaseException:
        client.leave()
        raise


def _is_about_connection(error: Exception) -> bool:
    """Return whether a refusal, before the content was sent, says that another connection may be accepted."""
    if isinstance(error, OSError | SMTPSenderRefused):
        return True
    return isinstance(error, SMTPResponseException) and error.code == _CLOSING


def _make_client(
    server: MailServer, patience_seconds: float, trust: ssl.SSLContext | None = None, own_name: str | None = None
) -> SmtpClient:
    return SmtpClient(
        hostname=server.host,
        port=server.port,
        username=server.user,
        password=server.password,
        use_tls=server.is_encrypted,
        start_tls=False if server.is_encrypted else (server.must_encrypt or None),  # None: where it is offered
        timeout=patience_seconds,
        tls_context=trust,
        local_hostname=own_name,
    )


def _translate(error: Exception) -> MessageRefused | MessageDeferred:
    """Return the error of a refused mail, permanent or not; the server's text is left out, since it may name people."""
    if not isinstance(error, SMTPResponseException):
        return MessageDeferred(f"the mail server cannot be reached ({type(error).__name__})")
    enhanced = _ENHANCED.search(error.message)
    said = f"{error.code} {enhanced[0]}" if enhanced else str(error.code)
    if isinstance(error, _OURS_TO_MEND) or error.code < _FIRST_PERMANENT:
        return MessageDeferred(f"the mail server did not accept it ({said}, {type(error).__name__})")
    return MessageRefused(f"the mail server rejected it permanently ({said})")
