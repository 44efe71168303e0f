"""Working hours at the console: a week with several hours a day, by managers."""

from typing import Any

import httpx
from lxml import html

from support.console import ANNA, EVA, THOMAS, Browser, read_undo
from support.factories import Api


def read_week(page: httpx.Response) -> dict[str, list[str]]:
    """Return what the form of a week sends when nothing is typed."""
    form = next(one for one in html.fromstring(page.text).forms if "week" in one.get("class", ""))
    sent: dict[str, list[str]] = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value)
    return sent


async def find_schedule(api: Api, employee_id: object) -> dict[str, Any]:
    """Return the schedule of an employee."""
    listed = (await api.get("v3/booking/config/employee-schedules")).json()
    return next(one for one in listed if one["employeeId"] == str(employee_id))


async def test_hours_are_added_to_a_day_and_removed_from_another(api: Api) -> None:
    browser, anna = await Browser.open(api, EVA), api.firm.id_of("employee", "Anna Holm")
    before = await find_schedule(api, anna)
    form = read_week(await browser.get(f"/hours/{anna}"))
    assert form["Monday.0.from"] == ["08:30"]
    saved = await browser.post(f"/hours/{anna}", form)
    assert "The hours of Anna Holm are saved." in saved.text
    assert await find_schedule(api, anna) == before
    more = {"Monday.1.from": ["18:00"], "Monday.1.to": ["20:00"], "Monday.1.types": ["Online"]}
    await browser.post(f"/hours/{anna}", form | more | {"Friday.0.from": [""], "Friday.0.to": [""]})
    after = (await find_schedule(api, anna))["workdays"]
    assert [(one["from"], one["to"]) for one in after if one["dayOfWeek"] == "Monday"] == [
        ("08:30:00", "16:30:00"),
        ("18:00:00", "20:00:00"),
    ]
    assert "Friday" not in {one["dayOfWeek"] for one in after}


async def test_what_is_wrong_with_hours_is_said_at_their_row_and_nothing_is_lost(api: Api) -> None:
    browser, anna = await Browser.open(api, EVA), api.firm.id_of("employee", "Anna Holm")
    form = read_week(await browser.get(f"/hours/{anna}"))
    for wrong, where in (({"Tuesday.0.to": [""]}, "Tuesday.0.to"), ({"Tuesday.0.to": ["07:00"]}, "Tuesday.0.from")):
        refused = await browser.post(f"/hours/{anna}", form | wrong)
        assert refused.status_code == 422
        (link,) = html.fromstring(refused.text).xpath("//*[@class='ds-error-summary']//a")
        assert link.get("href") == f"#{where}"
        assert read_week(refused)["Tuesday.0.from"] == ["08:30"]


async def test_somebody_elses_change_is_shown_and_may_be_saved_over(api: Api) -> None:
    first, second = await Browser.open(api, EVA), await Browser.open(api, THOMAS)
    anna = api.firm.id_of("employee", "Anna Holm")
    mine, theirs = read_week(await first.get(f"/hours/{anna}")), read_week(await second.get(f"/hours/{anna}"))
    await second.post(f"/hours/{anna}", theirs | {"Monday.0.from": ["10:00"]})
    conflict = await first.post(f"/hours/{anna}", mine | {"Monday.0.from": ["07:00"]})
    assert conflict.status_code == 412
    assert "Monday: 10:00\N{EN DASH}16:30" in conflict.text
    await first.post(f"/hours/{anna}", read_week(conflict))
    assert (await find_schedule(api, anna))["workdays"][0]["from"] == "07:00:00"


async def test_the_last_change_of_a_week_is_taken_back(api: Api) -> None:
    browser, anna = await Browser.open(api, EVA), api.firm.id_of("employee", "Anna Holm")
    before = await find_schedule(api, anna)
    form = read_week(await browser.get(f"/hours/{anna}"))
    assert read_undo(await browser.post(f"/hours/{anna}", form)) == []
    limit = {"maxMeetingTimePerDay": ["90"], "maxMeetingTimePerDay.unit": ["minutes"]}
    changed = form | {"Friday.0.from": [""], "Friday.0.to": [""], "canBeBooked": []} | limit
    saved = await browser.post(f"/hours/{anna}", changed)
    assert await find_schedule(api, anna) != before
    assert read_undo(saved) == ["Undo"]
    undone = await browser.post("/hours/undo", {})
    assert "Everything is as it was before." in undone.text
    assert await find_schedule(api, anna) == before
    assert read_undo(undone) == []


async def test_a_week_that_somebody_else_has_changed_since_stays(api: Api) -> None:
    first, second = await Browser.open(api, EVA), await Browser.open(api, THOMAS)
    anna = api.firm.id_of("employee", "Anna Holm")
    for browser, begin in ((first, "10:00"), (second, "09:00")):
        form = read_week(await browser.get(f"/hours/{anna}"))
        await browser.post(f"/hours/{anna}", form | {"Monday.0.from": [begin]})
    refused = await first.post("/hours/undo", {})
    assert refused.status_code == 409
    assert "Nothing was undone." in refused.text
    assert (await find_schedule(api, anna))["workdays"][0]["from"] == "09:00:00"


async def test_an_employee_may_not_open_them(api: Api) -> None:
    assert (await (await Browser.open(api, ANNA)).get("/hours")).status_code == 403


async def test_a_change_of_hours_is_a_sentence_of_the_audit_log(api: Api) -> None:
    eva, thomas = await Browser.open(api, EVA), await Browser.open(api, THOMAS)
    anna = api.firm.id_of("employee", "Anna Holm")
    form = read_week(await eva.get(f"/hours/{anna}"))
    await eva.post(f"/hours/{anna}", form | {"Monday.0.from": ["09:00"]})
    newest = html.fromstring((await thomas.get("/audit-log")).text).xpath("//ol[contains(@class, 'audit')]/li")[0]
    told = " ".join(newest.text_content().replace("\u2013", " to ").split())
    assert "Eva Sand changed the hours of Anna Holm: Monday 08:30 to 16:30 → 09:00 to 16:30" in told
