"""Absences at the console: added for one or many, with the meetings in their time, removed and had again."""

from typing import Any

import httpx
from lxml import html

from support.console import ANNA as ANNAS_ADDRESS
from support.console import EVA, Browser, list_links, read_heading
from support.factories import Api
from support.meetings import ANNA, BO, TIMES, book

SLOTS = "v3/booking/time-slots"
ONE_DAY = {"employeeIds": [ANNA], "status": "Busy", "startDate": "2026-03-03"}
WEEKLY = ONE_DAY | {"recurrence": "WEEKLY", "days": ["TU", "TH"], "until": "2026-03-12"}


async def list_entries(api: Api) -> list[dict[str, Any]]:
    year = {"startDate": "2026-01-01T00:00Z", "endDate": "2026-12-31T00:00Z"}
    return (await api.get(SLOTS, params=year | {"status": "Busy,ExtraOpen,WorkingFromElsewhere"})).json()


def read_forms(page: httpx.Response, action: str) -> list[dict[str, Any]]:
    """Return what the forms of a page that lead to an address send when nothing is typed."""
    found: list[dict[str, Any]] = []
    for form in html.fromstring(page.text).forms:
        if (form.get("action") or "").endswith(action):
            sent: dict[str, list[str]] = {}
            for name, value in form.form_values():
                sent.setdefault(name, []).append(value)
            found.append(sent)
    return found


def read_text(page: httpx.Response) -> str:
    return " ".join(" ".join(html.fromstring(page.text).xpath("//main//text()")).split())


async def add(browser: Browser, typed: dict[str, Any]) -> httpx.Response:
    """Check what is typed, and add it."""
    checked = await browser.post("/absences/new", typed)
    assert read_heading(checked) == "Check the absence", read_text(checked)
    (form,) = read_forms(checked, "/absences/new")
    return await browser.post("/absences/new", form | {"step": ["add"]})


