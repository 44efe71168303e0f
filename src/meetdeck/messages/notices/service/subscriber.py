"""The notices that events make due, inserted in the transaction in which the events are received."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from meetdeck.booking.scheduling.wishes.schemas import WishStatus
from meetdeck.booking.scheduling.wishes.store import list_wishes
from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.message_settings.store import get_settings
from meetdeck.messages.notices import store
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.work import NewJob, enqueue

QUEUE: Final = "notices"
_LANE: Final = "mail"
_OF_MEETINGS: Final[Mapping[str, TextKind]] = {
    EventType.DOCUMENTS_READY: TextKind.EMPLOYEE_DOCUMENTS,
    EventType.DOCUMENTS_FAILED: TextKind.EMPLOYEE_DOCUMENTS_FAILED,
}


async def order_notice(connection: Connection, kind: TextKind, meeting_id: UUID, occasion: UUID, now: datetime) -> None:
    """Insert a notice of a meeting, and enqueue its job, in the connection's transaction."""
    notice = _make_notice(kind, meeting_id, occasion)
    if await store.add_meeting_notice(connection, notice, now):
        await enqueue(connection, QUEUE, notice.notice_id, due_at=now, lane=_LANE)


async def order_booking_notice(connection: Connection, occasion: UUID, now: datetime) -> None:
    """Insert the notice of a waiting booking, and enqueue its job, in the connection's transaction."""
    notice_id = uuid4()
    await store.add_booking_notice(connection, notice_id, occasion, now)
    await enqueue(connection, QUEUE, notice_id, due_at=now, lane=_LANE)


class NoticeSubscriber:
    """Subscribes to offers of the waiting list and to documents: each causes one notice."""

    name = "notices"

    def __init__(self, *, are_sent: bool) -> None:
        self._are_sent = are_sent

    def wants(self, event_type: str) -> bool:
        """Return whether an event may make a notice due."""
        return event_type == EventType.WISH_OFFERED or event_type in _OF_MEETINGS

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime
    ) -> list[NewJob]:
        """Insert the notices that are due; return their jobs."""
        del tenant_id
        if not self._are_sent or not (await get_settings(connection)).send_messages:
            return []
        added = [*await _add_offers(connection, events, now), *await _add_of_meetings(connection, events, now)]
        return [NewJob(QUEUE, notice_id, now, _LANE) for notice_id in added]


async def _add_offers(connection: Connection, events: Sequence[Event], now: datetime) -> list[UUID]:
    """Insert a notice for each entry that is offered a time now and has an address; return their ids."""
    wish_ids = [_read_id(event) for event in events if event.type == EventType.WISH_OFFERED]
    if not wish_ids:
        return []
    added: list[UUID] = []
    for wish in await list_wishes(connection, now, wish_ids=wish_ids, statuses=[WishStatus.OFFERED]):
        notice_id = uuid4()
        if wish.email and wish.offer is not None:
            occasion = wish.offer.time_slot_id
            if await store.add_offer_notice(connection, notice_id, wish.id, occasion, now):
                added.append(notice_id)
    return added


async def _add_of_meetings(connection: Connection, events: Sequence[Event], now: datetime) -> list[UUID]:
    """Insert a notice of each kind for each meeting, however many events it has; return their ids."""
    last = {(_read_id(event), _OF_MEETINGS[event.type]): event for event in events if event.type in _OF_MEETINGS}
    notices = [_make_notice(kind, meeting_id, event.id) for (meeting_id, kind), event in last.items()]
    return [notice.notice_id for notice in notices if await store.add_meeting_notice(connection, notice, now)]


def _make_notice(kind: TextKind, meeting_id: UUID, occasion: UUID) -> Notice:
    """Return a new notice of a meeting."""
    return Notice(
        notice_id=uuid4(),
        kind=kind,
        wish_id=None,
        meeting_id=meeting_id,
        occasion=occasion,
        status=MessageStatus.WAITING,
    )


def _read_id(event: Event) -> UUID:
    return UUID(event.subject.rpartition("/")[2])
