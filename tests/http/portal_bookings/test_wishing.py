"""Customers who found no time leave a wish on a portal's page, and take or decline what they are offered by mail."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from meetdeck.messages.carriers.kept import KeptMail, list_mails
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor, list_meetings, reach_times
from support.renderers import BlankPages
from support.rooms import keep_a_room_for_two
from support.working import work

pytestmark = pytest.mark.usefixtures("no_meetings")

ANNA = str(NORDLYS.id_of("employee", NORDLYS.advisors[0].name))
REVIEW = str(NORDLYS.id_of("topic", "Annual review"))
PHONE = "+45 70 10 20 30"
NEVER = "2199-01-01"
WISHES = "v3/booking/wishes"
Json = dict[str, Any]


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages()


class Firm:
    """A firm in which Anna has a meeting, on which somebody waits; its worker works when the test says so."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self.api = api
        self.services = services
        self.clock = clock
        self.meeting_id = ""

    async def be_busy(self, starts_at: datetime = TUESDAY_AT_TEN) -> None:
        times = {"startDate": starts_at, "endDate": starts_at + timedelta(hours=1)}
        booked = await self.api.book(employeeId=ANNA, type="Online", **{k: v.isoformat() for k, v in times.items()})
        assert booked.status_code == 201, booked.text
        self.meeting_id = booked.json()["id"]

    async def cancel(self) -> None:
        assert (await self.api.request("DELETE", f"v3/booking/meetings/{self.meeting_id}")).is_success
        await self.work()

    async def work(self) -> None:
        for _ in range(3):
            await work(self.services, self.clock)

    async def mails(self, to: str) -> list[KeptMail]:
        async with self.services.database.outside_tenants() as connection:
            return [
                mail for mail in (await list_mails(connection))[::-1] if mail.to == [to] and "A time" in mail.subject
            ]

    async def link(self, to: str, kind: str) -> str:
        """Return the way to a link of the last mail to somebody: `o` of the offer, `w` of the wish."""
        mail = (await self.mails(to))[-1]
        (path,) = set(re.findall(rf"/p/ours(/{kind}/[\w-]+)", mail.text))
        assert f"/p/ours{path}" in mail.html
        return path


@pytest_asyncio.fixture
async def firm(api: Api, services: Services, clock: HandClock) -> Firm:
    firm = Firm(api, services, clock)
    await firm.work()
    await firm.be_busy()
    await firm.work()
    return firm


async def leave_wish(visitor: FormVisitor, clock: HandClock, email: str = "freja@example.com", **typed: str) -> str:
    """Come from a day without free times to the waiting list; return the address of the wish's own page."""
    await visitor.open(topic=REVIEW, type="online", advisor=ANNA, date=NEVER)
    assert "There are no free times." in visitor.text
    await visitor.follow("Join the waiting list")
    clock.advance(seconds=10)
    await visitor.press("Join the waiting list", **({"Your name": "Freja Holm", "Your e-mail": email} | typed))
    return str(visitor.answer.url).partition("/p/ours")[2].partition("?")[0]


