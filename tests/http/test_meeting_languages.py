"""The language of a meeting, and what speaks it: messages, calendar files (docs/api/meetings.md)."""

from pathlib import Path

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import book, patch
from support.meetings import replace as replace_members
from support.messages import Post
from support.patches import add, pointers, remove, replace

MEETINGS = "v3/booking/meetings"
SETTING = f"v3/booking/config/organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
DANISH = [
    replace("/enabledLocales", ["en-GB", "da-DK"]),
    add("/localizedICalMeetingTitle/da-DK", "Møde hos Nordlys"),
]


@pytest.fixture
async def post(api: Api, database: Database, tmp_path: Path) -> Post:
    """Lend the messages of the demo firm, of whose own meetings everybody has been told."""
    assert api
    post = Post(database, tmp_path)
    await post.send(NOW)
    return post


async def test_a_meeting_has_the_main_language_unless_another_is_given(api: Api) -> None:
    plain = await book(api)
    assert plain["language"] == "en-GB"
    given = await book(api, day=1, language="DA-dk")
    assert given["language"] == "da-DK"
    for meeting in (plain, given):
        assert (await api.get(f"{MEETINGS}/{meeting['id']}")).json()["language"] == meeting["language"]
        assert "language" not in (await api.get(f"{MEETINGS}/{meeting['id']}".replace("v3", "v2"))).json()
    changed = await patch(api, given, [replace("/language", "de")])
    assert changed.json()["language"] == "de"
    assert (await patch(api, given, [remove("/language")])).json()["language"] == "en-GB"


async def test_a_meeting_of_before_has_none_and_can_be_given_one(api: Api, database: Database) -> None:
    meeting = await book(api)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update meeting set language = null")
    assert "language" not in (await api.get(f"{MEETINGS}/{meeting['id']}")).json()
    retitled = await patch(api, meeting, replace_members(title="Pension"))
    assert "language" not in retitled.json(), "a change of something else gives it none"
    assert (await patch(api, meeting, [replace("/language", "da")])).json()["language"] == "da"


@pytest.mark.parametrize("tag", ["danish!", "qq", "da_DK", ""])
async def test_a_language_that_is_none_is_refused(tag: str, api: Api) -> None:
    meeting = await book(api)
    refusal = await patch(api, meeting, [replace("/language", tag)])
    assert (refusal.status_code, pointers(refusal)) == (400, ["/operations/0/value"])
    assert "BCP 47" in refusal.text or "no language" in refusal.text


async def test_the_main_language_of_the_day_of_booking_stays(api: Api) -> None:
    before = await book(api)
    await api.request("PATCH", SETTING, json=[*DANISH, replace("/mainLocale", "da-DK")])
    after = await book(api, day=1)
    assert after["language"] == "da-DK"
    assert (await api.get(f"{MEETINGS}/{before['id']}")).json()["language"] == "en-GB"


async def test_the_customers_mails_speak_the_meetings_language_and_the_advisors_the_firms(api: Api, post: Post) -> None:
    await api.request("PATCH", SETTING, json=DANISH)
    await book(api, language="da-DK", title="", externalAttendees=[FREJA])
    await post.send(NOW)
    mails = {mail.to[0]: mail for mail in (await post.read())[-2:]}
    customers = mails.pop(FREJA["email"])
    assert customers.subject.startswith("Dit møde tirsdag 3. marts 2026")
    assert "SUMMARY:Møde hos Nordlys" in (customers.calendar or "")
    (advisors,) = mails.values()
    assert "Tuesday" in advisors.text
    assert "SUMMARY:Meeting with Nordlys" in (advisors.calendar or "")


async def test_the_calendar_file_speaks_it_unless_another_is_asked_for(api: Api) -> None:
    await api.request("PATCH", SETTING, json=DANISH)
    meeting = await book(api, language="da", title="")
    file = await api.post(f"{MEETINGS}/{meeting['id']}/ical", {})
    assert "SUMMARY:Møde hos Nordlys" in file.text
    file = await api.post(f"{MEETINGS}/{meeting['id']}/ical?lang=en-GB", {})
    assert "SUMMARY:Meeting with Nordlys" in file.text
