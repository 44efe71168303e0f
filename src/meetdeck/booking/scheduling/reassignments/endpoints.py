"""The address for reassigning meetings; only in v3, not part of the contract."""

from functools import partial

from litestar import Controller, get, post

from meetdeck.booking import examples
from meetdeck.booking.scheduling.reassignments import store
from meetdeck.booking.scheduling.reassignments.schemas import (
    ReassignMeetings,
    Reassignment,
    Unattended,
)
from meetdeck.booking.scheduling.reassignments.service import reassigning
from meetdeck.platform.http.calls import CurrentCall
from meetdeck.platform.http.requests import Body, accepts


class Reassignments(Controller):
    """Reassigning the meetings of an absent advisor."""

    path = "/meetings/reassign"
    tags = ("Meetings",)

    @post(
        status_code=200,
        summary="Reassign an absent advisor's meetings",
        **accepts(body=ReassignMeetings, example=examples.REASSIGNING),
    )
    async def reassign_meetings(self, call: CurrentCall, payload: Body[ReassignMeetings]) -> list[Reassignment]:
        """Give each meeting of an advisor in a period to the least booked advisor whom the search offers then.

        Each is reassigned separately: a meeting that nobody can take stays, with the reason. With `dryRun` nothing
        changes.
        """
        absent_id = payload.employee_id
        async with call.transaction() as connection:
            meeting_ids = await reassigning.list_meetings(connection, payload, call.now)
            if payload.dry_run:
                return await reassigning.preview(connection, meeting_ids, absent_id, call.now)
        return [
            await call.run(
                partial(
                    reassigning.reassign_meeting,
                    principal=call.principal,
                    meeting_id=each,
                    absent_id=absent_id,
                    encryption=call.encryption,
                    now=call.now,
                )
            )
            for each in meeting_ids
        ]


class UnattendedMeetings(Controller):
    """The meetings of employees who have left."""

    path = "/meetings/unattended"
    tags = ("Meetings",)

    @get(summary="List employees who left meetings behind")
    async def list_unattended_meetings(self, call: CurrentCall) -> list[Unattended]:
        """Return the employees who are not active any more and still have meetings, by their first meeting.

        `POST meetings/reassign` gives the meetings to others.
        """
        async with call.transaction() as connection:
            return await store.list_unattended(connection, call.now)