async def test_who_found_no_time_is_offered_the_next_that_is_free_and_books_it(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    await leave_wish(visitor, clock, **{"from": "2026-03-02", "to": "2026-03-04"})
    assert visitor.heading == "You are on the waiting list"
    assert "Thank you. We will write to you." in visitor.text
    assert "Monday 2 March to Wednesday 4 March" in visitor.text
    (wish,) = (await firm.api.get(WISHES)).json()
    assert (wish["topicId"], wish["meetingTypes"], wish["employeeIds"]) == (REVIEW, ["Online"], [ANNA])
    assert (wish["from"], wish["to"]) == ("2026-03-01T23:00:00Z", "2026-03-04T23:00:00Z")
    assert (wish["name"], wish["email"], wish["language"]) == ("Freja Holm", "freja@example.com", "en-GB")

    await firm.cancel()
    link = await firm.link("freja@example.com", "o")
    await visitor.open(link)
    assert (visitor.status, visitor.heading) == (200, "A time for you")
    assert "Tuesday 3 March, 10:00 to 11:00" in visitor.text
    assert "set-cookie" not in visitor.answer.headers
    clock.advance(minutes=14)
    await visitor.press("Book this time")
    assert (visitor.status, await list_meetings(firm.api)) == (400, [])
    assert "Fill in “Telephone”." in visitor.text
    await visitor.press("Book this time", Telephone=PHONE)
    assert visitor.heading == "Your meeting is booked"
    (meeting,) = await list_meetings(firm.api)
    assert (meeting["startDate"], meeting["employeeId"]) == ("2026-03-03T09:00:00Z", ANNA)
    assert meeting["externalAttendees"][0]["name"] == "Freja Holm"
    assert {"key": "phone", "value": PHONE} in meeting["customFields"]
    for path in (link, await firm.link("freja@example.com", "w")):
        assert (await visitor.open(path)).heading == "Your meeting", path


async def test_what_is_offered_in_a_branch_with_a_room_for_two_can_be_booked(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    await keep_a_room_for_two(firm.api)
    await visitor.open(topic=REVIEW, type="physical", place="Aarhus", advisor=ANNA, date=NEVER)
    await visitor.follow("Join the waiting list")
    clock.advance(seconds=10)
    await visitor.press("Join the waiting list", **{"Your name": "Freja Holm", "Your e-mail": "freja@example.com"})
    await firm.cancel()
    await visitor.open(await firm.link("freja@example.com", "o"))
    await visitor.press("Book this time", Telephone=PHONE)
    assert visitor.heading == "Your meeting is booked", visitor.text
    (meeting,) = await list_meetings(firm.api)
    assert meeting["roomId"] == str(NORDLYS.id_of("room", "Havblik"))


async def test_a_time_that_is_declined_goes_to_the_next_at_once_and_the_wish_stands(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    await leave_wish(visitor, clock)
    clock.advance(seconds=1)
    await leave_wish(visitor, clock, "bo@example.com")
    await firm.cancel()
    link = await firm.link("freja@example.com", "o")
    await visitor.open(f"{link}/decline")
    assert visitor.heading == "A time for you", "GET shows, only POST acts"
    await visitor.press("No, thanks")
    assert (visitor.status, visitor.heading) == (200, "You declined this time")
    await firm.work()
    await visitor.open(await firm.link("bo@example.com", "o"))
    assert (visitor.status, visitor.heading) == (200, "A time for you")
    await visitor.open(link)
    assert (visitor.status, visitor.heading) == (410, "This time is no longer held")
    statuses = {one["email"]: one["status"] for one in (await firm.api.get(WISHES)).json()}
    assert statuses == {"freja@example.com": "Waiting", "bo@example.com": "Offered"}


async def test_a_time_that_nobody_took_is_410_with_kind_words_and_the_wish_stands(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    await leave_wish(visitor, clock)
    await firm.cancel()
    link = await firm.link("freja@example.com", "o")
    await visitor.open(link)
    clock.advance(minutes=15)
    await visitor.press("Book this time", Telephone=PHONE)
    assert (visitor.status, visitor.heading) == (410, "This time is no longer held")
    assert "You stay on the waiting list until" in visitor.text
    assert await list_meetings(firm.api) == []
    await visitor.follow("Your place on the waiting list")
    assert visitor.heading == "You are on the waiting list"


async def test_the_link_of_an_old_mail_does_not_open_a_newer_offer(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    await leave_wish(visitor, clock)
    await firm.cancel()
    old = await firm.link("freja@example.com", "o")
    clock.advance(minutes=15)
    await firm.work()
    await firm.be_busy(TUESDAY_AT_TEN + timedelta(days=1))
    await firm.cancel()
    new = await firm.link("freja@example.com", "o")
    await visitor.open(new)
    assert (visitor.status, "Wednesday 4 March" in visitor.text) == (200, True)
    await visitor.open(old)
    assert (visitor.status, visitor.heading) == (410, "This time is no longer held")


async def test_a_wish_is_withdrawn_by_the_link_of_the_mail_and_its_time_goes_on(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    await leave_wish(visitor, clock)
    await firm.cancel()
    offer, wish = await firm.link("freja@example.com", "o"), await firm.link("freja@example.com", "w")
    await visitor.open(f"{wish}/withdraw")
    assert len((await firm.api.get(WISHES)).json()) == 1, "GET shows, only POST acts"
    await visitor.press("Leave the waiting list")
    assert visitor.heading == "You have left the waiting list"
    assert (await firm.api.get(WISHES)).json() == []
    assert (await firm.api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201
    for path in (offer, wish):
        await visitor.open(path)
        assert (visitor.status, visitor.heading) == (410, "You are no longer on the waiting list")


async def test_what_is_wrong_with_a_wish_is_said_beside_its_fields_and_what_was_typed_is_kept(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    wrong = {"from": "2026-03-09", "to": "2026-03-08", "Your e-mail": "nobody"}
    await leave_wish(visitor, clock, **wrong)
    assert (visitor.status, visitor.heading) == (400, "Join the waiting list")
    said = [each.get("id") for each in visitor.page.find_class("ds-validation-message")]
    assert said == ["to-error", "email-error"]
    assert (visitor.inputs("name"), visitor.inputs("to")) == (["Freja Holm"], ["2026-03-08"])
    for typed in (
        {"name": "Fre\x00ja"},
        {"location": "\x00"},
        {"to": "soon"},
        {"to": "9999-12-31"},
        {"to": "9999-12-31", "from": "9999-12-31"},
        {"from": ""},
    ):
        await leave_wish(visitor, clock, **typed)
        assert visitor.status == (200 if "location" in typed else 400), typed
    assert [one["location"] for one in (await api.get(WISHES)).json()] == [""]


async def test_a_form_sent_twice_leaves_one_wish_and_programs_leave_none(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await visitor.open("/wish", topic=REVIEW)
    person = {"name": "Freja", "email": "freja@example.com"}
    form = dict(visitor.page.forms[-1].form_values()) | person
    for more, seconds in (({}, 0), ({"website": "https://example.com"}, 9), ({"wish": "made-up"}, 0)):
        clock.advance(seconds=seconds)
        refused = await api.http.post("/p/ours/wish", data=form | {"website": ""} | more)
        assert refused.status_code == 400, more
    answers = [await api.http.post("/p/ours/wish", data=form) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    address = answers[0].headers["location"]
    assert address == answers[1].headers["location"]
    assert "freja" not in address.lower()
    assert len((await api.get(WISHES)).json()) == 1


async def test_the_waiting_list_speaks_danish(api: Api, portal: Json, clock: HandClock) -> None:
    del portal
    visitor = FormVisitor(api.http, "ours", "da")
    await visitor.open(topic=REVIEW, type="online", date=NEVER)
    await visitor.follow("Skriv dig på venteliste")
    clock.advance(seconds=10)
    await visitor.press("Join the waiting list", name="Freja", email="freja@example.com")
    assert visitor.heading == "Du står på ventelisten"


async def test_no_wish_is_left_where_customers_sign_in_and_no_link_is_anothers(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    page = await leave_wish(visitor, clock)
    for body in ({"address": "other", "authenticationType": "Anonymous"}, {"address": "known"}):
        assert (await firm.api.post("v3/config/portals", {"name": "Other"} | body)).status_code == 201
    other, known = FormVisitor(firm.api.http, "other"), FormVisitor(firm.api.http, "known")
    assert (await other.open(page)).status == 404
    assert (await known.open("/wish", topic=REVIEW)).status == 404
    await known.open(topic=REVIEW, type="online", date=NEVER)
    assert "Join the waiting list" not in known.text
    assert (await visitor.open(page.replace("/w/", "/o/"))).status == 404, "a wish's token opens no offer"


async def test_a_wish_outlives_its_portal_and_its_mail_then_leads_nowhere(
    firm: Firm, visitor: FormVisitor, portal: Json, clock: HandClock
) -> None:
    await leave_wish(visitor, clock)
    assert [one["portalId"] for one in (await firm.api.get(WISHES)).json()] == [portal["id"]]
    assert (await firm.api.request("DELETE", f"v3/config/portals/{portal['id']}")).is_success
    assert [one["portalId"] for one in (await firm.api.get(WISHES)).json()] == [None]
    await firm.cancel()
    (mail,) = await firm.mails("freja@example.com")
    assert "/p/" not in mail.text + mail.html


async def test_no_log_has_the_secrets_of_a_mail_and_no_page_lets_other_sites_in(
    firm: Firm, visitor: FormVisitor, clock: HandClock, capsys: pytest.CaptureFixture[str]
) -> None:
    await leave_wish(visitor, clock)
    await firm.cancel()
    for path in (await firm.link("freja@example.com", "o"), await firm.link("freja@example.com", "w")):
        await visitor.open(path)
        assert "default-src 'none'" in visitor.answer.headers["content-security-policy"]
        assert visitor.answer.headers["cache-control"] == "no-store"
        assert path.rpartition("/")[2] not in capsys.readouterr().out


async def test_below_free_times_a_quiet_link_leads_to_the_waiting_list(visitor: FormVisitor) -> None:
    await reach_times(visitor)
    assert visitor.times
    await visitor.follow("Join the waiting list")
    assert visitor.heading == "Join the waiting list"
    ticked = [each.get("name") for each in visitor.page.xpath("//input[@type='checkbox'][@checked]")]
    assert ticked == ["way-Online"]


async def test_a_time_that_a_visitor_held_and_gave_back_is_held_for_nobody(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    await leave_wish(visitor, clock)
    await visitor.open(topic=REVIEW, type="online", advisor=ANNA)
    await visitor.choose_time()
    await visitor.press("Choose another time")
    await visitor.choose_time(5)
    await visitor.press("Leave without booking")
    await firm.work()
    clock.advance(minutes=6)
    await firm.work()
    (wish,) = (await firm.api.get(WISHES)).json()
    assert (wish["status"], await firm.mails("freja@example.com")) == ("Waiting", [])


async def test_a_wish_of_anybody_is_offered_three_times_a_day(
    firm: Firm, visitor: FormVisitor, clock: HandClock
) -> None:
    await leave_wish(visitor, clock)
    for hour in range(1, 5):
        await firm.be_busy(TUESDAY_AT_TEN + timedelta(hours=hour))
        await firm.cancel()
        clock.advance(minutes=16)
        await firm.work()
    assert len(await firm.mails("freja@example.com")) == 3
