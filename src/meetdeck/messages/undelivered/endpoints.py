"""The address of undelivered messages: ours, and only v3 has it."""

from litestar import Controller, get

from meetdeck.messages.undelivered import store
from meetdeck.messages.undelivered.schemas import UndeliveredMessages
from meetdeck.platform.http.calls import CurrentCall


class Undelivered(Controller):
    """Messages that no server took yet."""

    path = "/messages/undelivered"
    tags = ("Messages",)

    @get(summary="Count undelivered messages")
    async def get_undelivered_messages(self, call: CurrentCall) -> UndeliveredMessages:
        """Return how many messages were tried and wait for their next try, since when, and why.

        Needs the elevated role.
        """
        async with call.reading() as connection:
            return await store.count_undelivered(connection)
