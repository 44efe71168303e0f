"""The organization's settings over HTTP (contract section 4, Organization settings).

The rules: docs/api/organization.md#organization-settings, #closing-days, docs/api/search.md#search-edges.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

import httpx

from meetdeck.booking.directory.timezones.service import timezone_id
from meetdeck.demo.firm import NORDLYS, ZONE
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import HandClock
from support.patches import pointers, replace

SETTINGS = "v3/booking/config/organization-settings"
NORDLYS_SETTING = str(NORDLYS.id_of("organization setting", NORDLYS.name))
ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))
COPENHAGEN, LONDON = (str(timezone_id(name)) for name in ("Europe/Copenhagen", "Europe/London"))
TUESDAY = {"startDate": "2026-03-03T00:00", "lookForwardTime": "1.00:00:00"}
UNKNOWN = str(uuid4())

Json = dict[str, Any]


async def read(api: Api) -> Json:
    answer = await api.get(SETTINGS)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def patch(api: Api, *operations: Json, **arguments: Any) -> httpx.Response:
    return await api.request("PATCH", f"{SETTINGS}/{NORDLYS_SETTING}", json=operations, **arguments)


async def change(api: Api, **members: Any) -> Json:
    """Replace members, each by another value."""
    answer = await patch(api, *(replace(f"/{name}", value) for name, value in members.items()))
    assert answer.status_code == 200, answer.text
    return answer.json()


async def close(api: Api, days: str | Sequence[str], method: str = "POST") -> httpx.Response:
    return await api.request(method, f"{SETTINGS}/{NORDLYS_SETTING}/closing-days", params={"closingDays": days})


async def starts(api: Api, **query: Any) -> list[str]:
    """Return the local times at which Anna is free on Tuesday."""
    params = {"requireEmployeeParticipation": "false", "explicitEmployeeIds": ANNA, "employeeTypes": "Explicit"}
    answer = await api.get("v3/booking/time-slots/available", params=params | TUESDAY | query)
    assert answer.status_code == 200, answer.text
    found = {datetime.fromisoformat(slot["startDate"]).astimezone(ZONE) for slot in answer.json()}
    return [f"{start:%H:%M}" for start in sorted(found)]


async def customer_starts(api: Api, **query: Any) -> list[str]:
    return await starts(api, isCustomerInitiated="true", **query)


# --------------------------------------------------------------------------------------------------------------- read


async def test_the_settings_have_the_contracts_fields(api: Api) -> None:
    answer = await api.get(SETTINGS)
    assert answer.json() == {
        "id": NORDLYS_SETTING,
        "openingTime": "08:00:00",
        "closingTime": "18:00:00",
        "minimumBookingNotice": "04:00:00",
        "maxTimeFromBookingToMeeting": "90.00:00:00",
        "maxMeetingTimePerDay": "06:00:00",
        "dailyLimitForEmployees": True,
        "bufferBetweenMeetings": "00:00:00",
        "workingTimeBuffer": "00:00:00",
        "changeNoticeDelay": "00:01:00",
        "advisorPriority": [
            {"kind": kind, "label": None, "description": ""} for kind in ("Explicit", "Local", "ServiceGroup")
        ],
        "customersBookOnlyOffered": False,
        "isFilterShowTimesAsCustomerEnabled": False,
        "meetingTypeLabels": [],
        "employeeLabels": [],
        "extendedOpeningHoursEmail": "booking@nordlys.example",
        "closingDays": [],
        "iCalMeetingTitle": "Meeting with Nordlys Rådgivning",
        "iCalMeetingDescription": "",
        "localizedICalMeetingTitle": {"en-GB": "Meeting with Nordlys Rådgivning"},
        "localizedICalMeetingDescription": {"en-GB": ""},
        "mainLocale": "en-GB",
        "enabledLocales": ["en-GB"],
        "phone": "",
        "privacyUrl": "",
        "scimGroups": "CompetenceGroups",
        "whenMovedThere": "Report",
        "timeZoneId": COPENHAGEN,
        "timeZone": {
            "id": COPENHAGEN,
            "identifier": "Europe/Copenhagen",
            "displayName": "Europe/Copenhagen (UTC+01:00)",
        },
    }
    assert (await api.get("v3/config/organization-settings")).json() == answer.json()
    known = await api.get(SETTINGS, headers={"If-None-Match": answer.headers["ETag"]})
    assert known.status_code == 304
    assert (await api.get(SETTINGS.replace("v3", "v2"))).status_code == 404


async def test_a_privacy_notice_is_on_the_web(api: Api) -> None:
    await change(api, phone="+45 70 10 20 30", privacyUrl="https://nordlys.example/privacy")
    operations = [{"op": "replace", "path": "/privacyUrl", "value": "javascript:alert(1)"}]
    refused = await api.request("PATCH", f"{SETTINGS}/{NORDLYS_SETTING}", json=operations)
    assert (refused.status_code, pointers(refused)) == (400, ["/privacyUrl"])


async def test_without_settings_those_who_ask_first_at_once_get_one_of_defaults(api: Api, database: Database) -> None:
    async with database.transaction(api.firm.tenant_id) as connection:
        await connection.execute("delete from organization_setting")
    settings = await asyncio.gather(*(read(api) for _ in range(6)))
    assert settings[0] == settings[0] | {
        "openingTime": "08:00:00",
        "closingTime": "17:00:00",
        "minimumBookingNotice": "04:00:00",
        "maxTimeFromBookingToMeeting": None,
        "maxMeetingTimePerDay": None,
        "extendedOpeningHoursEmail": "",
        "closingDays": [],
        "iCalMeetingTitle": "",
        "timeZoneId": COPENHAGEN,
    }
    assert all(setting == settings[0] for setting in settings)


async def test_another_firms_settings_are_neither_seen_nor_changed(api: Api) -> None:
    other = await api.of((await api.other()).firm, elevated=True)
    assert (await read(other))["id"] != NORDLYS_SETTING
    address = f"{SETTINGS}/{NORDLYS_SETTING}"
    for method, path in (
        ("PATCH", address),
        ("DELETE", address),
        ("POST", f"{address}/closing-days?closingDays=2026-12-24"),
        ("DELETE", f"{address}/closing-days?closingDays=2026-12-24"),
    ):
        answer = await other.request(method, path, json=[] if method == "PATCH" else None)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), method


# ------------------------------------------------------------------------------------------------------------- change


async def test_each_member_can_be_changed(api: Api) -> None:
    label = {"name": "Physical", "label": "Hos os 🏢", "order": -3}
    changes: list[tuple[str, object]] = [
        ("openingTime", "07:30:00"),
        ("closingTime", "00:00:00"),
        ("minimumBookingNotice", "2.00:00:00"),
        ("maxTimeFromBookingToMeeting", "365.00:00:00"),
        ("dailyLimitForEmployees", False),
        ("bufferBetweenMeetings", "1.00:00:00"),
        ("workingTimeBuffer", "3.08:00:00"),
        ("advisorPriority", [{"kind": "Local", "label": None, "description": "Nearby first"}]),
        ("maxTimeFromBookingToMeeting", None),
        ("maxMeetingTimePerDay", "1.00:00:00"),
        ("maxMeetingTimePerDay", None),
        ("isFilterShowTimesAsCustomerEnabled", True),
        ("meetingTypeLabels", [label, {"name": "Online", "label": "", "order": 0}]),
        ("meetingTypeLabels/0/label", "Her"),
        ("employeeLabels", [label]),
        ("extendedOpeningHoursEmail", "aften@nordlys.example"),
        ("closingDays", ["2026-12-24T00:00:00Z", "2026-12-31T00:00:00Z"]),
        ("closingDays/1", "2027-01-01T00:00:00Z"),
        ("iCalMeetingTitle", "Møde"),
        ("iCalMeetingDescription", "Linje 1\nLinje 2 "),
    ]
    for member, value in changes:
        changed = await patch(api, replace(f"/{member}", value))
        assert changed.status_code == 200, changed.text
        setting = await read(api)
        assert changed.json() == setting
        found: Any = setting
        for name in member.split("/"):
            found = found[int(name) if isinstance(found, list) else name]
        if member in {"meetingTypeLabels", "employeeLabels"}:
            assert [each.pop("localizedLabel") for each in found] == [{"en-GB": each["label"]} for each in found]
        assert found == value


async def test_a_removed_member_has_its_default_again(api: Api) -> None:
    await change(api, openingTime="10:00:00", timeZoneId=LONDON, closingDays=["2026-12-24"])
    names = ("openingTime", "closingTime", "closingDays", "iCalMeetingTitle", "timeZoneId", "timeZone")
    answer = await patch(api, *({"op": "remove", "path": f"/{name}"} for name in names))
    setting = answer.json()
    assert [setting[name] for name in names[:5]] == ["08:00:00", "17:00:00", [], "", COPENHAGEN]
    assert setting["timeZone"]["identifier"] == "Europe/Copenhagen"


async def test_what_makes_no_sense_is_refused_and_nothing_is_changed(api: Api) -> None:
    before = await read(api)
    refused: list[tuple[str, object, str]] = [
        ("/openingTime", "8", "/operations/0/value"),
        ("/openingTime", "24:30:00", "/operations/0/value"),
        ("/openingTime", "18:00:00", "/closingTime"),
        ("/closingTime", "07:59:59", "/closingTime"),
        ("/minimumBookingNotice", None, "/operations/0/value"),
        ("/maxMeetingTimePerDay", "24:00:01", "/maxMeetingTimePerDay"),
        ("/isFilterShowTimesAsCustomerEnabled", "yes", "/operations/0/value"),
        ("/meetingTypeLabels", [{"label": "Here"}], "/operations/0/value/0/name"),
        ("/meetingTypeLabels", [{"name": " "}], "/operations/0/value/0/name"),
        ("/employeeLabels", [{"name": "A", "order": 2**31}], "/operations/0/value/0/order"),
        ("/extendedOpeningHoursEmail", "nobody", "/operations/0/value"),
        ("/closingDays", ["2026-12-24", "Christmas"], "/operations/0/value/1"),
        ("/closingDays", ["2026-12-24"] * 10_001, "/operations/0/value"),
        ("/iCalMeetingTitle", "x" * 201, "/operations/0/value"),
        ("/id", UNKNOWN, "/operations/0/value"),
        ("/timeZone/displayName", "Home", "/timeZone/displayName"),
    ]
    for path, value, pointer in refused:
        answer = await patch(api, replace(path, value))
        assert answer.status_code == 400, answer.text
        assert pointers(answer) == [pointer], answer.text
    assert await read(api) == before


async def test_the_time_zone_is_set_by_its_id_or_as_an_object(api: Api) -> None:
    zone = {"id": LONDON, "identifier": "Europe/London", "displayName": "Europe/London (UTC+00:00)"}
    assert zone in (await api.get("v3/booking/config/timezones")).json()
    for path, value in (
        ("/timeZoneId", LONDON),
        ("/timeZone", zone),
        ("/timeZone", {"identifier": "Europe/London"}),
        ("/timeZone/identifier", "Europe/London"),
        ("/timeZone/id", LONDON),
    ):
        answer = await patch(api, replace(path, value))
        assert answer.status_code == 200, answer.text
        assert (answer.json()["timeZoneId"], answer.json()["timeZone"]) == (LONDON, zone), path
        await change(api, timeZoneId=COPENHAGEN)


async def test_a_time_zone_that_there_is_not_is_404_with_the_pointer(api: Api) -> None:
    for path, value in (("/timeZoneId", UNKNOWN), ("/timeZone/identifier", "Mars/Olympus"), ("/timeZone/id", UNKNOWN)):
        answer = await patch(api, replace(path, value))
        assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
        assert pointers(answer) == [path]


async def test_two_different_time_zones_are_refused(api: Api) -> None:
    answer = await patch(api, replace("/timeZoneId", LONDON), replace("/timeZone/identifier", "Europe/Paris"))
    assert (answer.status_code, pointers(answer)) == (400, ["/timeZoneId", "/timeZone/identifier"])


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    seen = {"If-Match": (await api.get(SETTINGS)).headers["ETag"]}
    assert (await patch(api, replace("/openingTime", "09:00:00"), headers=seen)).status_code == 200
    elevated = await api.of(NORDLYS, elevated=True)
    stale = [
        await patch(api, replace("/openingTime", "10:00:00"), headers=seen),
        await elevated.request("DELETE", f"{SETTINGS}/{NORDLYS_SETTING}", headers=seen),
    ]
    assert [answer.status_code for answer in stale] == [412, 412]


async def test_who_may_deletes_the_settings_and_the_defaults_hold_again(api: Api) -> None:
    await change(api, openingTime="12:00:00")
    assert (await customer_starts(api))[0] == "12:00"
    refused = await api.request("DELETE", f"{SETTINGS}/{NORDLYS_SETTING}")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    elevated = await api.of(NORDLYS, elevated=True)
    assert (await elevated.request("DELETE", f"{SETTINGS}/{NORDLYS_SETTING}")).status_code == 204
    assert (await customer_starts(api))[0] == "08:30"
    setting = await read(api)
    assert (setting["openingTime"], setting["closingTime"]) == ("08:00:00", "17:00:00")
    assert setting["id"] != NORDLYS_SETTING


# ------------------------------------------------------------------------------------------------------- closing days


async def test_closing_days_are_added_and_removed_however_often(api: Api) -> None:
    for _ in range(2):
        added = await close(api, ["2026-12-31", "2026-12-24T00:00:00Z"])
        assert added.status_code == 200, added.text
        assert added.json()["closingDays"] == ["2026-12-24T00:00:00Z", "2026-12-31T00:00:00Z"]
        assert added.json() == await read(api)
    for _ in range(2):
        removed = await close(api, "2026-12-31,2026-06-05", method="DELETE")
        assert (removed.status_code, removed.content) == (204, b"")
        assert (await read(api))["closingDays"] == ["2026-12-24T00:00:00Z"]


async def test_a_closing_day_is_the_date_as_written_at_midnight_else_the_organizations_local_date(api: Api) -> None:
    written = {
        "2026-12-01": "2026-12-01",
        "2026-12-02T00:00:00": "2026-12-02",
        "2026-12-03T00:00:00Z": "2026-12-03",
        "2026-12-04T00:00:00+14:00": "2026-12-04",
        "2026-12-05T00:00:00.0000000Z": "2026-12-05",
        "2026-12-05T23:00:00Z": "2026-12-06",  # midnight in Copenhagen
        "2026-12-06T22:59:59Z": "2026-12-06",
        "2026-12-07T12:00:00": "2026-12-07",
        "2026-12-08T01:00:00+03:00": "2026-12-07",
        "2026-06-09T22:00:00Z": "2026-06-10",  # midnight in Copenhagen, in summer
    }
    for value, day in written.items():
        answer = await close(api, value)
        assert answer.json()["closingDays"] == [f"{day}T00:00:00Z"], value
        assert (await close(api, day, method="DELETE")).status_code == 204
    assert (await read(api))["closingDays"] == []


async def test_a_patch_reads_closing_days_in_the_zone_that_it_sets(api: Api) -> None:
    evening = ["2026-12-23T23:30:00Z"]
    assert (await change(api, closingDays=evening))["closingDays"] == ["2026-12-24T00:00:00Z"]
    assert (await change(api, closingDays=evening, timeZoneId=LONDON))["closingDays"] == ["2026-12-23T00:00:00Z"]


async def test_closing_days_are_read_repeated_and_comma_separated(api: Api) -> None:
    days = ["2026-12-24", "2026-12-25", "2026-12-26"]
    expected = [f"{day}T00:00:00Z" for day in days]
    assert (await close(api, days)).json()["closingDays"] == expected
    await close(api, ",".join(days), method="DELETE")
    assert (await close(api, ",".join(days))).json()["closingDays"] == expected
    await close(api, days, method="DELETE")
    assert (await close(api, "")).json()["closingDays"] == []


async def test_closing_days_that_are_none_are_refused_with_their_pointers(api: Api) -> None:
    address = f"{SETTINGS}/{NORDLYS_SETTING}/closing-days"
    for method in ("POST", "DELETE"):
        missing = await api.request(method, address)
        assert (missing.status_code, pointers(missing)) == (400, ["/query/closingDays"])
        wrong = await close(api, ["2026-12-24", "2026-02-30"], method=method)
        assert (wrong.status_code, pointers(wrong)) == (400, ["/query/closingDays/1"])
        unknown = await api.request(method, address.replace(NORDLYS_SETTING, UNKNOWN) + "?closingDays=2026-12-24")
        assert unknown.status_code == 404


async def test_those_who_add_closing_days_at_once_lose_none(api: Api) -> None:
    days = [f"2026-12-{number:02}" for number in range(1, 11)]
    await asyncio.gather(*(close(api, day) for day in days))
    assert (await read(api))["closingDays"] == [f"{day}T00:00:00Z" for day in days]


# --------------------------------------------------------------------------------------------------------- the search


async def test_customers_are_offered_the_opening_hours_at_once(api: Api) -> None:
    assert (await customer_starts(api))[::14] == ["08:30", "15:30"]
    await change(api, openingTime="10:00:00", closingTime="12:00:00")
    assert await customer_starts(api) == ["10:00", "10:30", "11:00"]
    assert (await starts(api))[0] == "08:30"
    await change(api, closingTime="24:00:00")
    assert (await customer_starts(api))[-1] == "15:30"


async def test_nobody_is_offered_on_a_closing_day(api: Api) -> None:
    await close(api, "2026-03-03")
    assert await starts(api) == []
    await close(api, "2026-03-03", method="DELETE")
    assert await starts(api)


async def test_the_organizations_daily_limit_is_honoured_at_once(api: Api) -> None:
    await change(api, maxMeetingTimePerDay="00:59:00")
    assert await starts(api) == []
    await change(api, maxMeetingTimePerDay=None)
    assert await starts(api)


async def test_how_soon_and_how_far_ahead_customers_book_is_honoured_at_once(api: Api, clock: HandClock) -> None:
    assert clock().astimezone(ZONE).isoformat() == "2026-03-02T07:00:00+01:00"
    await change(api, minimumBookingNotice="1.05:30:00")
    assert (await customer_starts(api))[0] == "12:30"
    await change(api, maxTimeFromBookingToMeeting="1.06:00:00")
    assert await customer_starts(api) == ["12:30", "13:00"]
    assert len(await starts(api)) > 2


async def test_the_time_zone_is_honoured_at_once(api: Api) -> None:
    assert (await starts(api))[0] == "08:30"
    await change(api, timeZoneId=LONDON)
    assert (await starts(api))[0] == "09:30"  # half past eight in London


async def test_the_titles_of_calendar_files_are_honoured(api: Api) -> None:
    await change(api, iCalMeetingTitle="Møde hos os", iCalMeetingDescription="Velkommen")
    times = {"startDate": "2026-03-03T10:00:00Z", "endDate": "2026-03-03T11:00:00Z"}
    meeting = (await api.book(employeeId=ANNA, **times)).json()
    calendar = (await api.post(f"v3/booking/meetings/{meeting['id']}/ical")).text
    assert "SUMMARY:Møde hos os" in calendar
    assert "DESCRIPTION:Velkommen" in calendar
