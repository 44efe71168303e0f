"""Wishes' addresses; only in v3, not part of the contract."""

from functools import partial

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import WishId
from meetdeck.booking.scheduling.wishes import store
from meetdeck.booking.scheduling.wishes.schemas import Wish, WishContent, WishesQuery
from meetdeck.booking.scheduling.wishes.service import wishes
from meetdeck.platform.http.calls import CurrentCall
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values.patching import JsonPatch


class Wishes(Controller):
    """The waiting list: customers who found no suitable time, and are offered one when it becomes free."""

    path = "/wishes"
    tags = ("Wishes",)

    @get(summary="List wishes", **accepts(query=WishesQuery))
    async def list_wishes(self, call: CurrentCall, params: Query[WishesQuery]) -> list[Wish]:
        """Return the wishes, the oldest first."""
        async with call.transaction() as connection:
            return await store.list_wishes(connection, call.now, statuses=params.status, customer_id=params.customer_id)

    @get("/{wish_id:uuid}", summary="Read a wish")
    async def get_wish(self, call: CurrentCall, wish_id: WishId) -> Response[Wish]:
        """Return the current state of a wish, with the time that is held for it."""
        async with call.reading() as connection:
            return call.answer(await wishes.get_wish(connection, wish_id, now=call.now))

    @post(status_code=201, summary="Create a wish", **accepts(body=WishContent, example=examples.NEW_WISH))
    async def create_wish(self, call: CurrentCall, payload: Body[WishContent]) -> Response[Wish]:
        """Put a customer on the waiting list.

        A freed time is held for 15 minutes for the oldest wish that it suits, then for the next.
        """
        return await call.create(
            payload, "booking/wishes", lambda connection: wishes.create_wish(connection, payload, call.now)
        )

    @patch("/{wish_id:uuid}", summary="Change a wish", **accepts(patch=WishContent, example=examples.LONGER_WISH))
    async def update_wish(self, call: CurrentCall, wish_id: WishId, payload: Body[JsonPatch]) -> Response[Wish]:
        """Change a wish by JSON Patch; it keeps its place in the list."""
        return await call.change(
            partial(wishes.get_wish, now=call.now),
            wish_id,
            lambda connection, wish: wishes.change_wish(connection, wish, payload, call.now),
        )

    @delete("/{wish_id:uuid}", summary="Delete a wish")
    async def delete_wish(self, call: CurrentCall, wish_id: WishId) -> None:
        """Take a customer off the waiting list; the time held for the wish is offered to the next."""
        await call.delete(
            partial(wishes.get_wish, now=call.now),
            wish_id,
            lambda connection, wish: wishes.delete_wish(connection, wish, call.now),
        )
