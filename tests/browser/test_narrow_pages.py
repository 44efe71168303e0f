"""Pages with the longest days and names there are: nobody scrolls sideways on a phone, or at four times the size."""

from collections.abc import Generator
from datetime import UTC, date, datetime, time, timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from meetdeck.booking.localization.dates import show_date
from meetdeck.demo.firm import FJORD
from meetdeck.platform.process import clock
from support.accessibility import list_wide_sizes
from support.console_browser import sign_in
from support.portal_sites import Site
from support.whole_pages import WholePages

ADMIN = "viggo@fjord.example"
LONG_NAME = "Maximiliane Wolfeschlegelsteinhausenbergerdorff-Kristiansdatter af Rosenkrantz"
IDA, RETIREMENT = FJORD.id_of("employee", "Ida Bech"), FJORD.id_of("topic", "Retirement")
UNBROKEN = "Pensionsforsikringsrådgivningsvejledningsmøde"
LOCALES = {"en": "en-GB", "da": "da-DK"}
PAGES = {
    "calendar": "/calendar",
    "a day": "/calendar?view=day",
    "absences": "/absences",
    "waiting list": "/wishes",
    "free times": "/book?type=Online",
    "hours": "/hours",
    "reports": "/reports?by=day",
    "forecast": "/reports/forecast",
    "audit log": "/audit-log",
    "an absence": "/absences/new",
    "a wish": "/wishes/new",
    "employees": "/settings/employees",
    "an employee": f"/settings/employees/{IDA}",
    "a topic": f"/settings/topics/{RETIREMENT}",
    "a group": "/settings/service-groups/new",
    "a portal": "/settings/portals/new",
    "topics": "/settings/topics",
    "closing days": "/settings/closing-days",
    "connections": "/connections",
    "webhooks": "/settings/webhooks",
    "keys": "/settings/keys",
}


def find_longest_day(language: str, today: date) -> date:
    """Return the day of the coming months that is written with the most letters."""
    days = [today + timedelta(days=number) for number in range(2, 350)]
    return max((day for day in days if day.weekday() < 5), key=lambda day: len(show_date(day, language)))


@pytest.fixture(scope="module")
def meetings(site: Site) -> dict[str, tuple[str, date]]:
    """Book a customer with a long name on the longest day of each language, and tomorrow; return the ids and days."""
    employee = site.other.get(f"config/employees/{IDA}").raise_for_status().json()
    site.other.put(f"config/employees/{IDA}", json=employee | {"name": LONG_NAME}).raise_for_status()
    change = [{"op": "replace", "path": "/name", "value": UNBROKEN}]
    site.other.patch(f"config/meeting-topics/{RETIREMENT}", json=change).raise_for_status()
    today = clock.now().date()
    days = {language: find_longest_day(language, today) for language in LOCALES} | {"": today + timedelta(days=1)}
    booked = dict[str, tuple[str, date]]()
    for hour, (language, day) in enumerate(days.items(), start=9):  # two languages may have one day
        begin = datetime.combine(day, time(hour), UTC)
        body = {
            "startDate": begin.isoformat(),
            "endDate": (begin + timedelta(hours=1)).isoformat(),
            "employeeId": str(IDA),
            "topicId": str(RETIREMENT),
            "customerId": "C-1",
            "type": "Online",
            "title": f"{UNBROKEN} {LONG_NAME}",
            "externalAttendees": [{"name": LONG_NAME, "email": f"{'wolfe' * 8}@customers.fjord.example"}],
        }
        answer = site.other.post("meetings", json=body)
        assert answer.is_success, answer.text
        booked[language] = answer.json()["id"], day
    return booked


@pytest.fixture(scope="module", params=[pytest.param(name, marks=pytest.mark.thorough) for name in ("en", "da")])
def staff_of(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Generator[tuple[str, BrowserContext]]:
    """Lend a language, and the admin of the firm with the long names in it; Danish words are the longer ones."""
    context = browser.new_context(locale=LOCALES[request.param])
    sign_in(context.new_page(), site, user=ADMIN)
    yield request.param, context
    context.close()


def test_nobody_scrolls_sideways_at_the_console(
    staff_of: tuple[str, BrowserContext], site: Site, meetings: dict[str, tuple[str, date]]
) -> None:
    language, staff = staff_of
    page = staff.new_page()
    shown = WholePages(page)
    meeting, day = meetings[language]
    pages = {**PAGES, "overview": "", "a meeting": f"/calendar/meetings/{meeting}", "find": f"/find?q=Wolfe&from={day}"}
    wide = dict[str, list[str]]()
    for name, path in pages.items():
        answer = shown.open(f"{site.address}/console{path}")
        assert answer is not None
        assert answer.ok, name
        if found := list_wide_sizes(page):
            wide[name] = found
    assert wide == {}
    expect(page.locator(".found-meetings .when").first).to_contain_text(show_date(day, language))
    page.close()


@pytest.mark.usefixtures("meetings")
@pytest.mark.parametrize("language", LOCALES)
def test_nobody_scrolls_sideways_at_a_portal(language: str, browser: Browser, site: Site) -> None:
    context = browser.new_context(locale=LOCALES[language])
    page = context.new_page()
    page.goto(site.make_portal(f"narrow-{language}", api=site.other, name=LONG_NAME))
    wide = {"topics": list_wide_sizes(page)}
    page.get_by_role("link", name={"en": UNBROKEN, "da": "Livet som pensionist"}[language]).click()
    page.get_by_role("listitem").get_by_role("link").first.click()
    page.get_by_role("heading", level=2).first.wait_for()
    wide["times"] = list_wide_sizes(page)
    context.close()
    assert wide == {"topics": [], "times": []}
