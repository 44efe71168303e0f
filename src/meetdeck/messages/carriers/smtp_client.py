"""A connection to a mail server that distinguishes a mail that was perhaps accepted from one that was not."""

from contextlib import suppress
from typing import Any, Final

from aiosmtplib import (
    SMTP,
    SMTPDataError,
    SMTPException,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
    SMTPStatus,
)

from meetdeck.messages.carriers.carrier import MessageUnanswered

_ACCEPTED: Final = SMTPStatus.completed, SMTPStatus.will_forward
_FIRST_NO: Final = 400
_PERHAPS: Final = "perhaps it was sent"


class SmtpClient(SMTP):
    """A client that sends a mail in two steps: nothing of it was sent before the second.

    Its mails have no line ends but CRLF. The library's own `sendmail` looks for others by regular expressions, three
    times, which takes as long as writing the mail.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - the library's own
        super().__init__(**options)
        self.mails = 0
        """The mails that the server has accepted."""

    async def offer(self, sender: str, recipient: str, size: int) -> None:
        """Ask the server to accept a mail of so many bytes to one recipient. Raises OSError, SMTPException.

        The addresses are in the form of headers: the library's own `mail` and `rcpt` parse them again.
        """
        await self._ehlo_or_helo_if_needed()
        options = f" SIZE={size}" if self.supports_extension("size") else ""
        answer = await self.execute_command(f"MAIL FROM:<{sender}>{options}".encode("ascii"))
        if answer.code != SMTPStatus.completed:
            raise SMTPSenderRefused(answer.code, answer.message, sender)
        answer = await self.execute_command(f"RCPT TO:<{recipient}>".encode("ascii"))
        if answer.code not in _ACCEPTED:
            raise SMTPRecipientRefused(answer.code, answer.message, recipient)
        answer = await self.execute_command(b"DATA")
        if answer.code != SMTPStatus.start_input:
            raise SMTPDataError(answer.code, answer.message)

    async def send_content(self, message: bytes) -> None:
        """Send the content of the mail that was offered.

        Raises SMTPDataError if the server refuses it, MessageUnanswered if there is no answer, or no valid one.
        """
        stuffed = message.replace(b"\r\n.", b"\r\n..")  # RFC 5321, section 4.5.2
        try:
            if self.protocol is None:
                raise SMTPServerDisconnected("Connection lost")
            self.protocol.write(stuffed + b".\r\n")
            answer = await self.protocol.read_response(timeout=self.timeout)
        except SMTPResponseException as error:
            raise MessageUnanswered(_describe_nonsense(error.code)) from error
        except (OSError, SMTPException) as error:
            lost = f"the mail server did not acknowledge the mail ({type(error).__name__}): {_PERHAPS}"
            raise MessageUnanswered(lost) from error
        if answer.code >= _FIRST_NO:
            raise SMTPDataError(answer.code, answer.message)
        if answer.code != SMTPStatus.completed:
            raise MessageUnanswered(_describe_nonsense(answer.code))
        self.mails += 1

    def leave(self) -> None:
        """Close the connection, if it is open, and tell the server; its answer is not waited for."""
        if self.protocol is not None:
            with suppress(SMTPServerDisconnected):
                self.protocol.write(b"QUIT\r\n")
        self.close()


def _describe_nonsense(code: int) -> str:
    return f"the mail server's answer makes no sense ({code}): {_PERHAPS}"
