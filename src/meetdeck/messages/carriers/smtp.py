"""Mails to a mail server (RFC 5321)."""

import re
from typing import Final
from uuid import UUID

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from meetdeck.messages.carriers.carrier import NotTaken, Refused
from meetdeck.messages.writing.mail import AddressUnusable, Mail, write_address, write_mail
from meetdeck.platform.mail_servers import MailServer
from meetdeck.platform.threads import run_in_thread

_PATIENCE_SECONDS: Final = 20
_FIRST_PERMANENT: Final = 500
_ENHANCED: Final = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")
# The server says no to us and not to the mail: an operator mends that, and the mail goes then.
_OURS_TO_MEND: Final = (SMTPAuthenticationError, SMTPHeloError, SMTPNotSupported, SMTPSenderRefused)


class SmtpCarrier:
    """Gives mails to one mail server, each over a connection of its own."""

    def __init__(self, server: MailServer) -> None:
        self._server = server

    async def carry(self, tenant_id: UUID, mail: Mail) -> None:  # noqa: ARG002 - one server for all firms
        """Give a mail to the server. Raises Refused, NotTaken."""
        try:
            message = await run_in_thread(write_mail, mail)
            sender, recipient = write_address(mail.sender).addr_spec, write_address(mail.to).addr_spec
        except AddressUnusable as error:
            raise Refused(str(error)) from error
        try:
            async with _make_client(self._server) as client:
                await client.send_message(message, sender=sender, recipients=[recipient])
        except (OSError, SMTPException) as error:
            raise _judge(error) from error


async def require_server(server: MailServer) -> None:
    """Log in to a mail server, and send nothing. Raises NotTaken, Refused."""
    try:
        async with _make_client(server) as client:
            await client.noop()
    except (OSError, SMTPException) as error:
        raise _judge(error) from error


def _make_client(server: MailServer) -> SMTP:
    return SMTP(
        hostname=server.host,
        port=server.port,
        username=server.user,
        password=server.password,
        use_tls=server.is_encrypted,
        start_tls=False if server.is_encrypted else (server.must_encrypt or None),  # None: where it is offered
        timeout=_PATIENCE_SECONDS,
    )


def _judge(error: Exception) -> Refused | NotTaken:
    """Return whether a mail is refused for good; what servers say goes no further, since it may name people."""
    if isinstance(error, SMTPRecipientsRefused):
        error = error.recipients[0]
    if not isinstance(error, SMTPResponseException):
        return NotTaken(f"the mail server cannot be reached ({type(error).__name__})")
    enhanced = _ENHANCED.search(error.message)
    said = f"{error.code} {enhanced[0]}" if enhanced else str(error.code)
    if isinstance(error, _OURS_TO_MEND) or error.code < _FIRST_PERMANENT:
        return NotTaken(f"the mail server did not take it ({said}, {type(error).__name__})")
    return Refused(f"the mail server refused it for good ({said})")
