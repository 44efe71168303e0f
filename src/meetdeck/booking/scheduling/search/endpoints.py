"""The search's address (contract section 4: Time slots)."""

from litestar import Controller, get
from litestar.response import Stream

from meetdeck.booking.scheduling.outside_calendars import OutsideCalendars
from meetdeck.booking.scheduling.search.schemas import AvailableQuery, AvailableSlot
from meetdeck.booking.scheduling.search.service.answers import Asked, answer_search
from meetdeck.platform.http.answers import answer_json_stream
from meetdeck.platform.http.calls import CurrentCall, Service, answers
from meetdeck.platform.http.requests import Query, accepts
from meetdeck.platform.settings import Settings


class Search(Controller):
    """Free time slots."""

    path = "/time-slots"
    tags = ("Time slots",)

    @get(
        "/available",
        summary="Search free time slots",
        **accepts(query=AvailableQuery),
        **answers(stream_of=AvailableSlot),
    )
    async def search_time_slots(
        self,
        call: CurrentCall,
        params: Query[AvailableQuery],
        settings: Service[Settings],
        outside_calendars: Service[OutsideCalendars],
    ) -> Stream:
        """Search the free slots of the advisors who serve the topic and the customer type.

        Slots start at :00 and :30 in working hours; one is listed for each free advisor and supported meeting type.
        With the `token` of a reservation, or the meeting that is to be moved, its own time is free.
        """
        tenant_id = call.principal.tenant_id
        asked = Asked(call.database, tenant_id, params, call.version, settings.search_most_slots)
        answered = await answer_search(asked, call.now)
        outside_calendars.record_search(tenant_id, answered.employee_ids)
        return answer_json_stream(answered.pieces)
