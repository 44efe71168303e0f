"""The feed's address: ours, and only v3 has it."""

from litestar import Controller, get

from meetdeck.events.feed.schemas import FeedPage, FeedQuery
from meetdeck.events.feed.service import read_feed
from meetdeck.platform.http.calls import CurrentCall
from meetdeck.platform.http.requests import Query, accepts


class Feed(Controller):
    """The feed: what happened, in one order, for those that fetch it."""

    tags = ("Events",)

    @get(summary="Read events", **accepts(query=FeedQuery))
    async def read_events(self, call: CurrentCall, params: Query[FeedQuery]) -> FeedPage:
        """Return events after a cursor, in the feed's order. Needs the elevated role.

        Reading on with `next` never misses an event and never repeats one. With `wait` the answer comes when something
        happens, or empty when the time is over.
        """
        return await read_feed(call.database, call.principal.tenant_id, params)
