"""Additions by the author of a change to its messages while they wait (docs/api/changing-meetings.md#undo)."""

from datetime import datetime

from meetdeck.booking.scheduling.meetings.schemas.change_notices import ChangeNotice
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.undoing import find_undoable
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import Principal


async def write_notice(
    connection: Connection, principal: Principal, meeting: Meeting, notice: ChangeNotice, now: datetime
) -> None:
    """Store a line for the messages about the caller's last change of a meeting read for update, or send them now.

    Raises TooLateToUndo if they no longer wait.
    """
    await find_undoable(connection, principal, meeting, now)
    delay, line = (await get_rules(connection)).change_notice_delay, notice.line or None
    await history.put_notice(connection, meeting.id, line, is_now=notice.now, written_at=now, delay=delay)
