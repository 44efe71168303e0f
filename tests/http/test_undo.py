"""A minute to undo: messages about changes by staff wait (docs/api/changing-meetings.md)."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import MONDAY_MORNING as NOW
from support.fakes import HandClock
from support.meetings import ANNA, BO, book, patch, replace
from support.messages import Post
from support.patches import pointers
from support.searches import change

FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
MINUTE = timedelta(minutes=1)
Json = dict[str, Any]


@pytest.fixture
async def post(api: Api, database: Database, tmp_path: Path) -> Post:
    """Lend the messages of the demo firms, of whose own meetings everybody has been told."""
    assert api
    post = Post(database, tmp_path, waits=True)
    await post.send(NOW)
    return post


async def list_subjects(post: Post, after: timedelta) -> list[str]:
    """Send what is due so long after the test's morning; return the subjects of all mails to the customer."""
    await post.send(NOW + after)
    return [mail.subject.split()[0] for mail in await post.read() if mail.to == [FREJA["email"]]]


async def invite(api: Api, post: Post) -> Json:
    meeting = await book(api, externalAttendees=[FREJA])
    assert await list_subjects(post, timedelta()) == ["Your"]
    return meeting


async def undo(api: Api, meeting: Json) -> httpx.Response:
    return await api.post(f"v3/booking/meetings/{meeting['id']}/undo")


async def cancel(api: Api, meeting: Json) -> None:
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")).status_code == 204


def at(hours: int) -> dict[str, str]:
    begin = TUESDAY_AT_TEN + timedelta(hours=hours)
    return {"startDate": begin.isoformat(), "endDate": (begin + timedelta(hours=1)).isoformat()}


