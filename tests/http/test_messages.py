"""Messages to the people of meetings: who gets which, and what is in them (docs/messages.md)."""

from datetime import UTC, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from icalendar import Calendar

from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.demo.firm import NORDLYS
from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused
from meetdeck.messages.carriers.kept import KeptMail
from meetdeck.messages.meeting_messages.service.subscriber import QUEUE
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.work import enqueue_all
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import ANNA, BO, LATER, TIMES, book, patch, replace
from support.messages import Post, read_event
from support.portals import NORDLYS_PORTAL
from support.statements import logged_statements

FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
OLE = {"name": "Ole", "email": "ole@example.com"}
FREJAS = FREJA["email"]


class Carrier:
    """A way that mails go, or not, as a test says."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.sent: list[Mail] = []

    async def carry(self, tenant_id: UUID, mail: Mail) -> None:
        if self.error is not None:
            raise self.error
        assert tenant_id
        self.sent.append(mail)


@pytest.fixture
async def post(api: Api, database: Database, tmp_path: Path) -> Post:
    """Lend the messages of the demo firms, of whose own meetings everybody has been told."""
    assert api
    post = Post(database, tmp_path)
    await post.send(NOW)
    return post


async def read_new(post: Post, to: str | None = None) -> list[KeptMail]:
    """Send what is due and return the mails about the meeting of the test."""
    await post.send(NOW)
    guests = [[FREJAS], [OLE["email"]]]
    mails = [mail for mail in await post.read() if "Freja" in mail.text or mail.to in guests]
    return [mail for mail in mails if to is None or mail.to == [to]]


async def list_history(api: Api, meeting: dict[str, Any]) -> list[dict[str, Any]]:
    return (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()


async def list_reasons(api: Api, meeting: dict[str, Any]) -> list[str]:
    return [entry["reason"] for entry in await list_history(api, meeting) if entry["action"] == "MessageNotSent"]


def list_attendees(event: Any) -> list[str]:
    return [str(one) for one in event["ATTENDEE"]]


async def test_the_advisor_is_told_the_answers_below_their_questions_and_guests_are_not(post: Post, api: Api) -> None:
    answers = [{"key": "phone", "value": "+45 22 33 44 55"}, {"key": "subject", "value": "A bigger home"}]
    await book(api, title="Pension", customFields=answers, externalAttendees=[FREJA])
    mails = {mail.to[0]: mail.text for mail in await read_new(post)}
    advisors = mails[await find_email(post.database, ANNA)]
    assert "Phone: +45 22 33 44 55" in advisors
    assert "What matters most to you?: A bigger home" in advisors
    assert "A bigger home" not in mails[FREJAS]


async def test_a_booking_invites_its_advisor_its_colleagues_and_its_guests(post: Post, api: Api) -> None:
    await book(api, title="Pension", additionalEmployees=[BO], externalAttendees=[FREJA])
    mails = await read_new(post)
    anna, bo = await find_email(post.database, ANNA), await find_email(post.database, BO)
    assert sorted(mail.to[0] for mail in mails) == sorted([anna, bo, FREJAS])
    (freja,) = (mail for mail in mails if mail.to == [FREJAS])
    assert freja.subject == "Your meeting on Tuesday 3 March 2026"
    assert "Tuesday 3 March 2026, 10:00 to 11:00" in freja.text
    assert "Hello Freja Nielsen," in freja.html
    method, event = read_event(freja.calendar)
    assert method == "REQUEST"
    assert list_attendees(event) == [f"mailto:{one}" for one in (anna, bo, FREJAS)]
    assert str(event["ORGANIZER"]) == "mailto:meetings@meetdeck.test"


async def test_messages_to_more_people_take_no_more_statements_when_they_become_due(post: Post, api: Api) -> None:
    await post.route(NOW)  # nothing is left of other events
    asked: list[int] = []
    for day, guests in enumerate([[], [FREJA, OLE]]):
        await book(api, day=day, externalAttendees=guests)
        with logged_statements(post.database) as statements:
            await post.route(NOW)
        asked.append(len(statements))
        assert len([one for one in statements if one.startswith("insert into message")]) == 1
    assert asked[0] == asked[1]


async def test_one_entry_lives_through_three_moves_and_a_cancellation(post: Post, api: Api) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await read_new(post)
    for hours in (2, 3, 4):
        begin = TUESDAY_AT_TEN + timedelta(hours=hours)
        times = {"startDate": begin.isoformat(), "endDate": (begin + timedelta(hours=1)).isoformat()}
        assert (await patch(api, meeting, replace(**times))).status_code == 200
        await read_new(post)
    await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")
    mails = await read_new(post, FREJAS)
    events = [read_event(mail.calendar) for mail in mails]
    assert [method for method, _ in events] == ["REQUEST"] * 4 + ["CANCEL"]
    assert {str(event["UID"]) for _, event in events} == {f"{meeting['id']}@meetdeck"}
    sequences = [int(str(event["SEQUENCE"])) for _, event in events]
    assert sequences == sorted(set(sequences))
    assert {str(event["ORGANIZER"]) for _, event in events} == {"mailto:meetings@meetdeck.test"}
    assert events[-1][1]["STATUS"] == "CANCELLED"
    assert [mail.subject.split()[0] for mail in mails] == ["Your", "Changed:", "Changed:", "Changed:", "Cancelled:"]
    calendar: Any = Calendar.from_ical((mails[1].calendar or "").encode())
    assert [str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")] == ["Europe/Copenhagen"]
    assert calendar.walk("VEVENT")[0]["DTSTART"].dt.astimezone(UTC) == TUESDAY_AT_TEN + timedelta(hours=2)


async def test_a_change_of_what_nobody_sees_sends_nothing(post: Post, api: Api) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    before = len(await read_new(post))
    await patch(api, meeting, replace(crmId="CRM-7", customFields=[{"key": "a", "value": "b"}]))
    assert len(await read_new(post)) == before


async def test_whoever_is_taken_out_gets_a_cancellation_and_whoever_comes_in_an_invitation(
    post: Post, api: Api
) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await read_new(post)
    await patch(api, meeting, replace(externalAttendees=[OLE]))
    mails = await read_new(post)
    to_freja, to_ole = mails[-1], mails[-2]
    if to_ole.to != [OLE["email"]]:
        to_freja, to_ole = to_ole, to_freja
    method, event = read_event(to_freja.calendar)
    assert (method, "STATUS" in event, str(event["ATTENDEE"])) == ("CANCEL", False, f"mailto:{FREJAS}")
    assert read_event(to_ole.calendar)[0] == "REQUEST"
    assert "Hello,\n" in to_freja.text
    assert len(mails) == 4  # nothing more to the advisor, for whom nothing changed


async def test_a_moved_advisor_is_told_and_the_new_one_invited(post: Post, api: Api) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await read_new(post)
    await patch(api, meeting, replace(employeeId=BO))
    await post.send(NOW)
    anna, bo = await find_email(post.database, ANNA), await find_email(post.database, BO)
    last = {mail.to[0]: read_event(mail.calendar)[0] for mail in await post.read() if "Freja" in mail.text}
    assert (last[bo], last[FREJAS]) == ("REQUEST", "REQUEST")
    mails = await post.read()
    assert [read_event(mail.calendar)[0] for mail in mails if mail.to == [anna]][-1] == "CANCEL"


async def test_only_the_last_of_several_changes_is_sent(post: Post, api: Api) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await post.route(NOW)
    await patch(api, meeting, replace(**LATER))
    mails = await read_new(post, FREJAS)
    assert [mail.subject for mail in mails] == ["Your meeting on Tuesday 3 March 2026"]
    assert "13:00 to 14:00" in mails[0].text
    reasons = await list_reasons(api, meeting)
    assert "The invitation to an attendee was not sent: a later change took its place." in reasons


async def test_nothing_is_sent_about_a_meeting_cancelled_before_it_was_told(post: Post, api: Api) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await post.route(NOW)
    await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")
    assert await read_new(post) == []
    reasons = await list_reasons(api, meeting)
    assert "The invitation to an attendee was not sent: the meeting was cancelled meanwhile." in reasons


async def test_each_event_sends_a_message_once(post: Post, api: Api) -> None:
    await book(api, externalAttendees=[FREJA])
    before = len(await read_new(post))
    async with post.database.transaction(NORDLYS.tenant_id) as connection:
        rows = await connection.fetch("select message_id from message")
        await enqueue_all(connection, QUEUE, [(row["message_id"], "") for row in rows], due_at=NOW)
    assert len(await read_new(post)) == before


@pytest.mark.thorough
async def test_a_server_that_is_down_for_a_day_gets_everything_after(
    api: Api, database: Database, tmp_path: Path
) -> None:
    carrier = Carrier()
    post = Post(database, tmp_path, carrier)
    await post.send(NOW)
    carrier.sent.clear()
    carrier.error = MessageDeferred("the mail server cannot be reached (ConnectionError)")
    over = await book(api, externalAttendees=[FREJA])
    later = {"startDate": "2026-03-09T09:00:00Z", "endDate": "2026-03-09T10:00:00Z"}
    assert (await api.book(employeeId=ANNA, externalAttendees=[OLE], **later)).status_code == 201
    moment, pauses = NOW, list[timedelta]()
    while moment < TUESDAY_AT_TEN + timedelta(hours=2):
        again = await post.send(moment)
        pauses.append(min(again) - moment)
        moment = min(again)
    assert pauses[:5] == sorted(pauses[:5])
    assert pauses[0] < timedelta(minutes=1)
    assert max(pauses) <= timedelta(hours=1)
    carrier.error = None
    await post.send(moment)
    assert {mail.to.email for mail in carrier.sent} >= {OLE["email"]}
    assert FREJAS not in {mail.to.email for mail in carrier.sent}
    reasons = await list_reasons(api, over)
    assert "The invitation to an attendee was not sent: the meeting is over." in reasons


async def test_what_is_refused_for_good_is_given_up_with_the_reason_in_the_history(
    api: Api, database: Database, tmp_path: Path
) -> None:
    carrier = Carrier()
    post = Post(database, tmp_path, carrier)
    await post.send(NOW)
    carrier.error = MessageRefused("the mail server rejected it permanently (550 5.1.1)")
    meeting = await book(api, externalAttendees=[FREJA])
    assert await post.send(NOW) == []
    (entry,) = [one for one in await list_history(api, meeting) if "attendee" in one.get("reason", "")]
    assert entry["reason"] == (
        "The invitation to an attendee was not sent: the mail server rejected it permanently (550 5.1.1)."
    )
    assert (entry["action"], entry["command"], entry["userId"]) == ("MessageNotSent", "messages", None)


async def test_a_firm_that_wants_no_messages_gets_none(post: Post, api: Api) -> None:
    path = "v3/booking/config/message-settings"
    before = (await api.get(path)).json()
    assert before["sendMessages"]
    silent = before | {"sendMessages": False}
    assert (await api.request("PUT", path, json=silent)).json() == silent
    await book(api, externalAttendees=[FREJA])
    assert await read_new(post) == []
    assert (await api.get(path.replace("v3", "v2"))).status_code == 404


async def test_a_meeting_of_a_portal_is_managed_by_the_link_in_its_mail(post: Post, api: Api) -> None:
    await book(api, portalId=NORDLYS_PORTAL, bookedBy="Employee", externalAttendees=[FREJA])
    mails = await read_new(post)
    (freja,) = (mail for mail in mails if mail.to == [FREJAS])
    link = next(line for line in freja.text.splitlines() if line.startswith("http"))
    assert link in freja.html.replace("&amp;", "&")
    page = await api.http.get(link)
    assert page.status_code == 200
    assert "Tuesday 3 March" in page.text
    assert all("/m/" not in mail.text + mail.html for mail in mails if mail is not freja)


async def test_no_customer_id_and_no_cpr_is_in_a_message(post: Post, api: Api, database: Database) -> None:
    meeting = await book(api, customerId="C-998877", cpr="0101701234", externalAttendees=[FREJA])
    await patch(api, meeting, replace(**LATER))
    await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")
    await post.send(NOW)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        rows = await connection.fetch(
            "select kept_mail::text, message::text from kept_mail join message using (message_id)"
        )
    assert rows
    assert not any("C-998877" in str(row) or "0101701234" in str(row) for row in rows)


async def test_a_name_cannot_write_headers_or_paragraphs(post: Post, api: Api, database: Database) -> None:
    locked = "Freja\r\nBcc: all@example.com\r\n\r\n<b>Your account is locked.</b>\r\n\r\nhttps://evil.example/"
    refused = await api.book(employeeId=ANNA, externalAttendees=[{"name": locked, "email": FREJAS}], **TIMES)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/externalAttendees/0/name")
    await book(api, externalAttendees=[FREJA])
    async with database.transaction(NORDLYS.tenant_id) as connection:  # as versions before took them
        hostile = [{"name": locked, "email": FREJAS}]
        await connection.execute("update meeting set title = $1, external_attendees = $2", locked, hostile)
    (freja,) = await read_new(post, FREJAS)
    assert "<b>Your" not in freja.html
    lines = [line for line in freja.text.splitlines() if "Your account" in line or "evil" in line]
    assert lines
    assert all(line.strip().startswith(("Hello Freja", "Freja")) or ": Freja" in line for line in lines)
    _, event = read_event(freja.calendar)
    assert "all@example.com" not in list_attendees(event)


async def test_an_address_that_is_none_fails_alone(post: Post, api: Api) -> None:
    meeting = await book(api, externalAttendees=[{"name": "X", "email": "a,b@example.com"}, FREJA])
    assert len(await read_new(post, FREJAS)) == 1
    reasons = await list_reasons(api, meeting)
    assert reasons == ["The invitation to an attendee was not sent: mail cannot be sent to the address."]


async def test_erasing_a_customer_takes_the_addresses_out_of_the_messages(
    post: Post, api: Api, database: Database
) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await read_new(post)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update meeting set erased_at = $1 where meeting_id = $2", NOW, meeting["id"])
        rows = await connection.fetch("select recipient from message where meeting_id = $1", meeting["id"])
        kept = await connection.fetchval("select count(*) from kept_mail where recipients = array[$1]", FREJAS)
    assert ({row["recipient"] for row in rows}, kept) == ({"Employee"}, 0)


async def find_email(database: Database, employee_id: str) -> str:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        return await connection.fetchval("select email from employee where employee_id = $1", employee_id)


async def test_a_change_while_an_invitation_is_written_is_told_once(
    post: Post, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting, changes = await book(api, externalAttendees=[FREJA]), [LATER]
    read_setting = organization_settings.get_setting

    async def read_late(connection: Connection) -> Any:
        if changes:
            assert (await patch(api, meeting, replace(**changes.pop()))).status_code == 200
        return await read_setting(connection)

    monkeypatch.setattr(organization_settings, "get_setting", read_late)
    await read_new(post)
    events: list[Any] = [read_event(mail.calendar)[1] for mail in await read_new(post, FREJAS)]
    assert [(int(one["SEQUENCE"]), one["DTSTART"].dt.hour) for one in events] == [(0, 10), (1, 13)]
