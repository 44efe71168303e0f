"""Delivering text messages by apprise, to telephones, or to a channel of Teams, Slack and the like."""

import re
import sys
from socket import gaierror
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import quote

from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused, MessageUnanswered
from meetdeck.platform.errors import SetupError

if TYPE_CHECKING:
    from apprise import Apprise

_PHONE: Final = "{phone}"  # replaced by the number in the address of a gateway that reaches telephones
_NUMBER: Final = re.compile(r"\+?\d{5,15}")
_BETWEEN: Final = str.maketrans("", "", " ()-./\u00a0")


class TextCarrier(Protocol):
    """Delivers text messages."""

    async def carry_text(self, number: str, text: str, /) -> None:
        """Deliver a text message to a telephone, or to the channel if the number is empty.

        Raises MessageRefused, MessageDeferred, MessageUnanswered.
        """
        ...


class _Problems:
    """Collects the reasons why apprise did not send a message: it returns only success or not, and logs errors."""

    def __init__(self) -> None:
        self._found: list[BaseException | None] = []

    def record(self, _entry: object, _service: object) -> None:
        """Record the error that is being handled, or None when the gateway refused the message."""
        self._found.append(sys.exception())

    @property
    def are_certain(self) -> bool:
        """Return whether the gateway answered each time or could not be reached."""
        return bool(self._found) and all(error is None or _was_unreachable(error) for error in self._found)


def _was_unreachable(error: BaseException) -> bool:
    """Return whether an error means that no connection was made."""
    if isinstance(error, (ConnectionRefusedError, gaierror)):
        return True
    cause = error.__cause__ or error.__context__
    return cause is not None and _was_unreachable(cause)


class AppriseCarrier:
    """Delivers text messages to the service that an address in apprise's notation names."""

    def __init__(self, address: str) -> None:
        """Keep the address; `{phone}` in it is the number's placeholder. Raises SetupError if apprise refuses it."""
        self._address = address
        self._make("4512345678")

    @property
    def is_channel(self) -> bool:
        """Return whether all messages go to one channel, and none to a telephone."""
        return _PHONE not in self._address

    async def carry_text(self, number: str, text: str) -> None:
        """Deliver a text message. Raises MessageRefused for an invalid number, MessageDeferred, MessageUnanswered."""
        if not self.is_channel:
            number = number.translate(_BETWEEN)
            if _NUMBER.fullmatch(number) is None:
                raise MessageRefused("the answer to the portal's field is not a telephone number")
        problems = _Problems()
        if not await self._make(number).async_notify(body=text, log_callback=problems.record):
            if problems.are_certain:
                raise MessageDeferred("the gateway of text messages did not accept it")
            raise MessageUnanswered("the gateway of text messages did not acknowledge it: perhaps it was sent")

    def _make(self, number: str) -> "Apprise":
        # Slow to load, and only few installations send text messages.
        from apprise import Apprise  # noqa: PLC0415

        found = Apprise()
        if not found.add(self._address.replace(_PHONE, quote(number, safe="+"))):  # pyright: ignore[reportUnknownMemberType]
            raise SetupError(
                "MEETDECK_MESSAGES_URL is not an address in apprise's notation (https://appriseit.com), such as "
                "`clicksend://user:key@{phone}` or `slack://…`; `{phone}` stands for the customer's number."
            )
        return found
