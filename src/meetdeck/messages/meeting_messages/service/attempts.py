"""Attempts to send something: what one came to, when to try again, and what is said of what was given up."""

from collections.abc import Awaitable
from datetime import timedelta
from typing import Final, NamedTuple

from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused, MessageUnanswered
from meetdeck.messages.meeting_messages.schemas import MessageStatus

LONGEST: Final = timedelta(minutes=5)
"""The longest that an attempt can last; one that began earlier has ended, with or without an answer."""

MOMENT: Final = timedelta(seconds=2)
"""The pause before checking again whether another attempt has ended."""

_PAUSES: Final = [timedelta(seconds=30), *(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 15))]
"""Between attempts, and so on with the last until the meeting is over: a server that was down for a day is found."""


class MessageUnderway(Exception):  # noqa: N818 - a state of the recipient
    """The recipient is being told something else of the same just now; what that comes to decides the rest."""


class Outcome(NamedTuple):
    """The outcome of an attempt: sent, failed for good, or waiting for the next attempt."""

    status: MessageStatus
    reason: str = ""
    """The reason why it was not sent; of one in doubt, why nobody knows. Empty: it was sent."""
    is_perhaps_sent: bool = False


async def attempt(carrying: Awaitable[None]) -> Outcome:
    """Return what an attempt came to. Any other error than a carrier's leaves open whether something was sent."""
    try:
        await carrying
    except MessageRefused as error:
        return Outcome(MessageStatus.FAILED, str(error))
    except MessageDeferred as error:
        return Outcome(MessageStatus.WAITING, str(error))
    except MessageUnanswered as error:
        return Outcome(MessageStatus.WAITING, str(error), is_perhaps_sent=True)
    return Outcome(MessageStatus.SENT)


def find_pause(attempts: int) -> timedelta:
    """Return how long to wait after so many attempts that nobody confirmed."""
    return _PAUSES[min(attempts, len(_PAUSES)) - 1]


def describe_end(what: str, reason: str, *, is_perhaps_sent: bool) -> str:
    """Return the sentence of a meeting's history about something that is not sent (again); it names nobody."""
    if is_perhaps_sent:
        return f"{what} was perhaps sent: its delivery was not confirmed. It was not sent again: {reason}."
    return f"{what} was not sent: {reason}."
