"""The feed's address, an extension in v3 only."""

from litestar import Controller, get

from meetdeck.events.feed.schemas import FeedPage, FeedQuery
from meetdeck.events.feed.service import read_feed
from meetdeck.platform.http.calls import CurrentCall
from meetdeck.platform.http.requests import Query, accepts


class Feed(Controller):
    """The feed: all events in one order, for callers that fetch them."""

    tags = ("Events",)

    @get(summary="Read events", **accepts(query=FeedQuery))
    async def read_events(self, call: CurrentCall, params: Query[FeedQuery]) -> FeedPage:
        """Return events after a cursor, in the feed's order. Needs the elevated role.

        Reading on with `next` never misses or repeats an event. With `wait`, the answer is sent when an event arrives,
        or empty at the end of that time.
        """
        return await read_feed(call.database, call.principal.tenant_id, params)
