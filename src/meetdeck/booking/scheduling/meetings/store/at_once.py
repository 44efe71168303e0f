"""A meeting booked by one statement, which is a transaction of its own (docs/decisions/0089)."""

from datetime import datetime
from functools import cache
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.meetings.schemas.history import MeetingAction
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.store.columns import MEETING_PARTS, MEETING_PARTS_IN_V2, TAKEN_COLUMNS
from meetdeck.booking.scheduling.meetings.store.history import MEETING_CHANGES
from meetdeck.booking.scheduling.meetings.store.meetings import write_row
from meetdeck.booking.scheduling.time_slots.store.time_slots import refused_at_once
from meetdeck.platform.changes import KeptAnswer, write_kept
from meetdeck.platform.database import Connection, Queries, load_queries
from meetdeck.platform.identity import Principal
from meetdeck.platform.values import Version

_ANSWERS: Final = {Version.V2: MEETING_PARTS_IN_V2["meeting_as_json"], Version.V3: "null::text"}


@cache
def _load_queries(answered: Version | None, *, accompanied: bool) -> Queries:
    """Return the statement that stores the answer of a version, and additional employees."""
    parts = MEETING_PARTS if answered is None else MEETING_PARTS | {"answer_as_json": _ANSWERS[answered]}
    optional = {"kept": answered is not None, "accompanied": accompanied}
    including = {name for name, is_included in optional.items() if is_included}
    return load_queries(__file__, "at_once.sql", parts=parts, including=including, columns=TAKEN_COLUMNS)


async def book_at_once(  # noqa: PLR0913 - the meeting, its time, by whom
    connection: Connection,
    meeting: Meeting,
    kept: KeptAnswer | None,
    *,
    by: Principal,
    hold_id: UUID | None,
    times: tuple[datetime | None, datetime | None],
    needs_room: bool,
    seats: int,
    over_busy: bool,
) -> Meeting | None:
    """Insert a meeting with its slot, its creation and the `kept` answer, as a transaction of its own; return it.

    Its slot is the reservation `hold_id`, whose times `times` are if they are given, or a new one at those times. None,
    and nothing is inserted, if it needs a closer look: something does not exist, is closed or taken, the room has fewer
    `seats`, or the answer of the request's key is stored already.
    """
    queries = _load_queries(kept and kept.version, accompanied=bool(meeting.additional_employees))
    with refused_at_once():
        written: str | None = await queries.book_at_once(
            connection,
            tenant_id=by.tenant_id,
            **write_row(meeting, start_date=times[0], end_date=times[1]),
            hold_id=hold_id,
            needs_room=needs_room,
            seats=seats,
            user_id=by.user_id,
            user_name=by.name or None,
            over_busy=over_busy,
            **write_kept(kept, meeting.id),
        )
        if written is not None:
            MEETING_CHANGES.labels(MeetingAction.CREATED.value.lower()).inc()
            return msgspec.json.decode(written, type=Meeting)
    return None
