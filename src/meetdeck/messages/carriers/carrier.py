"""The interface for delivering mails."""

from typing import Protocol
from uuid import UUID

from meetdeck.messages.writing.mail import Mail


class MessageRefused(Exception):  # noqa: N818 - a state of the mail
    """The mail server rejected a mail permanently; the reason names no address."""


class MessageDeferred(Exception):  # noqa: N818 - a state of the mail
    """A mail was refused this time and must be sent again. The reason names no address."""


class MessageUnanswered(Exception):  # noqa: N818 - a state of the mail
    """A mail was sent without an acknowledgement: it may have arrived, and must be sent again.

    Duplicates are preferred to silence (RFC 5321, section 4.5.4.1). The reason names no address.
    """


class Carrier(Protocol):
    """Delivers mails. A mail that is sent again is recognized by its id."""

    async def carry(self, tenant_id: UUID, mail: Mail, /) -> None:
        """Deliver a mail. Raises MessageRefused, MessageDeferred, MessageUnanswered."""
        ...
