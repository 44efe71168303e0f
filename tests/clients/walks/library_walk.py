"""The journey with our Python library, beyond its README: holds, events, pages, both clients."""

import asyncio
import contextlib
import os
import time
from itertools import islice
from uuid import uuid4

from meetdeck_client import AsyncMeetdeck, Meetdeck, Options, _holds
from meetdeck_client.errors import BadRequest, Forbidden, TimeSlotTaken
from meetdeck_client.models import AvailableSlot, CreateMeeting, RegisterLabel, SlotStatus

BASE = os.environ["MEETDECK"]
CREDENTIALS: Options = {
    "key": os.environ["MEETDECK_KEY"],
    "client_id": os.environ["MEETDECK_CLIENT_ID"],
    "client_secret": os.environ["MEETDECK_CLIENT_SECRET"],
}
ADMIN: Options = {
    "key": os.environ["MEETDECK_KEY"],
    "client_id": os.environ["MEETDECK_ADMIN_ID"],
    "client_secret": os.environ["MEETDECK_ADMIN_SECRET"],
}
client = Meetdeck(BASE, **CREDENTIALS)
admin = Meetdeck(BASE, **ADMIN)


def find_slots() -> list[AvailableSlot]:
    return client.time_slots.search(
        require_employee_participation=False, topic=client.meeting_topics.list(is_customer=True)[0].id
    )


def make_meeting(slot: AvailableSlot, title: str) -> CreateMeeting:
    return CreateMeeting(employee_id=slot.employee_id, customer_id="C-1001", type_=slot.meeting_type, title=title)


# Pages: by number, by a place, and in an envelope.
everybody = [each.name for each in client.employees.list()]
assert [each.name for each in client.employees.iterate(page_size=2)] == everybody
assert len(everybody) > 2
for number in range(3):
    client.labels.register(RegisterLabel(label_name=f"Paged {uuid4()} {number}"))
audited = [each.id for each in admin.audit_log.read(limit=1000).items]
assert [each.id for each in admin.audit_log.iterate(page_size=1)] == audited
names = [each.label_name for each in client.labels.list(page_size=200).items]
assert [each.label_name for each in client.labels.iterate(page_size=1)] == names
assert min(len(audited), len(names)) >= 3

# A hold is given back, unless it was booked; by another call, too.
slot = find_slots()[-1]
with client.hold(slot) as hold:
    assert client.time_slots.get(hold.id).status is SlotStatus.RESERVED
    taken = make_meeting(slot, "Too late")
    taken.start_date, taken.end_date = slot.start_date, slot.end_date
    with contextlib.suppress(TimeSlotTaken):
        client.meetings.create(taken)
        raise AssertionError
assert client.time_slots.get(hold.id).status is SlotStatus.EXPIRED

# It is renewed meanwhile.
_holds._SHARE = 0  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - after a second
with client.hold(slot) as hold:
    until = hold.expires_at
    time.sleep(1.5)
    assert hold.expires_at > until
with client.hold(slot) as hold:
    body = make_meeting(slot, "By another call")
    body.time_slot_id = hold.id
    elsewhere = client.meetings.create(body)
assert client.meetings.get(elsewhere.id).time_slot_id == hold.id

# Events: each cursor continues right after its event, also in the middle of a page.
cursor = admin.events.read(after="latest").next_
client.meetings.cancel(elsewhere.id)
for number in range(4):
    free = find_slots()[-1]
    with client.hold(free) as hold:
        hold.book(make_meeting(free, f"Number {number}"))

# Pages by a link to the next.
ids = [each.id for each in client.meetings.list()]
assert [each.id for each in client.meetings.iterate(page_size=1)] == ids
assert len(ids) >= 3
kinds = ["meeting.created", "meeting.cancelled"]
seen = list(islice(admin.events.follow(cursor, types=kinds), 5))
assert [each.event.type_ for each in seen] == ["meeting.cancelled", *["meeting.created"] * 4]
for number in range(4):
    again = list(islice(admin.events.follow(seen[number].cursor, types=kinds), 4 - number))
    assert [each.event.id for each in again] == [each.event.id for each in seen[number + 1 :]]
with contextlib.suppress(Forbidden):
    client.events.read()
    raise AssertionError


async def walk() -> None:
    async with AsyncMeetdeck(BASE, **CREDENTIALS) as client, AsyncMeetdeck(BASE, **ADMIN) as admin:
        assert [each.name async for each in client.employees.iterate(page_size=2)] == everybody
        slot = find_slots()[-1]
        async with client.hold(slot) as hold:
            pass
        assert (await client.time_slots.get(hold.id)).status is SlotStatus.EXPIRED
        async with client.hold(slot) as hold:
            until = hold.expires_at
            await asyncio.sleep(1.5)
            assert hold.expires_at > until
            meeting = await hold.book(make_meeting(slot, "Awaited"))
        assert (await client.meetings.get(meeting.id)).etag == meeting.etag
        async for event, _ in admin.events.follow(cursor, types=["meeting.created"]):
            if event.subject == f"meetings/{meeting.id}":
                break
        deck = await client.decks.build("Annual review", {})
        assert deck.content.startswith(b"PK")
        with contextlib.suppress(BadRequest):
            await client.meetings.create(CreateMeeting(employee_id=slot.employee_id, customer_id=""))
            raise AssertionError


asyncio.run(walk())
print("walked: pages, holds, events, both clients")
