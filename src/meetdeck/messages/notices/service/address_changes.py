"""The mail to a customer's old e-mail address that asks whether a new one is right."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial

from meetdeck.booking.scheduling.address_changes.schemas import AddressChange
from meetdeck.booking.scheduling.address_changes.store import find_change
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting
from meetdeck.messages.meeting_messages.service.composing import Addressee, Announcement, Sender, compose_announcement
from meetdeck.messages.meeting_messages.service.decisions import Drop
from meetdeck.messages.meeting_messages.service.facts import find_portal
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.writing.kinds import RecipientKind, TextKind
from meetdeck.messages.writing.letters import Fact, Link
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Connection


async def prepare_address_change(connection: Connection, sender: Sender, notice: Notice, now: datetime) -> Mail | Drop:
    """Return the mail of a change, or why it is not sent."""
    meeting = await find_meeting(connection, notice.meeting_id) if notice.meeting_id is not None else None
    if meeting is None or meeting.is_cancelled:
        return Drop("the meeting was cancelled meanwhile")
    if meeting.end_date <= now:
        return Drop("the meeting is over")
    change = await find_change(connection, notice.occasion)
    portal = await find_portal(connection, meeting.portal_id or None)
    if change is None or portal is None or not change.is_open(meeting, now):
        return Drop("the change can no longer be confirmed")
    page = f"{sender.find_page(portal)}/e/{sender.address_changes.make(portal.id, change.id)}"
    announcement = Announcement(TextKind.ADDRESS_CHANGE, partial(_name_address, change), partial(_make_button, page))
    addressee = Addressee(notice.notice_id, RecipientKind.ATTENDEE, change.old_email)
    return await compose_announcement(connection, sender, addressee, announcement, meeting, now)


def _name_address(change: AddressChange, labels: Mapping[str, str]) -> list[Fact]:
    return [Fact(labels["new_address"], change.email)]


def _make_button(page: str, labels: Mapping[str, str]) -> Link:
    return Link(labels["confirm_address"], page)
