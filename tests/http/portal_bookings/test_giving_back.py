"""A held time is free at once when its visitor goes back to the times, or leaves; without scripts."""

from typing import Any

import pytest

from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor, book, list_meetings, reach_check, reach_times

pytestmark = pytest.mark.usefixtures("no_meetings")


async def list_taken(api: Api) -> list[dict[str, Any]]:
    """Return the reserved and booked time slots."""
    return (await api.get("v3/booking/time-slots")).json()


@pytest.mark.parametrize("is_checked", [False, True])
async def test_who_goes_back_to_the_times_gives_the_held_one_back(
    api: Api, visitor: FormVisitor, clock: HandClock, *, is_checked: bool
) -> None:
    await reach_times(visitor)
    span = visitor.times[3].text_content()
    await visitor.choose_time(3)
    if is_checked:
        clock.advance(seconds=10)
        details = {"name": "Freja Holm", "email": "freja@example.com", "Telephone": "+45 70 10 20 30"}
        await visitor.press("Continue", **details)
    assert len(await list_taken(api)) == 1
    await visitor.press("Choose another time")
    assert await list_taken(api) == []
    assert span in [each.text_content() for each in visitor.times[:4]]


async def test_who_leaves_gives_the_time_back_and_may_begin_again(api: Api, visitor: FormVisitor) -> None:
    await reach_times(visitor)
    await visitor.choose_time()
    await visitor.press("Leave without booking")
    assert (visitor.status, visitor.heading) == (200, "Nothing was booked")
    assert visitor.page.find("body").get("data-event") == "closed"
    assert await list_taken(api) == []
    await visitor.follow("Choose a time")
    assert visitor.heading == "Choose a time"


async def test_leaving_a_page_whose_meeting_is_booked_or_whose_time_is_over_changes_nothing(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    check = visitor.answer
    await visitor.press("Book")
    visitor.answer = check
    await visitor.press("Leave without booking")
    assert visitor.status == 200
    assert len(await list_meetings(api)) == 1
    await reach_times(visitor)
    await visitor.choose_time()
    clock.advance(minutes=6)
    await visitor.press("Leave without booking")
    assert visitor.status == 200


@pytest.mark.parametrize(
    ("button", "heading"),
    [("Choose another time", "Choose a new time"), ("Keep the current time", "Your meeting")],
)
async def test_who_does_not_move_a_meeting_gives_the_new_time_back(
    api: Api, visitor: FormVisitor, clock: HandClock, button: str, heading: str
) -> None:
    await book(visitor, clock)
    before = await list_meetings(api)
    await visitor.press("Move")
    await visitor.choose_time(3)
    assert len(await list_taken(api)) == 2
    await visitor.press(button)
    assert visitor.heading == heading
    assert len(await list_taken(api)) == 1
    assert await list_meetings(api) == before
