"""A customer's new e-mail address, asked for by the meeting's link: the old address confirms it, three times a day."""

from collections import Counter
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import HandClock
from support.meetings import ANNA, patch, replace
from support.portal_forms import FormVisitor, book, list_meetings
from support.portal_mails import Mailbox

pytestmark = pytest.mark.usefixtures("no_meetings")

OLD, NEW = "freja@example.com", "freja@new.example"
SETTINGS = "v3/booking/config/message-settings"


async def change_email(visitor: FormVisitor, email: str, **typed: str) -> FormVisitor:
    """Type another address on the meeting's page."""
    await visitor.press("Change your details")
    return await visitor.press("Continue", email=email, **typed)


async def find_email(api: Api) -> str:
    (meeting,) = await list_meetings(api)
    return meeting["externalAttendees"][0]["email"]


@pytest.mark.thorough
async def test_a_booking_whose_address_is_changed_again_and_again_sends_strangers_nothing(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book(visitor, clock)
    link = str(visitor.answer.url).partition("?")[0]
    statuses = Counter[int]()
    for number in range(60):
        form = {"name": "Freja Holm", "email": f"stranger{number}@example.org"}
        form[next(iter(await _list_answers(visitor, link)))] = "+45 70 10 20 30"
        statuses[(await api.http.post(f"{link}/details", data=form)).status_code] += 1
    assert statuses == {200: 3, 429: 57}
    assert await mailbox.count() == {OLD: 4}, "an invitation, and three questions to the address that there is"
    assert await find_email(api) == OLD


async def _list_answers(visitor: FormVisitor, link: str) -> list[str]:
    await visitor.open(link.partition("/p/ours")[2] + "/details")
    return [each.get("name") for each in visitor.page.iter("input") if each.get("name", "").startswith("answer-")]


async def test_a_new_address_holds_when_the_old_one_confirms_it(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book(visitor, clock)
    await change_email(visitor, NEW, name="Freja Lind", Telephone="+45 70 10 20 99")
    assert (visitor.status, visitor.heading) == (200, "Confirm the new address")
    assert f"We sent an e-mail to {OLD}" in visitor.text
    (meeting,) = await list_meetings(api)
    assert meeting["externalAttendees"][0]["name"] == "Freja Holm", "the name waits with the address"
    assert {"key": "phone", "value": "+45 70 10 20 99"} in meeting["customFields"], "answers do not wait"
    path = await mailbox.find_path("e")
    for _ in range(2):  # a program that follows links
        await visitor.open(path)
    assert visitor.heading == "Is this your new e-mail address?"
    assert NEW in visitor.text
    assert (await find_email(api), (await mailbox.count())[NEW]) == (OLD, 0)
    await visitor.press("Use the new address")
    assert visitor.heading == "Your new address is confirmed"
    (meeting,) = await list_meetings(api)
    assert (meeting["externalAttendees"][0]["name"], await find_email(api)) == ("Freja Lind", NEW)
    assert (await mailbox.read())[-1].to in ([NEW], [OLD])
    assert (await mailbox.count())[NEW] == 1
    await visitor.open(path)
    assert (visitor.status, visitor.heading) == (200, "Your new address is confirmed"), "once more shows what it did"
    assert (await mailbox.count())[NEW] == 1


async def test_a_link_to_a_new_address_ends_after_a_day_with_the_meeting_and_when_staff_changes_the_address(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book(visitor, clock)
    (meeting,) = await list_meetings(api)
    await change_email(visitor, NEW)
    path = await mailbox.find_path("e")
    attendee = {"name": "Freja Holm", "email": "freja@work.example"}
    changed = await patch(api, meeting, replace(externalAttendees=[attendee]))
    assert changed.status_code == 200, "staff changes it at once"
    await visitor.open(path)
    assert (visitor.status, visitor.heading) == (410, "This link has ended")
    answer = await api.http.post(f"/p/ours{path}")
    assert (answer.status_code, await find_email(api)) == (410, "freja@work.example")
    assert (await api.http.get(f"/p/ours{path[:-1]}{'A' if path[-1] != 'A' else 'B'}")).status_code == 404


async def test_an_old_question_is_not_answered_any_more(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book(visitor, clock)
    link = str(visitor.answer.url).partition("?")[0]
    (meeting,) = await list_meetings(api)
    later = {"startDate": "2026-03-20T09:00:00Z", "endDate": "2026-03-20T10:00:00Z"}
    moved = await patch(api, meeting, replace(bookedBy="Employee", **later))
    assert moved.status_code == 200, moved.text
    await change_email(visitor, NEW)
    path = await mailbox.find_path("e")
    clock.advance(hours=24)
    assert (await api.http.post(f"/p/ours{path}")).status_code == 410
    await visitor.open(link.partition("/p/ours")[2] + "/details")
    assert visitor.inputs("email") == [OLD]


async def test_a_meeting_without_an_address_and_one_whose_firm_sends_no_mail_are_changed_at_once(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await book(visitor, clock)
    (meeting,) = await list_meetings(api)
    assert (await patch(api, meeting, replace(externalAttendees=[]))).is_success
    await change_email(visitor, NEW, name="Freja Holm")
    assert "Your details are changed." in visitor.text
    assert await find_email(api) == NEW
    assert (await api.request("PUT", SETTINGS, json={"sendMessages": False})).is_success
    await change_email(visitor, OLD)
    assert "Your details are changed." in visitor.text
    assert await find_email(api) == OLD


@pytest.mark.parametrize(("language", "heading"), [("en", "cannot be changed today"), ("da", "kan ikke ændres i dag")])
async def test_the_fourth_address_of_a_day_is_refused_in_the_language_of_the_page(
    api: Api, visitor: FormVisitor, clock: HandClock, language: str, heading: str
) -> None:
    await book(visitor, clock)
    link = str(visitor.answer.url).partition("?")[0]
    answers = dict.fromkeys(await _list_answers(visitor, link), "+45 70 10 20 30")
    for number in range(4):
        form: dict[str, Any] = {"name": "Freja Holm", "email": f"freja{number}@example.org", "lang": language}
        visitor.answer = await api.http.post(f"{link}/details", data=form | answers)
    assert visitor.status == 429
    assert heading in visitor.heading
    assert int(visitor.answer.headers["retry-after"]) > 23 * 3600
    await visitor.follow({"en": "Back to the meeting", "da": "Tilbage til mødet"}[language])
    assert visitor.status == 200
    assert str(visitor.answer.url) == link


async def test_bookings_of_one_visitor_send_a_handful_of_mails_an_hour(
    database: Database, clock: HandClock, tmp_path: Path, visitor: FormVisitor
) -> None:
    async with (
        aclosing(make_services(database, clock, tmp_path, MissingRenderer(), address_mail_limit=2)) as services,
        Api.open(services) as api,
    ):
        stranger = FormVisitor(api.http, visitor.portal)
        for _ in range(2):
            await book(stranger, clock)
            assert stranger.heading == "Your meeting is booked"
        await book(stranger, clock)
        assert (stranger.status, stranger.heading) == (429, "We cannot send more e-mail at the moment")
        assert stranger.inputs("email") == [OLD]
        assert 3_000 < int(stranger.answer.headers["retry-after"]) <= 3_660
        assert '"address-mail";q=2;w=3600' in stranger.answer.headers["ratelimit-policy"]
        ida = {"name": "Ida", "email": "ida@example.com"}
        later = {"startDate": "2026-03-20T09:00:00Z", "endDate": "2026-03-20T10:00:00Z"}
        staff = await api.book(employeeId=ANNA, customerId="C-1", externalAttendees=[ida], **later)
        assert staff.status_code == 201, "staff and systems are not limited"
        assert len(await list_meetings(api)) == 3
        metrics = (await api.http.get("/metrics")).text
        assert 'meetdeck_unverified_mails_total{outcome="address"}' in metrics
