"""The search's address (contract section 4: Time slots)."""

from litestar import Controller, get
from litestar.response import Stream

from meetdeck.booking.scheduling.outside_calendars import OutsideCalendars
from meetdeck.booking.scheduling.search.schemas import AvailableQuery, AvailableSlot
from meetdeck.booking.scheduling.search.service.recalling import recall_search_input
from meetdeck.booking.scheduling.search.service.searching import write_answer
from meetdeck.booking.scheduling.threads import SEARCHES
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
        search_input = await recall_search_input(call.database, tenant_id, params, call.now)
        outside_calendars.record_search(tenant_id, search_input.employee_ids)
        pieces = await SEARCHES.run(
            tenant_id,
            lambda check: write_answer(search_input, params, settings.search_most_slots, check, version=call.version),
        )
        return answer_json_stream(pieces)
