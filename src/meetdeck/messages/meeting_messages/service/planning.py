"""Which messages are due, decided from a meeting as it is and from what its people were told: pure."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from meetdeck.messages.meeting_messages.schemas import (
    MeetingState,
    Message,
    MessageStatus,
    NewMessage,
    Recipient,
)
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
    last = {message.key: message for message in known if message.status is not MessageStatus.DROPPED}
    told = state.digest_facts()
    expected = recipients if state.cancelled_at is None else dict[str, Recipient]()
    for key, recipient in expected.items():
        before = last.get(key)
        if before is None or before.kind is MessageKind.CANCELLATION:
            if is_news or known:
                yield _make(state, MessageKind.INVITATION, recipient, told)
        elif before.told != told:
            yield _make(state, MessageKind.CHANGE, recipient, told)
    for key, before in last.items():
        if key not in expected and before.kind is not MessageKind.CANCELLATION:
            yield _make(state, MessageKind.CANCELLATION, Recipient(before.recipient, before.address), told)


def judge(
    message: Message, state: MeetingState, recipients: Mapping[str, Recipient], known: Sequence[Message], now: datetime
) -> MessageKind | str:
    """Return what a waiting message is when its turn comes, or why it is not sent.

    An invitation is a change for who has one already, and a change an invitation for who has none.
    """
    own = [each for each in known if each.key == message.key]
    sent = next((each for each in reversed(own) if each.status is MessageStatus.SENT), None)
    has_invitation = sent is not None and sent.kind is not MessageKind.CANCELLATION
    is_expected = state.cancelled_at is None and message.key in recipients
    if state.ends_at <= now:
        return "the meeting is over"
    if message.kind is MessageKind.CANCELLATION:
        return _judge_cancellation(is_expected=is_expected, has_invitation=has_invitation)
    if not is_expected:
        is_cancelled = state.cancelled_at is not None
        return "the meeting was cancelled meanwhile" if is_cancelled else "the recipient does not take part any more"
    if _is_superseded(message, own):
        return "a later change took its place"
    if sent is not None and has_invitation and sent.told == state.digest_facts():
        return "the recipient was told already"
    return MessageKind.CHANGE if has_invitation else MessageKind.INVITATION


def _judge_cancellation(*, is_expected: bool, has_invitation: bool) -> MessageKind | str:
    if is_expected:
        return "the recipient takes part again"
    return MessageKind.CANCELLATION if has_invitation else "the recipient was told nothing before"


def describe(message: Message, reason: str) -> str:
    """Return the sentence about a message that was not sent, which names nobody."""
    what = {"Invitation": "invitation", "Change": "message of the change", "Cancellation": "cancellation"}
    who = "an employee" if message.recipient is RecipientKind.EMPLOYEE else "an attendee"
    return f"The {what[message.kind.value]} to {who} was not sent: {reason}."


def _is_superseded(message: Message, own: Sequence[Message]) -> bool:
    place = next(number for number, each in enumerate(own) if each.message_id == message.message_id)
    return any(each.status in {MessageStatus.WAITING, MessageStatus.SENT} for each in own[place + 1 :])


def _make(state: MeetingState, kind: MessageKind, recipient: Recipient, told: bytes) -> NewMessage:
    return NewMessage(meeting_id=state.meeting_id, kind=kind, recipient=recipient, sequence=state.sequence, told=told)
