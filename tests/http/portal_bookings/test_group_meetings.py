"""Group meetings on a portal: seats are shown, held and booked, and nobody sees the others."""

from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor, list_meetings, reach_times
from support.portal_mails import Mailbox
from support.searches import change

pytestmark = pytest.mark.usefixtures("no_meetings")

REVIEW = str(NORDLYS.id_of("topic", "Annual review"))
SECRETS = ("Freja", "freja@example.com", "+45 70 10 20 30")
Json = dict[str, Any]


async def book_second_time(visitor: FormVisitor, clock: HandClock, **details: str) -> str:
    """Book the second of the times that are offered; return its words."""
    await reach_times(visitor)
    words = visitor.times[1].get("aria-label")
    await visitor.choose_time(1)
    clock.advance(seconds=10)
    await visitor.press("Continue", **details)
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    return words


async def test_a_second_customer_books_the_seat_beside_the_first_and_sees_nothing_of_them(
    api: Api, portal: Json, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await change(api, f"meeting-topics/{REVIEW}", seats=3)
    freja = {"name": "Freja Holm", "email": "freja@example.com", "Telephone": "+45 70 10 20 30"}
    first = await book_second_time(visitor, clock, **freja)
    second = FormVisitor(api.http, portal["address"])
    await reach_times(second)
    (begun,) = [each for each in second.times if "left" in each.text_content()]
    assert begun.get("aria-label") == f"{first}, 2 seats left"
    await second.send(begun, {})
    clock.advance(seconds=10)
    await second.press("Continue", name="Noah Lund", email="noah@example.com", Telephone="+45 11 11 11 11")
    await second.press("Book")
    assert second.heading == "Your meeting is booked"
    one, other = await list_meetings(api)
    assert one["sharedSlotId"] == other["sharedSlotId"]
    mails = [str(mail) for mail in await mailbox.read() if mail.to[0] == "noah@example.com"]
    assert mails
    assert not any(secret in text for text in (second.text, *mails) for secret in SECRETS)
