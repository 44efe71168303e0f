"""Reassigning meetings: ours, and only v3 has it."""

from functools import partial

from litestar import Controller, post

from meetdeck.booking import examples
from meetdeck.booking.scheduling.reassignments import service
from meetdeck.booking.scheduling.reassignments.schemas import ReassignMeetings, Reassignment
from meetdeck.platform.http.calls import CurrentCall, documents
from meetdeck.platform.http.requests import Body, accepts


class Reassignments(Controller):
    """What becomes of an absent advisor's meetings."""

    path = "/meetings/reassign"
    tags = ("Meetings",)

    @post(
        status_code=200,
        summary="Reassign an absent advisor's meetings",
        **accepts(body=ReassignMeetings),
        **documents(example=examples.REASSIGNING),
    )
    async def reassign_meetings(self, call: CurrentCall, payload: Body[ReassignMeetings]) -> list[Reassignment]:
        """Give each meeting of an advisor in a time to the least booked of those whom the search offers then.

        Each is given away by itself: one that nobody can have stays, with the reason. With `dryRun` nothing changes.
        """
        absent_id = payload.employee_id
        async with call.transaction() as connection:
            meeting_ids = await service.list_meetings(connection, payload, call.now)
            if payload.dry_run:
                return await service.foretell(connection, meeting_ids, absent_id, call.now)
        return [
            await call.run(
                partial(
                    service.give_away,
                    principal=call.principal,
                    meeting_id=each,
                    absent_id=absent_id,
                    encryption=call.encryption,
                    now=call.now,
                )
            )
            for each in meeting_ids
        ]
