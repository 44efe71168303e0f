"""The address of undelivered messages, an extension in v3 only."""

from litestar import Controller, get

from meetdeck.messages.undelivered import store
from meetdeck.messages.undelivered.schemas import UndeliveredMessages
from meetdeck.platform.http.calls import CurrentCall


class Undelivered(Controller):
    """Messages that no server has accepted yet."""

    path = "/messages/undelivered"
    tags = ("Messages",)

    @get(summary="Count undelivered messages")
    async def get_undelivered_messages(self, call: CurrentCall) -> UndeliveredMessages:
        """Return how many messages were attempted and wait for a retry, since when, and why.

        Needs the elevated role.
        """
        async with call.reading() as connection:
            return await store.count_undelivered(connection)
