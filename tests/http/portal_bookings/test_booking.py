"""Booking on a portal's page without scripts: what is held, booked once, kept, and who may do what."""

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import HandClock
from support.portal_forms import FormVisitor, list_meetings, reach_check, reach_times
from support.searches import change

pytestmark = pytest.mark.usefixtures("no_meetings")

PORTALS = "v3/config/portals"
Json = dict[str, Any]


async def test_a_customer_books_without_scripts(api: Api, visitor: FormVisitor, portal: Json, clock: HandClock) -> None:
    await visitor.open(campaign="autumn")
    await visitor.follow("Annual review")
    await visitor.follow("Online")
    chosen = visitor.times[0].get("aria-label")
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    assert visitor.heading == "Check and book"
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    (meeting,) = await list_meetings(api)
    assert (meeting["bookedBy"], meeting["portalId"], meeting["type"]) == ("PortalCustomer", portal["id"], "Online")
    assert meeting["customerId"].startswith("guest-")
    assert meeting["externalAttendees"] == [{"name": "Freja Holm", "email": "freja@example.com"}]
    answers = {one["key"]: one["value"] for one in meeting["customFields"]}
    assert answers == {"phone": "+45 70 10 20 30", "campaign": "autumn", "source": "page"}
    assert chosen.startswith("Monday 2 March, 11:00 to 12:00, online, with ")
    assert "We have written to freja@example.com." in visitor.text
    links = {link.text_content(): link.get("href") for link in visitor.page.xpath("//a[@target='_blank']")}
    assert "dates=20260302T100000Z%2F20260302T110000Z" in links["Google Calendar"]
    assert "startdt=2026-03-02T10%3A00%3A00Z" in links["Outlook"]


async def test_steps_are_counted_from_the_first_page(visitor: FormVisitor) -> None:
    def list_steps() -> list[tuple[str, str]]:
        steps = visitor.page.xpath("//ol[@class='steps']/li")
        return [(step.text_content().strip(), step.get("aria-current") or step.get("class") or "") for step in steps]

    rest = [("Time", ""), ("Your details", ""), ("Check", "")]
    await visitor.open()
    assert list_steps() == [("Topic", "step"), ("Way to meet", ""), *rest]
    await visitor.follow("Annual review")
    assert list_steps() == [("Topic", "done"), ("Way to meet", "step"), *rest]
    await visitor.follow("Online")
    assert list_steps() == [("Topic", "done"), ("Way to meet", "done"), ("Time", "step"), *rest[1:]]
    await visitor.choose_time()
    assert list_steps()[:4] == [
        *(("Topic", "done"), ("Way to meet", "done"), ("Time", "done")),
        ("Your details", "step"),
    ]
    assert visitor.text.count("Held for you until 07:05.") == 2, "in the panel, and beside the button"


