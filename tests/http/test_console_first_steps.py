"""The first steps of a firm that begins, and an employee's page as the way to all that belongs to them."""

from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.console import ANNA, SIGNE, THOMAS, Browser
from support.factories import Api

LATER = ("2026-03-04T09:00:00Z", "2026-03-04T10:00:00Z")


def _list_steps(text: str) -> list[tuple[bool, str]]:
    """Return which steps are done, and the address of each one's button."""
    steps = html.fromstring(text).xpath("//section[contains(@class, 'first-steps')]//li")
    return [(step.get("class") == "done", "".join(step.xpath(".//a/@href"))) for step in steps]


async def _empty(database: Database, *tables: str) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        for table in tables:
            await connection.execute(f"delete from {table}")  # noqa: S608 - our own names


async def test_a_firm_in_which_nothing_was_booked_sees_what_is_still_to_do(api: Api, database: Database) -> None:
    browser = await Browser.open(api, THOMAS)
    assert _list_steps((await browser.get()).text) == []
    await _empty(database, "meeting")
    steps = _list_steps((await browser.get()).text)
    assert [done for done, _ in steps] == [True, True, True, True, False]
    assert steps[4][1].endswith("p/nordlys")
    await _empty(database, "portal")
    steps = _list_steps((await browser.get()).text)
    assert [done for done, _ in steps] == [True, True, True, False, False]
    assert steps[3][1].endswith("console/settings/portals/new")
    for done, address in steps[:4]:
        path = address.partition("console")[2]
        assert (await browser.get(path)).status_code == 200, (done, address)
    assert _list_steps((await (await Browser.open(api, ANNA)).get()).text) == []


async def test_an_example_is_loaded_booked_and_removed_without_a_trace(api: Api, database: Database) -> None:
    browser = await Browser.open(api, THOMAS)
    assert "Remove the example" not in (await browser.get()).text
    kinds = ("employees", "meeting-topics", "portals")
    before = [(await api.get(f"v3/booking/config/{kind}")).json() for kind in kinds]
    await _empty(database, "meeting")
    assert "Load an example" in (await browser.get()).text
    loaded = await browser.post("/example", {})
    assert "Remove the example" in loaded.text
    assert "Load an example" not in loaded.text
    await browser.post("/example", {})
    lists = [(await api.get(f"v3/booking/config/{kind}")).json() for kind in kinds]
    added = [[one for one in now if one not in was] for was, now in zip(before, lists, strict=True)]
    assert [len(one) for one in added] == [2, 2, 1], "also when it is loaded twice"
    portal = added[2][0]["id"]
    page = await api.http.get(f"/p/{portal}?topic={added[1][0]['id']}&type=online", headers={"Accept-Language": "en"})
    assert page.text.count('name="time"') > 10, "there are times at once"
    booked = await api.book(employeeId=added[0][0]["id"], type="Online", startDate=LATER[0], endDate=LATER[1])
    assert booked.status_code == 201, booked.text
    removed = await browser.post("/example/remove", {})
    assert "Remove the example" not in removed.text
    assert [(await api.get(f"v3/booking/config/{kind}")).json() for kind in kinds] == before


async def test_a_new_employees_page_leads_to_all_that_belongs_to_them(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    saved = await browser.post("/settings/employees/new", {"name": "Ny Rådgiver", "active": "yes"})
    page = html.fromstring(saved.text)
    assert "Ny Rådgiver is saved." in saved.text
    links = page.xpath("//section[contains(@class, 'hub')]//a/@href")
    assert len(links) >= 7
    for link in links:
        assert (await browser.get(link.partition("console")[2])).status_code == 200, link


async def test_mondays_hours_are_taken_for_the_other_workdays(api: Api) -> None:
    browser, anna = await Browser.open(api, SIGNE), api.firm.id_of("employee", "Anna Holm")
    page = html.fromstring((await browser.get(f"/hours/{anna}")).text)
    form = dict(next(one for one in page.forms if "week" in one.get("class", "")).form_values())
    copied = await browser.post(f"/hours/{anna}", form | {"Monday.0.from": "10:00", "copy": "Monday"})
    shown = html.fromstring(copied.text)
    days = ("Tuesday", "Friday", "Saturday")
    starts = [shown.xpath(f"string(//input[@name='{day}.0.from']/@value)") for day in days]
    assert starts == ["10:00", "10:00", ""]
    listed = (await api.get("v3/booking/config/employee-schedules")).json()
    (stored,) = [one for one in listed if one["employeeId"] == str(anna)]
    assert stored["workdays"][1]["from"] == "08:30:00"  # nothing is saved yet


async def test_pages_of_a_firm_without_employees_say_what_is_missing_and_lead_there(
    api: Api, database: Database
) -> None:
    """Also for an advisor, whose role adds nobody: the page says why it is empty, without a button."""
    tables = ("meeting", "wish", "time_slot", "employee_schedule", "employee", "room", "document_rule", "template")
    browser, advisor = await Browser.open(api, THOMAS), await Browser.open(api, ANNA)
    await _empty(database, *tables)
    for path, words, button in (
        ("/calendar", "There is nobody yet", "settings/employees/new"),
        ("/calendar/why", "There is nobody yet", "settings/employees/new"),
        ("/hours", "There is no employee yet", "settings/employees/new"),
        ("/templates", "There is no template yet", "templates/upload"),
        ("/decks", "There is no template yet", "templates/upload"),
    ):
        page = await browser.get(path)
        (panel,) = html.fromstring(page.text).xpath("//main//div[contains(@class, 'nothing')]")
        assert words in panel.text_content(), path
        assert panel.xpath(".//a/@href")[0].endswith(button)
        assert not html.fromstring((await advisor.get(path)).text).xpath("//main//div[@class='nothing panel']//a")
    await _empty(database, "competence_group")
    groups = html.fromstring((await browser.get("/settings/competence-groups")).text)
    (add,) = groups.xpath("//main//div[contains(@class, 'nothing')]//a/@href")
    assert add.endswith("settings/competence-groups/new")