async def test_nothing_is_stored_before_it_was_checked(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    checked = await browser.post("/absences/new", WEEKLY | {"employeeIds": [ANNA, BO]})
    assert "This creates 8 entries for 2 people." in read_text(checked)
    assert "Every week until Thursday 12 March 2026" in read_text(checked)
    assert await list_entries(api) == []
    (form,) = read_forms(checked, "/absences/new")
    again = await browser.post("/absences/new", form | {"step": ["change"]})
    assert read_forms(again, "/absences/new")[0]["employeeIds"] == [ANNA, BO]


async def test_what_is_sent_twice_is_added_once(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    (form,) = read_forms(await browser.post("/absences/new", ONE_DAY), "/absences/new")
    for _ in range(2):
        assert "It is added." in read_text(await browser.post("/absences/new", form | {"step": ["add"]}))
    assert len(await list_entries(api)) == 1


async def test_times_with_meetings_are_left_out_when_that_is_ticked(api: Api) -> None:
    await book(api)
    browser = await Browser.open(api, EVA)
    day = TIMES["startDate"][:10]
    typed = ONE_DAY | {"startDate": day, "recurrence": "DAILY", "until": f"{day[:8]}{int(day[8:]) + 1:02}"}
    (form,) = read_forms(await browser.post("/absences/new", typed), "/absences/new")
    added = await browser.post("/absences/new", form | {"step": ["add"], "skip": ["yes"]})
    assert "It is added. 1 time overlaps with a meeting and is left out." in read_text(added)
    assert len(await list_entries(api)) == 1


async def test_whole_days_end_when_the_last_one_does(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    added = await add(browser, ONE_DAY | {"endDate": "2026-03-05"})
    assert "It is added." in read_text(added)
    (entry,) = await list_entries(api)
    assert (entry["startDate"], entry["endDate"]) == ("2026-03-02T23:00:00Z", "2026-03-05T23:00:00Z")
    assert "Tuesday 3 March to Thursday 5 March" in read_text(await browser.get("/absences"))


async def test_hours_of_a_repeated_absence_are_by_the_firms_clock(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    typed = WEEKLY | {"from": "12:00", "to": "16:30", "startDate": "2026-03-26", "until": "2026-03-31"}
    await add(browser, typed)
    found = [entry["startDate"] for entry in await list_entries(api)]
    assert found == ["2026-03-26T11:00:00Z", "2026-03-31T10:00:00Z"]
    assert "Thursday 26 March, 12:00 to 16:30" in read_text(await browser.get("/absences"))


async def test_a_location_or_a_service_group_stands_for_its_people(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    employees = (await api.get("v3/booking/config/employees")).json()
    location = next(one["location"] for one in employees if one["id"] == ANNA)
    group = (await api.get("v3/booking/config/service-groups")).json()[0]
    for chosen in ({"location": location}, {"serviceGroupId": group["id"]}):
        await add(browser, {"status": "ExtraOpen", "startDate": "2026-03-03"} | chosen)
    expected = {one["id"] for one in employees if one["location"] == location and one["active"]}
    entries = await list_entries(api)
    series = {entry["seriesId"] for entry in entries}
    assert len(series) == 2
    assert expected in [{one["employeeId"] for one in entries if one["seriesId"] == each} for each in series]


async def test_what_is_wrong_is_said_at_its_field_and_nothing_is_lost(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"employeeIds": []}, "employeeIds"),
        ({"location": "Aarhus"}, "location"),
        ({"endDate": "2026-03-01"}, "endDate"),
        ({"startDate": ""}, "startDate"),
        ({"from": "noon"}, "from"),
        ({"recurrence": "DAILY"}, "until"),
        ({"until": "2026-03-09"}, "recurrence"),
        ({"recurrence": "DAILY", "until": "2099-03-09"}, "recurrence"),
    ]
    for typed, field in wrong:
        refused = await browser.post("/absences/new", ONE_DAY | {"days": ["SU"]} | typed)
        assert refused.status_code == 422, (typed, read_text(refused))
        links = html.fromstring(refused.text).xpath("//*[@class='ds-error-summary']//a/@href")
        assert links == [f"#{field}"], (typed, links)
        assert read_forms(refused, "/absences/new")[0]["days"] == ["SU"]
    assert await list_entries(api) == []


async def test_meetings_in_the_time_are_shown_and_given_away(api: Api) -> None:
    browser, meeting = await Browser.open(api, EVA), await book(api)
    checked = await browser.post("/absences/new", ONE_DAY)
    assert "Tuesday 3 March, 10:00 to 11:00" in read_text(checked)
    meetings = await add(browser, ONE_DAY)
    assert read_heading(meetings) == "Meetings of absent people"
    (entry,) = await list_entries(api)
    given = await browser.post(f"/absences/{entry['id']}/meetings", {})
    assert "1 meeting is reassigned." in read_text(given)
    assert "No meetings are in this time." in read_text(given)
    moved = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
    assert moved["employeeId"] != ANNA
    assert moved["startDate"] == meeting["startDate"]


async def test_a_series_is_removed_and_had_again(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    await add(browser, WEEKLY | {"employeeIds": [ANNA, BO]})
    before = await list_entries(api)
    one = await browser.post(f"/absences/{before[0]['id']}/remove", {})
    assert "1 entry is removed." in read_text(one)
    await browser.post("/absences/restore", read_forms(one, "/absences/restore")[0])
    assert len(await list_entries(api)) == len(before)
    removed = await browser.post(f"/absences/{before[1]['id']}/remove", {"series": "yes"})
    assert "7 entries are removed." in read_text(removed)
    (undo,) = read_forms(removed, "/absences/restore")
    await browser.post("/absences/restore", undo)
    after = [(entry["employeeId"], entry["startDate"]) for entry in await list_entries(api) if "seriesId" in entry]
    assert sorted(after) == sorted((entry["employeeId"], entry["startDate"]) for entry in before)


async def test_the_list_is_narrowed_and_paged_by_fifty(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    rule = {"recurrence": "FREQ=DAILY;COUNT=60"}
    await api.post(SLOTS, {"employeeId": ANNA, "status": "ExtraOpen"} | TIMES | rule)
    await api.post(SLOTS, {"employeeId": BO, "status": "Busy"} | TIMES)
    first = await browser.get("/absences")
    (following,) = [link for link in list_links(first) if "after=" in link]
    rows = "//ol[contains(@class, 'absences')]/li"
    second = await browser.get(f"/absences{following}")
    assert [len(html.fromstring(page.text).xpath(rows)) for page in (first, second)] == [50, 11]
    listed = [await browser.get(f"/absences?employee={who}&kind=Busy") for who in (BO, ANNA, "")]
    assert [len(html.fromstring(page.text).xpath(rows)) for page in listed] == [1, 0, 1]
    assert "Nothing of that kind is planned." in read_text(listed[1])


async def test_what_no_form_sends_is_refused_and_never_an_error_of_ours(api: Api) -> None:
    browser, meeting = await Browser.open(api, EVA), await book(api)
    slot = meeting["timeSlotId"]
    for path, form, status in (
        ("restore", {"resource": "{"}, 400),
        ("restore", {"resource": "[]"}, 400),
        ("new", ONE_DAY | {"startDate": "9999-12-31"}, 422),
        ("new", ONE_DAY | {"status": "Reserved"}, 422),
        ("new", ONE_DAY | {"recurrence": "WEEKLY", "days": ["MO;COUNT=1"], "until": "2026-03-09"}, 422),
        ("new", ONE_DAY | {"step": "add", "key": "Ħ"}, 200),
        (f"{slot}/remove", {"series": "yes"}, 409),
    ):
        assert (await browser.post(f"/absences/{path}", form)).status_code == status, (path, form)
    assert "No meetings are in this time." in read_text(await browser.get(f"/absences/{slot}/meetings"))
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).status_code == 200


async def test_an_advisor_enters_and_removes_absences_of_their_own(api: Api) -> None:
    meeting = await book(api)
    anna = await Browser.open(api, ANNAS_ADDRESS)
    assert any(link.endswith("console/absences/new") for link in list_links(await anna.get("?whose=own")))
    form = await anna.get("/absences/new")
    assert "For whom" not in read_text(form)
    typed = {"status": "Busy", "startDate": meeting["startDate"][:10], "employeeIds": [BO]}
    added = await add(anna, typed)
    assert (read_heading(added), "Could be held by" in read_text(added)) == ("Meetings of absent people", True)
    (entry,) = await list_entries(api)
    assert entry["employeeId"] == ANNA
    listed = await anna.get("/absences")
    assert "Your own" in read_text(listed)
    removed = await anna.post(f"/absences/{entry['id']}/remove", {})
    (undo,) = read_forms(removed, "/absences/restore")
    assert await list_entries(api) == []
    assert "It has been restored." in read_text(await anna.post("/absences/restore", undo))
    assert len(await list_entries(api)) == 1


async def test_an_advisor_sees_and_touches_nobody_elses_absences(api: Api) -> None:
    eva, anna = await Browser.open(api, EVA), await Browser.open(api, ANNAS_ADDRESS)
    await add(eva, ONE_DAY | {"employeeIds": [ANNA, BO], "recurrence": "WEEKLY", "until": "2026-03-03"})
    of_bo = next(one for one in await list_entries(api) if one["employeeId"] == BO)
    assert "Bo Lind" not in read_text(await anna.get(f"/absences?employee={BO}"))
    assert (await anna.post(f"/absences/{of_bo['id']}/remove", {})).status_code == 403
    assert (await anna.get(f"/absences/{of_bo['id']}/meetings")).status_code == 403
    assert (await anna.post(f"/absences/{of_bo['id']}/meetings", {})).status_code == 403
    own = next(one for one in await list_entries(api) if one["employeeId"] == ANNA)
    assert (await anna.post(f"/absences/{own['id']}/remove", {"series": "yes"})).status_code == 403
    foreign = f'{{"status": "Busy", "startDate": "2026-03-09", "endDate": "2026-03-10", "employeeId": "{BO}"}}'
    assert (await anna.post("/absences/restore", {"resource": foreign})).status_code == 403
    assert len(await list_entries(api)) == 2


async def test_a_stored_absence_is_changed_and_leads_to_the_meetings_in_its_new_time(api: Api) -> None:
    browser = await Browser.open(api, ANNAS_ADDRESS)
    await add(browser, {"status": "Busy", "startDate": "2026-03-03"})
    (entry,) = await list_entries(api)
    path = f"/absences/{entry['id']}/change"
    assert path in " ".join(list_links(await browser.get("/absences")))
    (form,) = read_forms(await browser.get(path), path)
    assert (form["startDate"], form["endDate"], form["from"], form["to"]) == (
        ["2026-03-03"],
        ["2026-03-03"],
        [""],
        [""],
    )
    wrong = await browser.post(path, form | {"from": ["14:00"], "to": ["12:00"]})
    assert wrong.status_code == 422
    changed = await browser.post(path, form | {"endDate": ["2026-03-04"], "from": ["12:00"], "to": ["14:30"]})
    assert "It is changed." in changed.text
    assert changed.url.path.endswith("/meetings")
    (entry,) = await list_entries(api)
    assert (entry["startTime"], entry["endTime"]) == ("2026-03-03T11:00:00Z", "2026-03-04T13:30:00Z")
    (again,) = read_forms(await browser.get(path), path)
    assert (again["from"], again["to"], again["endDate"]) == (["12:00"], ["14:30"], ["2026-03-04"])
    stale = await browser.post(path, form)
    assert stale.status_code == 422
    assert "Someone else changed this in the meantime" in read_text(stale)
    extra = await browser.post(path, again | {"status": ["ExtraOpen"]})
    assert extra.url.path == "/console/absences"


async def test_advisors_change_no_absences_of_others_and_one_of_a_series_alone(api: Api) -> None:
    manager = await Browser.open(api, EVA)
    await add(manager, WEEKLY | {"employeeIds": [BO]})
    first, *others = await list_entries(api)
    path = f"/absences/{first['id']}/change"
    page = await manager.get(path)
    assert "It is one of a series" in read_text(page)
    (form,) = read_forms(page, path)
    await manager.post(path, form | {"from": ["12:00"]})
    assert {one["id"]: one for one in await list_entries(api)}.keys() == {first["id"], *(one["id"] for one in others)}
    assert [one for one in await list_entries(api) if one["id"] != first["id"]] == others
    advisor = await Browser.open(api, ANNAS_ADDRESS)
    assert (await advisor.get(path)).status_code == 403
    assert (await advisor.post(path, form)).status_code == 403
