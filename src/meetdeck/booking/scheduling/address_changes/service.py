"""Confirming a change of a customer's e-mail address (docs/portal-pages.md#manage-links)."""

from datetime import datetime

import msgspec

from meetdeck.booking.scheduling.address_changes import store
from meetdeck.booking.scheduling.address_changes.schemas import AddressChange
from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee, Meeting
from meetdeck.booking.scheduling.meetings.service import changes
from meetdeck.booking.scheduling.signed_links import SignedLinks
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import Principal
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch
from meetdeck.platform.values.patching.operations import AddOperation


class AddressChangeLinks(SignedLinks):
    """Makes and reads the tokens of changes of an address. They are sent only to the old address."""

    purpose = b"meetdeck address change links"


async def confirm_change(
    connection: Connection,
    principal: Principal,
    change: AddressChange,
    meeting: Meeting,
    encryption: Encryption,
    now: datetime,
) -> None:
    """Give the meeting's customer the new name and address; the meeting was read for update, the change is open."""
    others = (meeting.external_attendees or [])[1:]
    attendees = [msgspec.to_builtins(each) for each in (Attendee(change.name, change.email), *others)]
    patch: JsonPatch = [AddOperation("/externalAttendees", attendees)]
    await changes.change_meeting(connection, principal, meeting, patch, encryption, now)
    await store.mark_confirmed(connection, change.id, now)
