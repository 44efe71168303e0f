"""Text messages by apprise, whose notation names the way: to telephones, or a channel of Teams, Slack and the like."""

import re
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import quote

from meetdeck.messages.carriers.carrier import NotTaken, Refused
from meetdeck.platform.errors import SetupError

if TYPE_CHECKING:
    from apprise import Apprise

_PHONE: Final = "{phone}"  # stands for the number in the address of a gateway that reaches telephones
_NUMBER: Final = re.compile(r"\+?\d{5,15}")
_BETWEEN: Final = str.maketrans("", "", " ()-./\u00a0")


class TextCarrier(Protocol):
    """Takes text messages."""

    async def carry_text(self, number: str, text: str, /) -> None:
        """Give a text message away, to a telephone; to the channel when the number is empty.

        Raises Refused, NotTaken.
        """
        ...


class AppriseCarrier:
    """Gives text messages to the service that an address in apprise's notation names."""

    def __init__(self, address: str) -> None:
        """Keep the address, in which `{phone}` stands for the number. Raises SetupError when apprise refuses it."""
        self._address = address
        self._make("4512345678")

    @property
    def is_channel(self) -> bool:
        """Return whether all messages go to one channel, and none to a telephone."""
        return _PHONE not in self._address

    async def carry_text(self, number: str, text: str) -> None:
        """Give a text message away. Raises Refused for what is no number, and NotTaken."""
        if not self.is_channel:
            number = number.translate(_BETWEEN)
            if _NUMBER.fullmatch(number) is None:
                raise Refused("the answer to the portal's field is no telephone number")
        if not await self._make(number).async_notify(body=text):
            raise NotTaken("the gateway of text messages did not take it")

    def _make(self, number: str) -> "Apprise":
        # Slow to load, and only few installations send text messages.
        from apprise import Apprise  # noqa: PLC0415

        found = Apprise()
        if not found.add(self._address.replace(_PHONE, quote(number, safe="+"))):  # pyright: ignore[reportUnknownMemberType]
            raise SetupError(
                "MEETDECK_MESSAGES_URL is no address in apprise's notation (https://appriseit.com), such as "
                "`clicksend://user:key@{phone}` or `slack://…`; `{phone}` stands for the customer's number."
            )
        return found
