"""Which messages are due, decided from a meeting as it is and from what its people were told: pure."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from meetdeck.messages.meeting_messages.schemas import (
    MeetingState,
    Message,
    MessageStatus,
    NewMessage,
    Recipient,
)
from meetdeck.messages.meeting_messages.service.attempts import describe_end
from meetdeck.messages.writing.kinds import MessageKind, RecipientKind


def list_due(
    state: MeetingState, recipients: Mapping[str, Recipient], known: Sequence[Message], *, is_news: bool, now: datetime
) -> Iterator[NewMessage]:
    """Yield the messages that an event of a meeting makes due.

    `known` are the meeting's messages so far, in their order; `is_news` when the event is its booking or a move, of
    which people are told who were never told anything.
    """
    if state.ends_at <= now:
        return
    last = {message.key: message for message in known if _counts(message)}
    told = state.digest_facts()
    expected = recipients if state.cancelled_at is None else dict[str, Recipient]()
    for key, recipient in expected.items():
        before = last.get(key)
        if before is None or before.kind is MessageKind.CANCELLATION or before.status is MessageStatus.DROPPED:
            if is_news or known:
                yield _make(state, MessageKind.INVITATION, recipient, told)
        elif before.told != told:
            yield _make(state, MessageKind.CHANGE, recipient, told)
    for key, before in last.items():
        if key not in expected and before.kind is not MessageKind.CANCELLATION:
            yield _make(state, MessageKind.CANCELLATION, Recipient(before.recipient, before.address), told)


def is_held_up(message: Message, known: Sequence[Message], begun_after: datetime) -> bool:
    """Return whether an earlier message to the recipient is being sent: what that comes to decides about this one."""
    earlier = itertools.takewhile(lambda each: each.message_id != message.message_id, _list_own(message, known))
    return any(each.begun_at is not None and each.begun_at > begun_after for each in earlier)


def judge(
    message: Message, state: MeetingState, recipients: Mapping[str, Recipient], known: Sequence[Message], now: datetime
) -> MessageKind | str:
    """Return what a waiting message is when its turn comes, or why it is not sent.

    An invitation is a change for those who have one or perhaps have one, and a change an invitation for all others.
    """
    past, told = _Past.of(message, known), state.digest_facts()
    is_expected = state.cancelled_at is None and message.key in recipients
    if state.ends_at <= now:
        return "the meeting is over"
    if message.kind is MessageKind.CANCELLATION:
        return _judge_cancellation(past, is_expected=is_expected)
    if not is_expected:
        is_cancelled = state.cancelled_at is not None
        return "the meeting was cancelled meanwhile" if is_cancelled else "the recipient does not take part any more"
    if past.is_superseded:
        return "a later change took its place"
    if past.is_told(told) and not message.is_perhaps_sent:
        return "the recipient was told already"
    perhaps_has_another = message.is_perhaps_sent and message.told != told
    return MessageKind.CHANGE if past.has_invitation or perhaps_has_another else MessageKind.INVITATION


def describe(message: Message, reason: str) -> str:
    """Return the sentence about a message that was not sent, or not again, which names nobody."""
    what = {"Invitation": "invitation", "Change": "message of the change", "Cancellation": "cancellation"}
    who = "an employee" if message.recipient is RecipientKind.EMPLOYEE else "an attendee"
    return describe_end(f"The {what[message.kind.value]} to {who}", reason, is_perhaps_sent=message.is_perhaps_sent)


class _Past(NamedTuple):
    """The other messages to a recipient: the last that was sent, and those since then that were perhaps sent."""

    sent: Message | None
    in_doubt: Sequence[Message]
    is_superseded: bool
    """Whether a later message was sent, or waits."""

    @classmethod
    def of(cls, message: Message, known: Sequence[Message]) -> "_Past":
        """Return what the recipient of a message was told, apart from that message."""
        sent, in_doubt, is_later, is_superseded = None, list[Message](), False, False
        for each in _list_own(message, known):
            if each.message_id == message.message_id:
                is_later = True
                continue
            if each.status is MessageStatus.SENT:
                sent, in_doubt = each, []
            elif each.is_perhaps_sent or each.begun_at is not None:
                in_doubt.append(each)
            is_superseded |= is_later and each.status in {MessageStatus.WAITING, MessageStatus.SENT}
        return cls(sent, in_doubt, is_superseded)

    @property
    def has_invitation(self) -> bool:
        """Return whether the recipient has an invitation, or perhaps has one."""
        told = [*([self.sent] if self.sent is not None else []), *self.in_doubt]
        return any(_is_invited(each) for each in told)

    def is_told(self, told: bytes) -> bool:
        """Return whether the recipient has an invitation that says just this, without any doubt."""
        sent = self.sent
        return sent is not None and not self.in_doubt and _is_invited(sent) and sent.told == told


def _judge_cancellation(past: _Past, *, is_expected: bool) -> MessageKind | str:
    if is_expected:
        return "the recipient takes part again"
    if past.is_superseded:
        return "a later change took its place"
    return MessageKind.CANCELLATION if past.has_invitation else "the recipient was told nothing before"


def _counts(message: Message) -> bool:
    """Return whether the recipient has a message, is to get it, or perhaps has it."""
    return message.status is not MessageStatus.DROPPED or message.is_perhaps_sent


def _is_invited(message: Message) -> bool:
    return message.kind is not MessageKind.CANCELLATION


def _list_own(message: Message, known: Sequence[Message]) -> Iterator[Message]:
    return (each for each in known if each.key == message.key)


def _make(state: MeetingState, kind: MessageKind, recipient: Recipient, told: bytes) -> NewMessage:
    return NewMessage(meeting_id=state.meeting_id, kind=kind, recipient=recipient, sequence=state.sequence, told=told)