async def test_no_page_sets_a_cookie_or_tells_of_hidden_fields(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await reach_times(visitor)
    pages = [visitor.answer]
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    pages.append(visitor.answer)
    await visitor.press("Book")
    pages.append(visitor.answer)
    assert not list(api.http.cookies.jar)
    for page in pages:
        assert "set-cookie" not in page.headers
        assert "campaign" not in page.text
        assert "source" not in page.text.replace('"source"', "")


async def test_what_is_chosen_is_held(api: Api, visitor: FormVisitor) -> None:
    await reach_times(visitor)
    await visitor.choose_time()
    (slot,) = (await api.get("v3/booking/time-slots")).json()
    assert slot["status"] == "Reserved"
    assert visitor.heading == "Your details"
    assert "Held for you until 07:05" in visitor.text


async def test_a_button_pressed_twice_books_once(api: Api, visitor: FormVisitor, clock: HandClock) -> None:
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    again = FormVisitor(api.http, "ours")
    again.answer = visitor.answer
    await asyncio.gather(visitor.press("Book"), again.press("Book"))
    assert visitor.heading == again.heading == "Your meeting is booked"
    assert visitor.answer.url == again.answer.url
    assert len(await list_meetings(api)) == 1


async def test_a_time_that_somebody_took_leads_back_to_the_times(api: Api, visitor: FormVisitor) -> None:
    other = FormVisitor(api.http, "ours")
    await reach_times(visitor)
    await reach_times(other)
    wanted = visitor.times[0].get("value")
    await other.choose_time()
    await visitor.choose_time()
    assert (visitor.status, visitor.heading) == (409, "Choose a time")
    assert "Someone else has taken that time" in visitor.text
    assert wanted not in [each.get("value") for each in visitor.times]


async def test_a_hold_that_expired_leads_back_with_everything_kept(
    visitor: FormVisitor, clock: HandClock, api: Api
) -> None:
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    clock.advance(minutes=6)
    await visitor.press("Book")
    assert (visitor.status, visitor.heading) == (409, "Choose a time")
    assert "Your time is no longer held" in visitor.text
    await visitor.choose_time(2)
    assert visitor.inputs("name") == ["Freja Holm"]
    assert visitor.inputs("email") == ["freja@example.com"]
    assert "+45 70 10 20 30" in visitor.answer.text
    clock.advance(seconds=10)
    await visitor.press("Continue")
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    assert len(await list_meetings(api)) == 1


async def test_a_time_that_expired_is_held_again_while_nobody_else_has_it(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await reach_times(visitor)
    wanted = visitor.times[5].get("value")
    await visitor.choose_time(5)
    clock.advance(minutes=6)
    await visitor.press("Keep this time", email="freja@exa")
    assert (visitor.heading, visitor.inputs("email")) == ("Your details", ["freja@exa"])
    assert "Held for you until 07:11" in visitor.text
    clock.advance(minutes=6)
    other = FormVisitor(api.http, "ours")
    await reach_times(other)
    button = other.times[0]
    button.set("value", wanted)
    await other.send(button, {})
    assert other.heading == "Your details"
    await visitor.press("Keep this time")
    assert (visitor.status, visitor.heading) == (409, "Choose a time")
    assert set(visitor.inputs("email")) == {"freja@exa"}


async def test_keep_this_time_gives_five_more_minutes_and_keeps_what_was_typed(
    visitor: FormVisitor, clock: HandClock
) -> None:
    await reach_times(visitor)
    await visitor.choose_time()
    clock.advance(minutes=4)
    await visitor.press("Keep this time", email="freja@exa")
    assert "Held for you until 07:09" in visitor.text
    assert visitor.inputs("email") == ["freja@exa"]
    clock.advance(minutes=4)
    await visitor.press("Continue", name="Freja Holm", email="freja@example.com", Telephone="+45 70 10 20 30")
    assert visitor.heading == "Check and book"


async def test_wrong_answers_are_named_beside_their_fields_and_on_top(visitor: FormVisitor, clock: HandClock) -> None:
    await reach_times(visitor)
    await reach_check(visitor, clock, email="freja", Telephone="none")
    assert (visitor.status, visitor.heading) == (400, "Your details")
    summary = visitor.page.find_class("ds-error-summary")[0]
    links = {link.get("href"): link.text_content() for link in summary.iter("a")}
    assert list(links.values()) == [
        "Enter an e-mail address like name@example.com.",
        "Enter a telephone number like +45 70 10 20 30.",
    ]
    for target, sentence in links.items():
        field = visitor.page.get_element_by_id(target.removeprefix("#"))
        assert field.get("aria-invalid") == "true"
        described = [
            visitor.page.get_element_by_id(one).text_content() for one in field.get("aria-describedby").split()
        ]
        assert sentence in described


async def test_a_form_that_is_sent_at_once_or_fills_in_the_trap_is_asked_again(
    visitor: FormVisitor, clock: HandClock
) -> None:
    details = {"name": "Bot", "email": "bot@example.com", "Telephone": "+45 70 10 20 30"}
    await reach_times(visitor)
    await visitor.choose_time()
    await visitor.press("Continue", **details)
    assert (visitor.heading, visitor.inputs("name")) == ("Your details", ["Bot"])
    clock.advance(seconds=10)
    await visitor.press("Continue", website="https://bot.example")
    assert visitor.heading == "Your details"
    await visitor.press("Continue")
    assert visitor.heading == "Check and book"


@pytest.mark.parametrize("name", ["hold", "ticket"])
async def test_a_form_of_another_portal_opens_nothing_here(
    api: Api, visitor: FormVisitor, clock: HandClock, name: str
) -> None:
    other = await api.post(PORTALS, {"name": "Other", "address": "other", "authenticationType": "Anonymous"})
    assert other.status_code == 201
    await reach_times(visitor)
    values = {"type": "online", "topic": api.id_of("topic", "Annual review"), name: visitor.inputs("ticket")[0]}
    values["time"] = visitor.times[0].get("value")
    if name == "hold":
        await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
        values["hold"] = visitor.inputs("hold")[0]
    step = "book" if name == "hold" else "hold"
    answer = await api.http.post(f"/p/other/{step}", data=values)
    assert answer.status_code == 409
    assert await list_meetings(api) == []


async def test_a_time_that_the_search_does_not_offer_is_not_held(api: Api, visitor: FormVisitor) -> None:
    await reach_times(visitor)
    button = visitor.times[0]
    moment, _, employee = button.get("value").partition("~")
    for value in (f"{moment.replace('T10:', 'T03:')}~{employee}", f"2026-03-07T10:00:00+00:00~{employee}"):
        button.set("value", value)
        await visitor.send(button, {})
        assert visitor.status == 409, value
        button = visitor.times[0]
    assert (await api.get("v3/booking/time-slots")).json() == []


async def test_the_first_time_of_a_page_can_be_held_and_booked_some_minutes_later(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    settings = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
    await change(api, settings, customersBookOnlyOffered=True)
    await reach_times(visitor)
    page, first = visitor.answer, visitor.times[0].get("aria-label")
    assert "11:00 to 12:00" in first, "four hours ahead: the least notice"
    clock.advance(minutes=4)
    await visitor.choose_time()
    assert visitor.heading == "Your details"
    clock.advance(minutes=4)
    details = {"name": "Freja Holm", "email": "freja@example.com", "Telephone": "+45 70 10 20 30"}
    await visitor.press("Continue", **details)
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    visitor.answer = page
    await visitor.choose_time(1)
    assert visitor.status == 200
    clock.advance(minutes=30)
    visitor.answer = page
    await visitor.choose_time(1)
    assert visitor.status == 409


async def test_a_customer_signs_in_where_the_portal_asks_for_it(api: Api, clock: HandClock) -> None:
    body: Json = {"name": "Known", "address": "known", "authenticationType": "IdentityProvider", "fields": []}
    assert (await api.post(PORTALS, body)).status_code == 201
    known = FormVisitor(api.http, "known")
    await reach_times(known)
    await known.choose_time()
    assert known.heading == "Sign in"
    skipped = await api.http.post("/p/known/book", data={"hold": known.inputs("hold")[0]})
    assert "Sign in" in skipped.text
    assert await list_meetings(api) == []
    await known.press("Continue")
    button = next(each for each in known.page.iter("button") if "Mette" in each.text_content())
    await known.send(button, {})
    assert known.heading == "Your details"
    assert "Mette Kjær" in known.text
    clock.advance(seconds=10)
    await known.press("Continue")
    await known.press("Book")
    assert known.heading == "Your meeting is booked"
    (meeting,) = await list_meetings(api)
    assert not meeting["customerId"].startswith("guest-")
    assert meeting["externalAttendees"][0]["name"] == "Mette Kjær"


@pytest.mark.usefixtures("portal")
@pytest.mark.parametrize("path", ["nowhere", "ours/nothing", "ours/m/AAAA"])
async def test_what_is_not_there_is_a_page(api: Api, path: str) -> None:
    answer = await api.http.get(f"/p/{path}", headers={"Accept-Language": "da"})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "Her er ikke noget" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_a_deleted_portal_is_gone(api: Api, portal: Json) -> None:
    assert (await api.http.get("/p/ours")).status_code == 200
    await api.request("DELETE", f"{PORTALS}/{portal['id']}")
    assert (await api.http.get("/p/ours")).status_code == 404
    assert (await api.http.get(f"/p/{portal['id']}")).status_code == 404


async def test_a_database_that_is_away_is_a_page_that_keeps_what_was_typed(
    visitor: FormVisitor, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await reach_times(visitor)
    await visitor.choose_time()
    clock.advance(seconds=10)
    with monkeypatch.context() as away:
        away.setattr("meetdeck.platform.database.connection_pool.ConnectionPool.take", _refuse)
        await visitor.press("Continue", name="Freja Holm", email="freja@example.com", Telephone="+45 70 10 20 30")
        assert (visitor.status, visitor.heading) == (503, "We cannot answer at the moment")
        assert visitor.inputs("name") == ["Freja Holm"]
    await visitor.press("Try again")
    assert visitor.heading == "Check and book"


def _refuse(*_: object, **__: object) -> httpx.Response:
    raise ConnectionRefusedError


async def test_who_holds_too_many_times_is_asked_to_wait_and_loses_nothing_typed(
    database: Database, clock: HandClock, tmp_path: Path, portal: Json
) -> None:
    async with (
        aclosing(make_services(database, clock, tmp_path, MissingRenderer(), address_hold_limit=1)) as services,
        Api.open(services) as api,
    ):
        visitor = FormVisitor(api.http, portal["address"])
        await reach_times(visitor)
        await visitor.choose_time()
        await visitor.press("Choose another time", email="freja@example.com")
        await visitor.choose_time(1)
    assert (visitor.status, visitor.heading) == (429, "One moment, please")
    assert 50 < int(visitor.answer.headers["retry-after"]) <= 61
    assert '"address-hold";r=0' in visitor.answer.headers["ratelimit"]
    assert visitor.inputs("email") == ["freja@example.com"]


async def test_who_chose_another_time_with_everything_filled_in_goes_on_at_once(
    visitor: FormVisitor, clock: HandClock
) -> None:
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    await visitor.press("Choose another time")
    await visitor.choose_time(2)
    await visitor.press("Continue")
    assert visitor.heading == "Check and book"
