"""The customers among the results of Ctrl+K, each with a link to all of their meetings."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

import msgspec

from meetdeck.pages.console.find.places import Place, PlaceGroup
from meetdeck.pages.console.kit import ConsolePage

_MOST: Final = 5
_LOOKED_AT: Final = 200
_WITHOUT_ID: Final = ("guest-", "erased-")
"""The beginnings of ids that Meetdeck makes for customers without one."""


class _Person(msgspec.Struct, frozen=True, rename="camel"):
    name: str = ""
    email: str = ""
    is_customer: bool = False


class CustomerMeeting(msgspec.Struct, frozen=True, rename="camel"):
    """A meeting as the API lists it: its customer."""

    customer_id: str
    external_attendees: list[_Person] = []

    @property
    def person(self) -> _Person:
        """Return the customer among the attendees, or else the first of them."""
        people = self.external_attendees
        return next((one for one in people if one.is_customer), people[0] if people else _Person())


async def find_customers(page: ConsolePage, wanted: str, found: Sequence[CustomerMeeting]) -> list[PlaceGroup]:
    """Return the customers of found meetings, and the one with the searched id, whenever they met."""
    exact = await page.api.get(
        "booking/meetings", list[CustomerMeeting], customerId=wanted, includeCancelled="true", pageSize=_LOOKED_AT
    )
    places: dict[str, Place] = {}
    for one in (*exact, *found):
        name, email = one.person.name or one.person.email, one.person.email if one.person.name else ""
        number = "" if one.customer_id.startswith(_WITHOUT_ID) else one.customer_id
        aside = " · ".join(part for part in (number, email) if part)
        path = f"calendar/customer?{urlencode({'id': one.customer_id})}"
        places.setdefault(one.customer_id, Place(name or number, aside, path, "user-round"))
    kept = [place for place in places.values() if place.title][:_MOST]
    return [PlaceGroup(page.texts.translate("Customers"), kept)] if kept else []
