"""The settings of the console: lists, forms, and two administrators at one thing."""

import re
from html import unescape
from typing import Any

import httpx
import pytest
from lxml import html

from meetdeck.pages.console.settings.subjects import SUBJECTS
from support.console import ANNA, EVA, SIGNE, THOMAS, Browser, read_heading, read_undo
from support.factories import Api

ORGANIZATION = "v3/booking/config/organization-settings"
ROOM = {"name": "Room 9", "capacity": "6", "features": "Screen\nWhiteboard\n", "available": "yes"}


def read_form(page: httpx.Response) -> dict[str, list[str]]:
    """Return what a page's form sends when nothing is typed."""
    form = next(one for one in html.fromstring(page.text).forms if one.get("class", "").endswith("form-fields"))
    sent: dict[str, list[str]] = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value.removeprefix("\n"))  # as browsers read a text area
    return sent


def find_key(page: httpx.Response, name: str) -> str:
    """Return the id of a row of a list."""
    (found,) = re.findall(rf'href="[^"]*/([0-9a-f-]{{36}})">{re.escape(name)}<', page.text)
    return found


def list_summary(page: httpx.Response) -> list[Any]:
    """Return the links of the summary of what is wrong."""
    return html.fromstring(page.text).xpath("//*[@class='ds-error-summary']//a")


async def list_all(api: Api, path: str) -> list[dict[str, Any]]:
    """Return what the API lists."""
    return (await api.get(path)).raise_for_status().json()


@pytest.mark.parametrize("user", [ANNA, EVA])
async def test_who_may_not_configure_sees_no_settings(api: Api, user: str) -> None:
    browser = await Browser.open(api, user)
    assert "/settings" not in (await browser.get()).text
    for answer in (await browser.get("/settings/rooms"), await browser.post("/settings/rooms/new", ROOM)):
        assert answer.status_code == 403
    assert ROOM["name"] not in {room["name"] for room in await list_all(api, "v3/booking/rooms")}


