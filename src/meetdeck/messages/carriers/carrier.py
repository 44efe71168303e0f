"""A way that mails go."""

from typing import Protocol
from uuid import UUID

from meetdeck.messages.writing.mail import Mail


class MessageRefused(Exception):  # noqa: N818 - a state of the mail
    """A mail that nobody takes, however often it is offered; the reason names no address."""


class MessageDeferred(Exception):  # noqa: N818 - a state of the mail
    """A mail that nobody took this time: it is to be offered again. The reason names no address."""


class MessageUnanswered(Exception):  # noqa: N818 - a state of the mail
    """A mail that was handed over without an answer: perhaps it arrived, and it is to be offered again.

    Duplicates are preferred to silence (RFC 5321, section 4.5.4.1). The reason names no address.
    """


class Carrier(Protocol):
    """Takes mails. One that it was given already is known by its id."""

    async def carry(self, tenant_id: UUID, mail: Mail, /) -> None:
        """Give a mail away. Raises MessageRefused, MessageDeferred, MessageUnanswered."""
        ...
