"""Random changes of meetings, and processes that are killed: each reminder comes once, in time, of what holds."""

import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from meetdeck.messages.reminders.schemas import ReminderKind
from meetdeck.messages.reminders.service.plan import Appointment, QuietHours, Rule, plan_reminders
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import MONDAY_MORNING as NOW
from support.fakes import HandClock
from support.meetings import ANNA, BO, CAMILLA, patch, replace
from support.reminders import Desk

CHANGES = int(os.environ.get("MEETDECK_REMINDER_CHANGES", "60"))
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
ZONE = ZoneInfo("Europe/Copenhagen")
RULES = [Rule(ReminderKind.MAIL, 72 * HOUR)]
QUIET = QuietHours(datetime(1, 1, 1, 21, tzinfo=UTC).time(), datetime(1, 1, 1, 8, tzinfo=UTC).time())


class Version(NamedTuple):
    """A time that a meeting had: from when until when it was that."""

    appointment: Appointment
    until: datetime


class Known:
    """A meeting as the test knows it."""

    def __init__(self, resource: dict[str, Any], number: int) -> None:
        self.resource, self.number = resource, number
        self.is_cancelled = False
        self.versions: list[Version] = []


class Sent(NamedTuple):
    """A reminder that went out: when, to whom."""

    at: datetime
    address: str


class Killed(BaseException):
    """The end of a process in the middle of its work."""


class KilledPosts:
    """A way of mails from which the process does not always come back: before or after the mail is gone."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.kills = False
        self.sent: dict[UUID, Sent] = {}
        self.now = NOW

    async def carry(self, _tenant_id: UUID, mail: Mail) -> None:
        if self.kills and self.chance.random() < 0.2:
            raise Killed
        known = self.sent.get(mail.id)  # one that is sent again is the same mail
        self.sent[mail.id] = known or Sent(self.now, mail.to.email)
        if self.kills and self.chance.random() < 0.2:
            raise Killed


def expect(known: list[Known], end: datetime) -> Iterator[Sent]:
    """Yield the reminders that there must be, with the time at which each is due."""
    for meeting in known:
        for version in meeting.versions:
            for planned in plan_reminders(version.appointment, RULES, QUIET, ZONE):
                if planned.due_at < version.until and planned.due_at <= end:
                    yield Sent(planned.due_at, f"guest-{meeting.number}@example.com")


async def change_something(api: Api, chance: random.Random, known: list[Known], now: datetime) -> None:
    living = [one for one in known if not one.is_cancelled and one.versions[-1].appointment.starts_at > now]
    begin = now + chance.randrange(1, 12 * 48) * 30 * MINUTE
    begin = begin.replace(minute=0, second=0, microsecond=0)
    times = {"startDate": begin.isoformat(), "endDate": (begin + HOUR / 2).isoformat()}
    what = chance.random()
    far = datetime.max.replace(tzinfo=UTC)
    if what < 0.4 or not living:
        guest = {"name": "Guest", "email": f"guest-{len(known)}@example.com"}
        advisor = chance.choice([ANNA, BO, CAMILLA])
        answer = await api.book(employeeId=advisor, type="Online", externalAttendees=[guest], **times)
        if answer.status_code == 201:
            meeting = Known(answer.json(), len(known))
            meeting.versions.append(Version(Appointment(begin, now), far))
            known.append(meeting)
        return
    meeting = chance.choice(living)
    last = meeting.versions[-1]
    if what < 0.7:
        answer = await patch(api, meeting.resource, replace(**times))
        if answer.status_code == 200 and begin != last.appointment.starts_at:
            meeting.versions[-1] = last._replace(until=now)
            meeting.versions.append(Version(Appointment(begin, now), far))
    elif what < 0.85:
        await patch(api, meeting.resource, replace(title=f"Talk {chance.random()}"))
    else:
        answer = await api.request("DELETE", f"v3/booking/meetings/{meeting.resource['id']}")
        assert answer.status_code == 204, answer.text
        meeting.is_cancelled = True
        meeting.versions[-1] = last._replace(until=now)


async def work(desk: Desk, posts: KilledPosts, now: datetime) -> None:
    posts.now = now
    await desk.work(now)


@pytest.mark.parametrize("seed", range(1))
async def test_whoever_should_be_is_reminded_once_and_in_time(
    api: Api, no_meetings: None, database: Database, tmp_path: Path, clock: HandClock, seed: int
) -> None:
    assert no_meetings is None
    chance, known = random.Random(seed), list[Known]()  # noqa: S311 - the same each time
    posts = KilledPosts(chance)
    desk = Desk(database, tmp_path, carrier=posts)
    for _ in range(CHANGES):
        step = chance.choice([0, 1, 5, 30, 60, 240, 600]) * MINUTE
        await run_until(desk, posts, known, clock, clock.moment + step)
        caller = await api.of(api.firm)  # whose token is good for an hour
        await change_something(caller, chance, known, clock.moment)
        await work(desk, posts, clock.moment)
    await run_until(desk, posts, known, clock, clock.moment + 15 * 24 * HOUR)

    expected = sorted(expect(known, clock.moment), key=lambda one: (one.address, one.at))
    sent = sorted(posts.sent.values(), key=lambda one: (one.address, one.at))
    assert [one.address for one in sent] == [one.address for one in expected]
    assert len(sent) > CHANGES // 10
    late = [got.at - due.at for got, due in zip(sent, expected, strict=True)]
    assert max(late) <= MINUTE
    assert min(late) >= timedelta(0)


async def run_until(desk: Desk, posts: KilledPosts, known: list[Known], clock: HandClock, end: datetime) -> None:
    """Advance the time, in steps that end where a reminder is due, or up to a minute later."""
    due = sorted({one.at for one in expect(known, end) if clock.moment < one.at <= end})
    for moment in due:
        clock.moment = max(clock.moment, moment)
        posts.kills = True
        await work(desk, posts, clock.moment)
        posts.kills = False
        clock.moment += 16 * timedelta(seconds=1)  # the lease of a process that was killed is over
        await work(desk, posts, clock.moment)
    clock.moment = max(clock.moment, end)
    await work(desk, posts, clock.moment)
