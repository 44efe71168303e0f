"""Attempts to send a message: their outcomes, when to retry, and the sentences about messages that were not sent."""

from collections.abc import Awaitable
from datetime import timedelta
from typing import Final, NamedTuple

from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused, MessageUnanswered
from meetdeck.messages.meeting_messages.schemas import MessageStatus

LONGEST: Final = timedelta(minutes=5)
"""The longest possible attempt; one that began earlier has ended, with or without an answer."""

MOMENT: Final = timedelta(seconds=2)
"""The pause before checking again whether another attempt has ended."""

_PAUSES: Final = [timedelta(seconds=30), *(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 15))]
"""The pauses between attempts; the last one repeats until the meeting is over, so a long outage does no harm."""


class MessageUnderway(Exception):  # noqa: N818 - a state of the recipient
    """The recipient is being sent another message about the same meeting; its outcome decides about this one."""


class LinkAwaited(Exception):  # noqa: N818 - a state of the meeting
    """The meeting will soon get the link of its Teams meeting, which the message includes."""


class Outcome(NamedTuple):
    """The outcome of an attempt: sent, failed for good, or waiting for the next attempt."""

    status: MessageStatus
    reason: str = ""
    """The reason why it was not sent, or why the outcome is unknown; empty: it was sent."""
    is_perhaps_sent: bool = False


async def attempt(carrying: Awaitable[None]) -> Outcome:
    """Return the outcome of an attempt. After an error that is not a carrier's, a message may have been sent."""
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
    """Return how long to wait after a number of attempts that were not acknowledged."""
    return _PAUSES[min(attempts, len(_PAUSES)) - 1]


def describe_end(what: str, reason: str, *, is_perhaps_sent: bool) -> str:
    """Return the sentence for a meeting's history about a message that is not sent (again), without its recipient."""
    if is_perhaps_sent:
        return f"{what} was perhaps sent: its delivery was not confirmed. It was not sent again: {reason}."
    return f"{what} was not sent: {reason}."
