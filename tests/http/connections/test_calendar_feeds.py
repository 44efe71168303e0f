"""An employee's calendar for other programs: its address, busy times or everything, and its end."""

from datetime import timedelta
from typing import Any

import pytest
from icalendar import Calendar

from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.meetings import ANNA, BO, book
from support.searches import change

FEED = f"v3/booking/config/employees/{ANNA}/calendar-feed"


def name_path(answer: dict[str, str]) -> str:
    """Return the path of a feed, as the client of the tests calls it."""
    return answer["address"].removeprefix("http://meetdeck.test")


@pytest.mark.usefixtures("no_meetings")
async def test_a_feed_has_busy_times_or_everything_and_only_of_its_employee(elevated: Api, database: Database) -> None:
    meeting = await book(elevated, title="Pension for Freja")
    busy = {"employeeId": ANNA, "status": "Busy", "startDate": (TUESDAY_AT_TEN + timedelta(hours=3)).isoformat()}
    busy["endDate"] = (TUESDAY_AT_TEN + timedelta(hours=4)).isoformat()
    assert (await elevated.post("v3/booking/time-slots", busy)).status_code == 201
    made = await elevated.post(FEED)
    assert made.status_code == 201, made.text
    path = name_path(made.json())

    answer = await elevated.http.get(path)
    assert answer.headers["content-type"].startswith("text/calendar")
    events: list[Any] = Calendar.from_ical(answer.content).walk("VEVENT")
    assert [(str(one["summary"]), one["dtstart"].dt) for one in events] == [
        ("Busy", TUESDAY_AT_TEN),
        ("Busy", TUESDAY_AT_TEN + timedelta(hours=3)),
    ]
    assert "Freja" not in answer.text
    whole = await elevated.http.get(f"{path}?details=true")
    assert "Pension for Freja" in whole.text
    assert (await elevated.http.get(path, headers={"If-None-Match": answer.headers["etag"]})).status_code == 304
    other = await elevated.post(f"v3/booking/config/employees/{BO}/calendar-feed")
    assert not Calendar.from_ical((await elevated.http.get(name_path(other.json()))).content).walk("VEVENT")

    await elevated.request("DELETE", f"v3/booking/meetings/{meeting['id']}")
    changed = await elevated.http.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (changed.status_code, changed.text.count("BEGIN:VEVENT")) == (200, 1)
    async with database.transaction(elevated.firm.tenant_id) as rows:
        dump = str(await rows.fetch("select calendar_feed::text from calendar_feed"))
        dump += str(await rows.fetch("select audit_entry::text from audit_entry"))
    assert path.split("/")[-1].removesuffix(".ics") not in dump


@pytest.mark.usefixtures("no_meetings")
async def test_customers_who_share_a_time_are_one_appointment(elevated: Api) -> None:
    topic = str(elevated.firm.id_of("topic", "Annual review"))
    await change(elevated, f"meeting-topics/{topic}", seats=5)
    for name in ("Freja", "Noah"):
        guests = [{"name": name, "email": f"{name.lower()}@example.com"}]
        await book(elevated, topicId=topic, customerId=name, title=f"For {name}", externalAttendees=guests)
    path = name_path((await elevated.post(FEED)).json())
    events: list[Any] = Calendar.from_ical((await elevated.http.get(f"{path}?details=true")).content).walk("VEVENT")
    (event,) = events
    assert (str(event["summary"]), event["dtstart"].dt) == ("Annual review (2/5)", TUESDAY_AT_TEN)
    assert str(event["description"]).splitlines() == ["Freja <freja@example.com>", "Noah <noah@example.com>"]
    (busy,) = Calendar.from_ical((await elevated.http.get(path)).content).walk("VEVENT")
    assert (str(busy["summary"]), str(busy["uid"])) == ("Busy", str(event["uid"]))


async def test_a_new_address_ends_the_old_one(elevated: Api, api: Api) -> None:
    assert (await elevated.get(FEED)).json()["code"] == "calendar_feed_not_found"
    first = name_path((await elevated.post(FEED)).json())
    assert "address" not in (await elevated.get(FEED)).json()
    second = name_path((await elevated.post(FEED)).json())
    assert (await api.http.get(first)).status_code == 404
    assert (await api.http.get(second)).status_code == 200
    assert (await api.http.get(second.removesuffix(".ics"))).status_code == 404
    assert (await api.post(FEED)).status_code == 403
    assert (await elevated.request("DELETE", FEED)).status_code == 204
    assert (await api.http.get(second)).status_code == 404
    unknown = await elevated.post(f"v3/booking/config/employees/{api.firm.tenant_id}/calendar-feed")
    assert unknown.status_code == 404
    kinds = (await elevated.get("v3/audit-log", params={"kind": "calendar-feeds"})).json()["items"]
    assert [one["action"] for one in kinds] == ["deleted", "created", "created"]


async def test_somebody_who_left_has_no_feed(elevated: Api) -> None:
    path = name_path((await elevated.post(FEED)).json())
    employee = (await elevated.get(f"v3/booking/config/employees/{ANNA}")).json()
    await elevated.request("PUT", f"v3/booking/config/employees/{ANNA}", json=employee | {"active": False})
    assert (await elevated.http.get(path)).status_code == 404
