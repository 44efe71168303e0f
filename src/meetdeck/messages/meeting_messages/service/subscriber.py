"""The messages that events of meetings make due, inserted in the transaction in which the events are received."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.messages.meeting_messages import store
from meetdeck.messages.meeting_messages.schemas import MeetingState, Message, NewMessage
from meetdeck.messages.meeting_messages.service.decisions import list_due
from meetdeck.messages.meeting_messages.service.series import find_carriers
from meetdeck.messages.meeting_messages.service.shared_times import find_cancelled_together
from meetdeck.messages.message_settings.store import get_settings
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import Connection, all_of, gathering
from meetdeck.platform.work import NewJob, enqueue_all

QUEUE: Final = "messages"
LANE: Final = "mail"
_NEW_TIMES: Final = frozenset({EventType.MEETING_CREATED, EventType.MEETING_MOVED})
_HANDLED: Final = _NEW_TIMES | {EventType.MEETING_CHANGED, EventType.MEETING_CANCELLED}


class MessageSubscriber:
    """Subscribes to events of meetings. Each message becomes due once, with a job that sends it.

    For a change or cancellation by staff the job waits for the organization's `changeNoticeDelay`: when it runs, it
    decides from the meeting whether there is still anything to send.

    The events' content is ignored: the meeting's present state is read, once for several events.
    """

    name = "messages"

    def __init__(self, *, are_sent: bool) -> None:
        self._are_sent = are_sent

    def wants(self, event_type: str) -> bool:
        """Return whether an event may make messages due."""
        return event_type in _HANDLED

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime
    ) -> list[NewJob]:
        """Insert the messages that are due; return their jobs."""
        del tenant_id
        if not self._are_sent:
            return []
        meetings = _list_meetings(events)
        async with gathering(connection) as reads:
            settings, waiting, situation = await all_of(
                get_settings(reads), history.list_waiting(reads, sorted(meetings)), _read(reads, list(meetings))
            )
        if not settings.send_messages:
            return []
        added = await _add_messages(connection, situation, meetings, now)
        due_at = {meeting_id: max(now, waiting.get(meeting_id, now)) for meeting_id in meetings}
        return [NewJob(QUEUE, one, due_at[message.meeting_id], LANE) for one, message in added.items()]


def _list_meetings(events: Sequence[Event]) -> dict[UUID, bool]:
    """Return the ids of the events' meetings, and whether one of the events was a booking or a move."""
    found: dict[UUID, bool] = {}
    for event in events:
        meeting_id = UUID(event.subject.rpartition("/")[2])
        found[meeting_id] = found.get(meeting_id, False) or event.type in _NEW_TIMES
    return found


class _Situation(NamedTuple):
    """The present state of meetings, their messages so far, and the addresses of their people."""

    states: list[MeetingState]
    messages: list[Message]
    addresses: dict[UUID, str]


async def _read(connection: Connection, meeting_ids: Sequence[UUID]) -> _Situation:
    return _Situation(
        *await all_of(
            store.list_states(connection, meeting_ids),
            store.list_messages(connection, meeting_ids),
            store.list_addresses_of(connection, meeting_ids),
        )
    )


async def _add_messages(
    connection: Connection, situation: _Situation, meetings: Mapping[UUID, bool], now: datetime
) -> dict[UUID, NewMessage]:
    """Insert the due messages of meetings, each with whether its meeting has a new time; return those to send by id.

    Those about several meetings of a series, or of a cancelled time that customers share, are sent with the first.
    """
    states, messages, addresses = situation
    due: dict[UUID, NewMessage] = {}
    for state in states:
        own = [message for message in messages if message.meeting_id == state.meeting_id]
        recipients, has_new_time = state.list_recipients(addresses), meetings[state.meeting_id]
        for message in list_due(state, recipients, own, has_new_time=has_new_time, now=now):
            due[uuid4()] = message
    added = await store.add_messages(connection, due, now) if due else []
    new = {message_id: due[message_id] for message_id in added}
    carriers = find_carriers(new, states)
    carriers |= await find_cancelled_together(
        connection, {message_id: message for message_id, message in new.items() if message_id not in carriers}, states
    )
    if carriers:
        await store.carry(connection, carriers)
    return {message_id: due[message_id] for message_id in added if message_id not in carriers}


async def restate(connection: Connection, meeting_id: UUID) -> None:
    """Update the waiting messages of a meeting with its link, which was created before they were sent."""
    for state in await store.list_states(connection, [meeting_id]):
        await store.restate(connection, meeting_id, state.facts_digest)


async def send_now(connection: Connection, meeting_id: UUID, now: datetime) -> None:
    """Make the waiting messages of a meeting due now."""
    waiting = await store.list_waiting_messages(connection, meeting_id)
    if waiting:
        await enqueue_all(connection, QUEUE, [(message_id, LANE) for message_id in waiting], due_at=now)
