"""The search's address (contract section 4: Time slots)."""

from collections.abc import Iterator

from litestar import Controller, get
from litestar.response import Stream

from meetdeck.booking.scheduling.search.schemas import AvailableQuery, AvailableSlot
from meetdeck.booking.scheduling.search.service import availability
from meetdeck.booking.scheduling.threads import SEARCHES
from meetdeck.platform.http.answers import answer_json_stream
from meetdeck.platform.http.calls import CurrentCall, Service, answers
from meetdeck.platform.http.requests import Query, accepts
from meetdeck.platform.process.threads import Check
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
        self, call: CurrentCall, params: Query[AvailableQuery], settings: Service[Settings]
    ) -> Stream:
        """Search the free slots of the advisors who serve the topic and the customer type.

        Slots start at :00 and :30 in working hours; one is listed for each free advisor and supported meeting type.
        With the `token` of a reservation, or the meeting that is to be moved, its own time is free.
        """
        found = await call.read(lambda connection: availability.read_search_input(connection, params, call.now))

        def render(check: Check) -> Iterator[bytes]:
            slots = availability.find_slots(found, check)
            if params.advisors_per_time is not None and not found.query.require_all:
                slots = slots.keep_first(params.advisors_per_time)
            return availability.encode_slots(availability.require_answerable(slots, found, settings.search_most_slots))

        return answer_json_stream(await SEARCHES.run(call.principal.tenant_id, render))
