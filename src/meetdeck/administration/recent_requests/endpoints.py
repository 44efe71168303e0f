"""The recent requests' address, an extension in v3 only."""

from litestar import Controller, get

from meetdeck.administration.recent_requests.schemas import RecentRequestPage, RecentRequestQuery
from meetdeck.administration.recent_requests.service import read_page
from meetdeck.platform.http.calls import CurrentCall, Service
from meetdeck.platform.http.requests import Query, accepts
from meetdeck.platform.process.clock import Clock


class RecentRequestLog(Controller):
    """The API's requests of the last hour."""

    path = "/administration/requests"
    tags = ("Administration",)

    @get(summary="List recent requests", **accepts(query=RecentRequestQuery))
    async def list_recent_requests(
        self, call: CurrentCall, params: Query[RecentRequestQuery], clock: Service[Clock]
    ) -> RecentRequestPage:
        """Return the firm's requests of the last hour, newest first, without queries. Needs the elevated role."""
        async with call.transaction() as connection:
            return await read_page(connection, params, clock())
