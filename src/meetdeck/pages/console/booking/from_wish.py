"""Booking for a waiting customer: the time offered to them, or a search for their wishes."""

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from meetdeck.pages.console.booking.details import Details
from meetdeck.pages.console.booking.holds import Hold
from meetdeck.pages.console.booking.search_form import SPANS, SearchForm
from meetdeck.pages.console.booking.times import Time
from meetdeck.pages.console.kit import ConsolePage
from meetdeck.pages.console.wishes.rows import Wish
from meetdeck.platform.errors import NotFound


class FromWish(NamedTuple):
    """The search and customer of a waiting-list entry, and the time offered for it, if any."""

    wanted: SearchForm
    details: Details
    offer: Hold | None


async def read_wish(page: ConsolePage, wish_id: str, zone: ZoneInfo) -> FromWish:
    """Return a waiting-list entry as a search. Raises NotFound, ApiRefusal."""
    try:
        path = f"booking/wishes/{UUID(wish_id)}"
    except ValueError:
        raise NotFound("This entry does not exist.") from None
    wish = await page.api.get(path, Wish)
    offer = wish.offer if wish.status == "Offered" else None
    days = (wish.to - max(wish.from_, page.now)) // timedelta(days=1)
    ways = [offer.meeting_type] if offer is not None else wish.meeting_types
    wanted = SearchForm(
        topic=str(wish.topic_id or ""),
        type=next(iter(ways), ""),
        place=wish.location,
        customer=str(wish.customer_type_id or ""),
        employee=",".join(str(one) for one in wish.employee_ids),
        day=max(wish.from_, page.now).astimezone(zone).date().isoformat(),
        days=str(next((span for span in SPANS if span >= days), SPANS[-1])),
        wish=str(wish.id),
    )
    details = Details(wish.name, wish.email, wish.phone, wish.customer_id or "")
    if offer is None:
        return FromWish(wanted, details, None)
    time = Time(offer.start_date, offer.end_date, offer.employee_id)
    return FromWish(wanted, details, Hold(offer.time_slot_id, str(uuid4()), time, offer.expires_at, is_offer=True))