async def read(api: Api, meeting: Json) -> Json:
    return (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()


def without_dates(meeting: Json) -> Json:
    return {name: value for name, value in meeting.items() if name != "dateModified"}


async def test_nobody_is_told_of_a_change_before_the_minute_is_over(api: Api, post: Post) -> None:
    meeting = await invite(api, post)
    assert (await patch(api, meeting, replace(**at(2)))).status_code == 200
    assert await list_subjects(post, timedelta(seconds=59)) == ["Your"]
    assert await list_subjects(post, MINUTE) == ["Your", "Changed:"]


async def test_several_changes_send_one_message_a_minute_after_the_last(api: Api, post: Post, clock: HandClock) -> None:
    meeting = await invite(api, post)
    for hours in (2, 3):
        assert (await patch(api, meeting, replace(**at(hours)))).status_code == 200
        await post.route(clock.moment)
        clock.advance(seconds=30)
    assert await list_subjects(post, MINUTE) == ["Your"]
    assert await list_subjects(post, timedelta(seconds=90)) == ["Your", "Changed:"]
    assert await list_subjects(post, 3 * MINUTE) == ["Your", "Changed:"]


async def test_a_change_that_is_taken_back_is_told_to_nobody(api: Api, post: Post) -> None:
    meeting = await invite(api, post)
    before = await read(api, meeting)
    moved = replace(**at(2), title="Another one", employeeId=BO)
    assert (await patch(api, meeting, moved)).status_code == 200
    await post.route(NOW)
    answer = await undo(api, meeting)
    assert answer.status_code == 200, answer.text
    assert without_dates(answer.json()) == without_dates(await read(api, meeting)) == without_dates(before)
    assert await list_subjects(post, 3 * MINUTE) == ["Your"]
    assert (await undo(api, meeting)).json()["code"] == "too_late", "there is nothing more to take back"


async def test_a_cancellation_that_is_taken_back_leaves_the_meeting_as_it_was(api: Api, post: Post) -> None:
    meeting = await invite(api, post)
    before = await read(api, meeting)
    await cancel(api, meeting)
    await post.route(NOW)
    assert (await undo(api, meeting)).status_code == 200
    assert without_dates(await read(api, meeting)) == without_dates(before)
    assert await list_subjects(post, 3 * MINUTE) == ["Your"]
    rival = await api.book(employeeId=ANNA, **at(0))
    assert (rival.status_code, rival.json()["code"]) == (409, "time_slot_taken"), "its time is taken again"


async def test_changes_are_taken_back_one_after_the_other(api: Api, post: Post) -> None:
    meeting = await invite(api, post)
    titles = ["First", "Second"]
    for title in titles:
        assert (await patch(api, meeting, replace(title=title))).status_code == 200
    assert (await undo(api, meeting)).json()["title"] == "First"
    assert (await undo(api, meeting)).json()["title"] == meeting["title"]
    assert (await undo(api, meeting)).status_code == 409
    assert (await patch(api, meeting, replace(title="Third"))).status_code == 200
    assert (await undo(api, meeting)).json()["title"] == meeting["title"]


async def test_after_the_minute_it_is_too_late(api: Api, post: Post, clock: HandClock) -> None:
    meeting = await invite(api, post)
    await cancel(api, meeting)
    clock.advance(seconds=60)
    answer = await undo(api, meeting)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_late")
    assert await list_subjects(post, MINUTE) == ["Your", "Cancelled:"]


async def test_what_somebody_else_changed_since_is_not_taken_back(api: Api, post: Post) -> None:
    meeting = await invite(api, post)
    assert (await patch(api, meeting, replace(title="Mine"))).status_code == 200
    async with post.database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(
            "insert into meeting_history (tenant_id, meeting_id, happened_at, user_id, action)"
            " values (current_tenant(), $1, $2, gen_random_uuid(), 'Changed')",
            meeting["id"],
            NOW,
        )
    answer = await undo(api, meeting)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_late")
    assert (await read(api, meeting))["title"] == "Mine"


@pytest.mark.parametrize("is_cancelled", [True, False])
async def test_a_time_that_somebody_took_meanwhile_stays_theirs(
    api: Api,
    post: Post,
    is_cancelled: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    meeting = await invite(api, post)
    if is_cancelled:
        await cancel(api, meeting)
    else:
        assert (await patch(api, meeting, replace(**at(3)))).status_code == 200
    assert (await api.book(employeeId=ANNA, **at(0))).status_code == 201
    answer = await undo(api, meeting)
    assert (answer.status_code, answer.json()["code"]) == (409, "time_slot_taken")


async def test_a_delay_of_nothing_tells_at_once(api: Api, post: Post) -> None:
    await change(api, SETTINGS, changeNoticeDelay="00:00:00")
    meeting = await invite(api, post)
    await cancel(api, meeting)
    assert await list_subjects(post, timedelta()) == ["Your", "Cancelled:"]
    assert (await undo(api, meeting)).json()["code"] == "too_late"


async def test_a_delay_is_a_day_at_most(api: Api) -> None:
    operations = [{"op": "replace", "path": "/changeNoticeDelay", "value": "1.00:00:01"}]
    answer = await api.request("PATCH", f"v3/booking/config/{SETTINGS}", json=operations)
    assert pointers(answer) == ["/changeNoticeDelay"]


async def test_what_is_not_there_cannot_be_undone(api: Api) -> None:
    assert (await undo(api, {"id": "00000000-0000-4000-8000-000000000000"})).status_code == 404
    meeting = await book(api)
    answer = await undo(api, meeting)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_late"), "a booking is taken back by cancelling it"


async def notice(api: Api, meeting: Json, **said: Any) -> httpx.Response:
    return await api.post(f"v3/booking/meetings/{meeting['id']}/notice", said)


async def list_lines(post: Post, after: timedelta) -> list[str]:
    """Send what is due so long after the test's morning; return the lines of mails to the customer that have one."""
    await post.send(NOW + after)
    texts = [mail.text for mail in await post.read() if mail.to == [FREJA["email"]]]
    return [text.partition("Message: ")[2].partition("\n")[0] for text in texts if "Message: " in text]


@pytest.mark.parametrize("is_routed", [False, True])
async def test_told_now_is_told_at_once_and_cannot_be_undone(api: Api, post: Post, is_routed: bool) -> None:  # noqa: FBT001 - a case
    meeting = await invite(api, post)
    await patch(api, meeting, replace(**at(2)))
    if is_routed:
        await post.send(NOW)
    assert (await notice(api, meeting, now=True)).status_code == 204
    assert await list_subjects(post, timedelta(seconds=1)) == ["Your", "Changed:"]
    late = await undo(api, meeting)
    assert (late.status_code, late.json()["code"]) == (409, "too_late")
    assert (await notice(api, meeting, line="Too late")).status_code == 409


async def test_a_line_goes_with_the_messages_that_wait_and_with_no_later_one(
    api: Api, post: Post, clock: HandClock
) -> None:
    meeting = await invite(api, post)
    assert (await notice(api, meeting, line="Nothing has changed")).status_code == 409
    await patch(api, meeting, replace(title="Home"))
    assert (await notice(api, meeting, line="Anna is in Odense.")).status_code == 204
    await patch(api, meeting, replace(title="Home and pension"))
    assert (await notice(api, meeting, now=True)).status_code == 204
    assert await list_lines(post, timedelta(seconds=1)) == ["Anna is in Odense."]
    clock.advance(hours=1)
    api = await api.of(api.firm)
    await patch(api, meeting, replace(title="Pension"))
    assert await list_lines(post, timedelta(hours=1, minutes=2)) == ["Anna is in Odense."]
    assert (await list_subjects(post, timedelta(hours=1, minutes=2)))[-1] == "Changed:"


async def test_a_line_to_what_was_undone_is_gone(api: Api, post: Post) -> None:
    meeting = await invite(api, post)
    await cancel(api, meeting)
    assert (await notice(api, meeting, line="We are closed.")).status_code == 204
    assert (await undo(api, meeting)).status_code == 200
    await patch(api, meeting, replace(title="Home"))
    assert await list_lines(post, MINUTE) == []
    assert (await list_subjects(post, MINUTE))[-1] == "Changed:"


async def test_nobody_else_adds_a_line(api: Api, post: Post) -> None:
    meeting = await invite(api, post)
    await patch(api, meeting, replace(title="Home"))
    other = await api.of(api.firm, elevated=True)
    assert (await notice(other, meeting, line="Mine")).status_code == 409
    assert (await notice(api, meeting, line="x" * 501)).status_code == 400
