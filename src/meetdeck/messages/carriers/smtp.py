"""Delivering mails to a mail server (RFC 5321)."""

import re
import ssl
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponse,
    SMTPResponseException,
    SMTPSenderRefused,
)

from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused, MessageUnanswered
from meetdeck.messages.writing.mail import AddressUnusable, Mail, write_address, write_mail
from meetdeck.platform.outgoing import MailServer

_PATIENCE_SECONDS: Final = 20
_FIRST_NO: Final = 400
_FIRST_PERMANENT: Final = 500
_PERHAPS: Final = "perhaps it was sent"
_ENHANCED: Final = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")
# The server refuses us, not the mail: an operator fixes that, and then the mail is sent.
_OURS_TO_MEND: Final = (SMTPAuthenticationError, SMTPHeloError, SMTPNotSupported, SMTPSenderRefused)


class SmtpCarrier:
    """Delivers mails to one mail server, each over its own connection."""

    def __init__(self, server: MailServer, *, patience_seconds: float = _PATIENCE_SECONDS) -> None:
        self._server = server
        self._patience_seconds = patience_seconds
        self._own_name: str | None = None
        """The name of this machine, which the first connection asks the DNS for."""

    async def carry(self, tenant_id: UUID, mail: Mail) -> None:  # noqa: ARG002 - one server for all firms
        """Deliver a mail to the server. Raises MessageRefused, MessageDeferred, MessageUnanswered."""
        try:
            message = write_mail(mail)
            sender, recipient = write_address(mail.sender).addr_spec, write_address(mail.to).addr_spec
        except AddressUnusable as error:
            raise MessageRefused(str(error)) from error
        try:
            async with _make_client(self._server, self._patience_seconds, self._trust, self._own_name) as client:
                self._own_name = client.local_hostname
                await client.sendmail(sender, [recipient], message)
        except (OSError, SMTPException) as error:
            raise _translate(error) from error

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


class _Client(SMTP):
    """A client that distinguishes a mail whose content was not acknowledged from one that was not accepted."""

    async def data(self, message: str | bytes, /, **options: Any) -> SMTPResponse:  # noqa: ANN401 - the library's own
        """Send a mail's content. Raises MessageUnanswered if there is no answer, or no valid one."""
        try:
            return await super().data(message, **options)
        except SMTPResponseException as error:
            if error.code >= _FIRST_NO:
                raise
            raise MessageUnanswered(f"the mail server's answer makes no sense ({error.code}): {_PERHAPS}") from error
        except (OSError, SMTPException) as error:
            lost = f"the mail server did not acknowledge the mail ({type(error).__name__}): {_PERHAPS}"
            raise MessageUnanswered(lost) from error


def _make_client(
    server: MailServer, patience_seconds: float, trust: ssl.SSLContext | None = None, own_name: str | None = None
) -> _Client:
    return _Client(
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
    if isinstance(error, SMTPRecipientsRefused):
        error = error.recipients[0]
    if not isinstance(error, SMTPResponseException):
        return MessageDeferred(f"the mail server cannot be reached ({type(error).__name__})")
    enhanced = _ENHANCED.search(error.message)
    said = f"{error.code} {enhanced[0]}" if enhanced else str(error.code)
    if isinstance(error, _OURS_TO_MEND) or error.code < _FIRST_PERMANENT:
        return MessageDeferred(f"the mail server did not take it ({said}, {type(error).__name__})")
    return MessageRefused(f"the mail server refused it for good ({said})")