async def test_a_room_is_added_changed_deleted_and_had_again(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    listed = await browser.post("/settings/rooms/new", ROOM)
    assert "Room 9 is saved." in listed.text
    key = find_key(listed, "Room 9")
    form = read_form(await browser.get(f"/settings/rooms/{key}"))
    assert {name: form[name] for name in ROOM} == {
        "name": ["Room 9"],
        "capacity": ["6"],
        "features": ["Screen\nWhiteboard"],
        "available": ["yes"],
    }
    await browser.post(f"/settings/rooms/{key}", form | {"capacity": ["8"]})
    room = (await api.get(f"v3/booking/rooms/{key}")).json()
    assert (room["capacity"], room["features"], room["canBeBooked"]) == (8, ["Screen", "Whiteboard"], False)
    asked = await browser.post(f"/settings/rooms/{key}/delete", {})
    assert read_heading(asked) == "Delete Room 9?"
    tag = unescape(re.findall(r'name="tag" value="([^"]+)"', asked.text)[0])
    deleted = await browser.post(f"/settings/rooms/{key}/delete", {"sure": "yes", "tag": tag})
    assert (await api.get(f"v3/booking/rooms/{key}")).status_code == 404
    assert "Room 9 is deleted." in deleted.text
    again = await browser.post("/settings/rooms/undo", {})
    assert "Room 9 is as it was before." in again.text
    assert (await api.get(f"v3/booking/rooms/{key}")).json() == room


async def test_a_change_is_taken_back(api: Api) -> None:
    browser, key = await Browser.open(api, SIGNE), api.id_of("room", "Havblik")
    before = (await api.get(f"v3/booking/rooms/{key}")).json()
    form = read_form(await browser.get(f"/settings/rooms/{key}"))
    saved = await browser.post(f"/settings/rooms/{key}", form | {"capacity": ["3"], "name": ["Udsigten"]})
    assert read_undo(saved) == ["Undo"]
    undone = await browser.post("/settings/rooms/undo", {})
    assert "Havblik is as it was before." in undone.text
    assert read_undo(undone) == []
    assert (await api.get(f"v3/booking/rooms/{key}")).json() == before
    await browser.post("/settings/rooms/undo", {})
    assert (await api.get(f"v3/booking/rooms/{key}")).json() == before


async def test_a_change_over_which_somebody_has_saved_another_is_not_taken_back(api: Api) -> None:
    first, second = await Browser.open(api, SIGNE), await Browser.open(api, THOMAS)
    key = api.id_of("room", "Havblik")
    for browser, capacity in ((first, "3"), (second, "5")):
        form = read_form(await browser.get(f"/settings/rooms/{key}"))
        await browser.post(f"/settings/rooms/{key}", form | {"capacity": [capacity]})
    refused = await first.post("/settings/rooms/undo", {})
    assert refused.status_code == 409
    assert "Nothing was undone" in refused.text
    assert (await api.get(f"v3/booking/rooms/{key}")).json()["capacity"] == 5


async def test_nonsense_is_not_saved(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    room = api.id_of("room", "Havblik")
    stale = await browser.post(f"/settings/rooms/{room}", {"name": "Havblik", "capacity": "4", "tag": '"\u2603"'})
    assert stale.status_code == 412
    deleted = await browser.post(f"/settings/rooms/{room}/delete", {"sure": "yes", "tag": '"\u2603"'})
    assert deleted.status_code == 422


async def test_what_is_wrong_is_said_beside_its_field_and_on_top_and_nothing_is_lost(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    wrong = ROOM | {"name": "", "capacity": "many", "email": "nobody", "location": "Atlantis"}
    page = await browser.post("/settings/rooms/new", wrong)
    assert page.status_code == 422
    assert "Seats is a whole number, such as 8." in page.text
    assert [link.get("href") for link in list_summary(page)] == ["#name", "#capacity"]
    assert read_form(page)["features"] == [ROOM["features"]]
    page = await browser.post("/settings/rooms/new", wrong | {"name": "Room 9", "capacity": "6"})
    assert [link.get("href") for link in list_summary(page)] == ["#email"]
    assert read_form(page)["location"] == ["Atlantis"]


async def test_two_administrators_see_both_versions_and_lose_nothing(api: Api) -> None:
    first, second = await Browser.open(api, SIGNE), await Browser.open(api, SIGNE)
    listed = await first.post("/settings/rooms/new", ROOM)
    path = f"/settings/rooms/{find_key(listed, 'Room 9')}"
    mine, theirs = read_form(await first.get(path)), read_form(await second.get(path))
    await second.post(path, theirs | {"capacity": ["10"]})
    conflict = await first.post(path, mine | {"name": ["Room nine"], "capacity": ["12"]})
    assert conflict.status_code == 412
    (table,) = html.fromstring(conflict.text).xpath("//*[contains(@class, 'conflict')]//table")
    rows = [[cell.text_content() for cell in row] for row in table.xpath("./tbody/tr")]
    assert rows == [["Name", "Room nine", "Room 9"], ["Seats", "12", "10"]]
    again = read_form(conflict)
    assert (again["name"], again["capacity"]) == (["Room nine"], ["12"])
    await first.post(path, again)
    assert read_form(await first.get(path))["capacity"] == ["12"]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.slug)
async def test_each_form_shows_what_there_is_and_saving_it_changes_nothing_else(subject: Any, api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    before = await list_all(api, f"v3/{subject.list_path or subject.path}")
    for resource in before[:2]:
        path = f"/settings/{subject.slug}/{resource['id']}"
        form = read_form(await browser.get(path))
        assert (await browser.post(path, form)).url.path == f"/console/settings/{subject.slug}"
    assert await list_all(api, f"v3/{subject.list_path or subject.path}") == before
    if before:
        resource, member = before[0], subject.columns[0]
        path = f"/settings/{subject.slug}/{resource['id']}"
        form = read_form(await browser.get(path))
        await browser.post(path, form | {member: ["Another name"]})
        after = await list_all(api, f"v3/{subject.list_path or subject.path}")
        changed = next(one for one in after if one["id"] == resource["id"])
        assert changed == resource | {member: "Another name"} | {
            name: changed[name] for name in ("localizedName",) if name in changed
        }


async def test_a_form_changes_what_is_inside_another_member(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    group = (await list_all(api, "v3/booking/config/service-groups"))[0]
    path = f"/settings/service-groups/{group['id']}"
    form = read_form(await browser.get(path))
    saved = await browser.post(path, form | {"serviceLevel.priority": ["7"], "serviceLevel.bufferAfter": ["15"]})
    assert saved.url.path == "/console/settings/service-groups"
    after = (await api.get(f"v3/booking/config/service-groups/{group['id']}")).json()
    assert after["serviceLevel"] == group["serviceLevel"] | {"priority": 7, "bufferAfter": "00:15:00"}


async def test_of_many_employees_those_are_shown_that_are_chosen_or_looked_for(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    for number in range(60):
        await api.post("v3/booking/config/employees", {"name": f"Advisor {number:02}"})
    listed = await browser.get("/settings/employees")
    assert listed.text.count("<tr>") == 51
    assert "Page 1 of 2" in listed.text
    page = await browser.get("/settings/competence-groups/new")
    assert "Advisor 07" not in page.text
    found = await browser.post(
        "/settings/competence-groups/new", {"name": "New", "find:employeeIds": "advisor 0", "look": "employeeIds"}
    )
    assert found.text.count("Advisor 0") == 10
    assert read_form(found)["name"] == ["New"]


async def test_of_two_versions_of_a_large_group_only_the_members_that_differ_are_named(api: Api) -> None:
    elevated = await api.of(api.firm, elevated=True)
    people = [
        (await api.post("v3/booking/config/employees", {"name": f"Advisor {number:02}"})).json()["id"]
        for number in range(14)
    ]
    group = {"name": "Everybody", "employeeIds": people[:12]}
    key = (await elevated.post("v3/booking/config/competence-groups", group)).raise_for_status().json()["id"]
    first, second = await Browser.open(api, SIGNE), await Browser.open(api, THOMAS)
    path = f"/settings/competence-groups/{key}"
    mine, theirs = read_form(await first.get(path)), read_form(await second.get(path))
    await second.post(path, theirs | {"employeeIds": [*theirs["employeeIds"], people[12]]})
    conflict = await first.post(path, mine | {"employeeIds": [*mine["employeeIds"][1:], people[13]]})
    assert conflict.status_code == 412
    (row,) = html.fromstring(conflict.text).xpath("//section[contains(@class, 'conflict')]//tbody/tr")
    left = next(number for number, one in enumerate(people) if one == mine["employeeIds"][0])
    assert [cell.text_content() for cell in row.xpath("td")] == [
        "Advisor 13 (and 11 that are in both)",
        f"Advisor {left:02}, Advisor 12 (and 11 that are in both)",
    ]


async def test_the_organizations_rules_are_changed(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    before = (await api.get(ORGANIZATION)).json()
    form = read_form(await browser.get("/settings/organization"))
    assert "The rules are saved." in (await browser.post("/settings/organization", form)).text
    assert (await api.get(ORGANIZATION)).json() == before
    ahead = "maxTimeFromBookingToMeeting"
    assert (form[ahead], form[f"{ahead}.unit"]) == (["90"], ["days"])
    ninety_minutes = {"minimumBookingNotice": ["1.5"], "minimumBookingNotice.unit": ["hours"]}
    wrong = await browser.post("/settings/organization", form | {"openingTime": ["25:00"]})
    assert [link.get("href") for link in list_summary(wrong)] == ["#openingTime"]
    await browser.post("/settings/organization", form | {"openingTime": ["07:30"], **ninety_minutes})
    after = (await api.get(ORGANIZATION)).json()
    assert after == before | {"openingTime": "07:30:00", "minimumBookingNotice": "01:30:00"}
    conflict = await browser.post("/settings/organization", form | {"openingTime": ["06:00"]})
    assert (conflict.status_code, read_form(conflict)["openingTime"]) == (412, ["06:00"])


async def test_the_last_change_of_the_rules_is_taken_back_unless_somebody_has_changed_them_since(api: Api) -> None:
    first, second = await Browser.open(api, SIGNE), await Browser.open(api, THOMAS)
    before = (await api.get(ORGANIZATION)).json()
    form = read_form(await first.get("/settings/organization"))
    assert read_undo(await first.post("/settings/organization", form)) == []
    saved = await first.post(
        "/settings/organization", form | {"openingTime": ["07:30"], "bufferBetweenMeetings": ["5"]}
    )
    assert read_undo(saved) == ["Undo"]
    undone = await first.post("/settings/organization/undo", {})
    assert "Everything is as it was before." in undone.text
    assert (await api.get(ORGANIZATION)).json() == before
    for browser, opening in ((first, "07:00"), (second, "06:00")):
        form = read_form(await browser.get("/settings/organization"))
        await browser.post("/settings/organization", form | {"openingTime": [opening]})
    refused = await first.post("/settings/organization/undo", {})
    assert (refused.status_code, read_form(refused)["openingTime"]) == (409, ["06:00"])
    assert "Nothing was undone." in refused.text


async def test_days_of_a_year_are_closed_and_opened_again(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)

    async def list_closed() -> list[str]:
        return [day[:10] for day in (await api.get(ORGANIZATION)).json()["closingDays"]]

    before = await list_closed()
    page = await browser.post(
        "/settings/closing-days", {"year": "2031", "closed": ["2031-12-24", "2031-12-31", "no day"]}
    )
    assert re.findall(r'value="([0-9-]+)" checked', page.text) == ["2031-12-24", "2031-12-31"]
    both = ["2031-12-24", "2031-12-31"]
    saved = await browser.post("/settings/closing-days", {"year": "2031", "was": both, "closed": both[1:]})
    assert sorted(await list_closed()) == sorted([*before, "2031-12-31"])
    assert read_undo(saved) == ["Undo"]
    undone = await browser.post("/settings/closing-days/undo", {})
    assert "Everything is as it was before." in undone.text
    assert sorted(await list_closed()) == sorted([*before, *both])
    assert read_undo(await browser.post("/settings/closing-days", {"year": "2031", "was": both, "closed": both})) == []


async def test_a_year_is_closed_on_the_public_holidays_of_a_country_with_one_click(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)

    async def list_closed() -> set[str]:
        return {day[:10] for day in (await api.get(ORGANIZATION)).json()["closingDays"] if day.startswith("2031")}

    before = await list_closed()
    for country, day, name in (
        ("DK", "2031-04-10", "Maundy Thursday"),
        ("NO", "2031-05-17", "Constitution Day"),
        ("SE", "2031-06-06", "National Day"),
        ("DE", "2031-10-03", "German Unity Day"),
        ("GB", "2031-12-26", "Boxing Day"),
    ):
        saved = await browser.post("/settings/closing-days/holidays", {"year": "2031", "country": country})
        assert day in await list_closed()
        assert name in saved.text
        assert read_undo(saved) == ["Undo"]
        await browser.post("/settings/closing-days/undo", {})
        assert await list_closed() == before
    nowhere = await browser.post("/settings/closing-days/holidays", {"year": "1", "country": "XX"})
    assert (nowhere.status_code, await list_closed()) == (200, before)


async def test_undoing_leaves_the_days_that_somebody_else_has_closed(api: Api) -> None:
    first, second = await Browser.open(api, SIGNE), await Browser.open(api, THOMAS)
    await second.post("/settings/closing-days", {"year": "2031", "closed": ["2031-12-31"]})
    await first.post("/settings/closing-days", {"year": "2031", "closed": ["2031-12-24", "2031-12-31"]})
    undone = await first.post("/settings/closing-days/undo", {})
    assert re.findall(r'value="([0-9-]+)" checked', undone.text) == ["2031-12-31"]


async def test_a_danish_page_says_what_a_thing_is_used_by_at_the_firms_clock(api: Api) -> None:
    browser, anna = await Browser.open(api, SIGNE), api.id_of("employee", "Anna Holm")
    browser.http.headers["Accept-Language"] = "da"
    asked = await browser.post(f"/settings/employees/{anna}/delete", {})
    tag = unescape(re.findall(r'name="tag" value="([^"]+)"', asked.text)[0])
    refused = await browser.post(f"/settings/employees/{anna}/delete", {"sure": "yes", "tag": tag})
    shown = " ".join(html.fromstring(refused.text).text_content().split())
    assert "bruges af" in shown
    assert "is in use by" not in shown
    assert "kl. 09.00" in shown
    assert re.search(r'href="[^"]*console/calendar/meetings/[0-9a-f-]{36}">Annual review', refused.text)


async def test_an_employees_page_leads_to_hours_groups_absences_and_meetings(api: Api) -> None:
    browser, anna = await Browser.open(api, THOMAS), str(api.id_of("employee", "Anna Holm"))
    absence = {
        "employeeId": anna,
        "status": "Busy",
        "startDate": "2026-04-01T00:00:00",
        "endDate": "2026-04-02T00:00:00",
    }
    (await api.post("v3/booking/time-slots", absence)).raise_for_status()
    groups = (await api.get(f"v3/booking/config/competence-groups/employee/{anna}")).json()
    page = html.fromstring((await browser.get(f"/settings/employees/{anna}")).text)
    (hub,) = page.xpath("//section[contains(@class, 'hub')]")
    told = " ".join(hub.text_content().split())
    assert "08:30 to 16:30" in told
    assert "The next: Wednesday 1 April" in told
    assert "in the next 7 days" in told
    links = [link.rpartition("console/")[2] for link in hub.xpath(".//a/@href")]
    wanted = {f"hours/{anna}", f"absences?employee={anna}", f"calendar?whose=employee.{anna}", f"book?employee={anna}"}
    assert wanted | {f"settings/competence-groups/{one['id']}" for one in groups} <= {*links}
    assert groups
    for link in links:
        assert (await browser.get(f"/{link}")).status_code == 200, link
