"""Decide which messages a meeting needs, based on its present state and its earlier messages: pure."""

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


class SendAs(NamedTuple):
    """The decision to send a message, as a kind that may have changed since it became due."""

    kind: MessageKind


class Drop(NamedTuple):
    """The decision not to send a message."""

    reason: str
    """The end of a sentence in the meeting's history, such as "the meeting is over"."""


Decision = SendAs | Drop


def list_due(
    state: MeetingState,
    recipients: Mapping[str, Recipient],
    messages: Sequence[Message],
    *,
    has_new_time: bool,
    now: datetime,
) -> Iterator[NewMessage]:
    """Yield the messages that become due with an event of a meeting.

    `messages` are the meeting's so far, in their order. A booking or a move (`has_new_time`) also makes invitations due
    for a meeting that has no messages yet.
    """
    if state.ends_at <= now:
        return
    last = {message.key: message for message in messages if _counts(message)}
    facts_digest = state.facts_digest
    expected = recipients if state.cancelled_at is None else dict[str, Recipient]()
    for key, recipient in expected.items():
        before = last.get(key)
        if before is None or before.kind is MessageKind.CANCELLATION or before.status is MessageStatus.DROPPED:
            if has_new_time or messages:
                yield _make(state, MessageKind.INVITATION, recipient, facts_digest)
        elif before.facts_digest != facts_digest:
            yield _make(state, MessageKind.CHANGE, recipient, facts_digest)
    for key, before in last.items():
        if key not in expected and before.kind is not MessageKind.CANCELLATION:
            yield _make(state, MessageKind.CANCELLATION, Recipient(before.recipient, before.address), facts_digest)


def is_blocked(message: Message, messages: Sequence[Message], begun_after: datetime) -> bool:
    """Return whether an earlier message to the recipient is being sent: its outcome decides about this one."""
    earlier = itertools.takewhile(lambda each: each.message_id != message.message_id, _list_own(message, messages))
    return any(each.begun_at is not None and each.begun_at > begun_after for each in earlier)


def decide(
    message: Message,
    state: MeetingState,
    recipients: Mapping[str, Recipient],
    messages: Sequence[Message],
    now: datetime,
) -> Decision:
    """Return whether a waiting message is sent when it is due; `messages` are all of the meeting's.

    An invitation becomes a change for recipients who have one or perhaps have one, and a change an invitation for all
    others.
    """
    past, facts_digest = _EarlierMessages.of(message, messages), state.facts_digest
    is_expected = state.cancelled_at is None and message.key in recipients
    if state.ends_at <= now:
        return Drop("the meeting is over")
    if message.kind is MessageKind.CANCELLATION:
        return _decide_cancellation(past, is_expected=is_expected)
    if not is_expected:
        is_cancelled = state.cancelled_at is not None
        meanwhile = "the meeting was cancelled meanwhile"
        return Drop(meanwhile if is_cancelled else "the recipient no longer takes part")
    if past.is_superseded:
        return Drop("a later change took its place")
    if past.has_facts(facts_digest) and not message.is_perhaps_sent:
        return Drop("the recipient has already been notified")
    perhaps_has_another = message.is_perhaps_sent and message.facts_digest != facts_digest
    return SendAs(MessageKind.CHANGE if past.has_invitation or perhaps_has_another else MessageKind.INVITATION)


def describe(message: Message, reason: str) -> str:
    """Return the sentence about a message that was not sent, or not again, without its recipient."""
    what = {"Invitation": "invitation", "Change": "message of the change", "Cancellation": "cancellation"}
    who = "an employee" if message.recipient is RecipientKind.EMPLOYEE else "an attendee"
    return describe_end(f"The {what[message.kind.value]} to {who}", reason, is_perhaps_sent=message.is_perhaps_sent)


class _EarlierMessages(NamedTuple):
    """The other messages to a recipient: the last that was sent, and those since then that were perhaps sent."""

    sent: Message | None
    in_doubt: Sequence[Message]
    is_superseded: bool
    """True if a later message was sent, or waits."""

    @classmethod
    def of(cls, message: Message, messages: Sequence[Message]) -> "_EarlierMessages":
        """Return the other messages to the recipient of a message."""
        sent, in_doubt, is_later, is_superseded = None, list[Message](), False, False
        for each in _list_own(message, messages):
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
        received = [*([self.sent] if self.sent is not None else []), *self.in_doubt]
        return any(_is_invited(each) for each in received)

    def has_facts(self, facts_digest: bytes) -> bool:
        """Return whether the recipient certainly has an invitation that states exactly these facts."""
        sent = self.sent
        return sent is not None and not self.in_doubt and _is_invited(sent) and sent.facts_digest == facts_digest


def _decide_cancellation(past: _EarlierMessages, *, is_expected: bool) -> Decision:
    if is_expected:
        return Drop("the recipient takes part again")
    if past.is_superseded:
        return Drop("a later change took its place")
    return (
        SendAs(MessageKind.CANCELLATION)
        if past.has_invitation
        else Drop("the recipient was never notified of the meeting")
    )


def _counts(message: Message) -> bool:
    """Return whether the recipient has a message, will get it, or perhaps has it."""
    return message.status is not MessageStatus.DROPPED or message.is_perhaps_sent


def _is_invited(message: Message) -> bool:
    return message.kind is not MessageKind.CANCELLATION


def _list_own(message: Message, messages: Sequence[Message]) -> Iterator[Message]:
    return (each for each in messages if each.key == message.key)


def _make(state: MeetingState, kind: MessageKind, recipient: Recipient, facts_digest: bytes) -> NewMessage:
    return NewMessage(
        meeting_id=state.meeting_id, kind=kind, recipient=recipient, sequence=state.sequence, facts_digest=facts_digest
    )
