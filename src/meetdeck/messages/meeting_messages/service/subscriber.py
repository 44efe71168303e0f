"""The messages that events of meetings make due, written in the transaction in which the events are received."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from meetdeck.messages.meeting_messages import store
from meetdeck.messages.meeting_messages.service.planning import list_due
from meetdeck.messages.message_settings.store import get_settings
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.work import enqueue_all

QUEUE: Final = "messages"
_LANE: Final = "mail"
_NEWS: Final = frozenset({EventType.MEETING_CREATED, EventType.MEETING_MOVED})
_WANTED: Final = _NEWS | {EventType.MEETING_CHANGED, EventType.MEETING_CANCELLED}


class MeetingMessages:
    """Subscribes to events of meetings. Each message becomes due once, and a job is to send it.

    What an event says is not looked at: the meeting is read as it is now, which one event of several is enough for.
    """

    name = "messages"

    def __init__(self, *, are_sent: bool) -> None:
        self._are_sent = are_sent

    def wants(self, event_type: str) -> bool:
        """Return whether an event may make messages due."""
        return event_type in _WANTED

    async def receive(self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime) -> None:  # noqa: ARG002 - the connection is the tenant's
        """Insert the messages that are due, and enqueue the jobs that send them."""
        if self._are_sent and (await get_settings(connection)).send_messages:
            added = await _add_messages(connection, _read_news(events), now)
            if added:
                await enqueue_all(connection, QUEUE, [(message_id, _LANE) for message_id in added], due_at=now)


def _read_news(events: Sequence[Event]) -> dict[UUID, bool]:
    """Return the meetings of events, and whether one was booked or moved."""
    news: dict[UUID, bool] = {}
    for event in events:
        meeting_id = UUID(event.subject.rpartition("/")[2])
        news[meeting_id] = news.get(meeting_id, False) or event.type in _NEWS
    return news


async def _add_messages(connection: Connection, news: Mapping[UUID, bool], now: datetime) -> list[UUID]:
    """Insert the messages that are due, and return their ids."""
    added: list[UUID] = []
    meeting_ids = list(news)
    states = await store.list_states(connection, meeting_ids)
    known = await store.list_messages(connection, meeting_ids)
    addresses = await store.list_addresses(connection, [person for state in states for person in state.people])
    for state in states:
        own = [message for message in known if message.meeting_id == state.meeting_id]
        recipients = state.list_recipients(addresses)
        for message in list_due(state, recipients, own, is_news=news[state.meeting_id], now=now):
            message_id = uuid4()
            if await store.add_message(connection, message_id, message, now):
                added.append(message_id)
    return added
