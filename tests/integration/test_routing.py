"""Routing: each event reaches each subscriber once, in the feed's order, whatever fails (docs/decisions/0109)."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import pytest

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.events.routing import service
from meetdeck.events.routing.service import Routing
from meetdeck.platform.changes import Event, EventType, NewEvent, write_event
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.work import NewJob
from support.fakes import MONDAY_MORNING
from support.statements import logged_statements

NOW = MONDAY_MORNING


class Notebook:
    """A subscriber that writes down what it receives."""

    def __init__(self, name: str = "notebook", *, fails: int = 0) -> None:
        self.name = name
        self.fails = fails
        self.seen: list[tuple[UUID, str]] = []

    def wants(self, event_type: str) -> bool:
        return event_type != EventType.CONTENT_CREATED

    async def receive(
        self, _connection: Connection, tenant_id: UUID, events: Sequence[Event], _now: object
    ) -> list[NewJob]:
        if self.fails:
            self.fails -= 1
            raise RuntimeError("it broke")
        self.seen += [(tenant_id, event.subject) for event in events]
        return []


async def write(database: Database, tenant_id: UUID, *subjects: str, of: EventType = EventType.MEETING_CREATED) -> None:
    async with database.transaction(tenant_id) as connection:
        for subject in subjects:
            await write_event(connection, NewEvent(of, subject, NOW))


async def test_each_firms_events_reach_a_subscriber_once_and_in_order(firms: Database) -> None:
    notebook = Notebook()
    routing = Routing(firms, [notebook], ())
    await write(firms, NORDLYS.tenant_id, "a", "b")
    await write(firms, FJORD.tenant_id, "c")
    await write(firms, FJORD.tenant_id, "left out", of=EventType.CONTENT_CREATED)
    for _ in range(2):
        await routing.route(NOW)
    await write(firms, NORDLYS.tenant_id, "d")
    await routing.route(NOW)

    assert [subject for tenant_id, subject in notebook.seen if tenant_id == NORDLYS.tenant_id] == ["a", "b", "d"]
    assert [subject for tenant_id, subject in notebook.seen if tenant_id == FJORD.tenant_id] == ["c"]


async def test_several_processes_give_no_event_twice(firms: Database) -> None:
    notebook = Notebook()
    processes = [Routing(firms, [notebook], ()) for _ in range(4)]
    for number in range(30):
        await write(firms, NORDLYS.tenant_id, str(number))
        if number % 10 == 9:
            await asyncio.gather(*(one.route(NOW) for one in processes))

    assert [subject for _, subject in notebook.seen] == [str(number) for number in range(30)]


async def test_a_subscriber_that_fails_holds_up_no_other_and_gets_its_events_again(firms: Database) -> None:
    broken, other = Notebook("broken", fails=2), Notebook("other")  # with the other, and by itself
    routing = Routing(firms, [broken, other], ())
    await write(firms, NORDLYS.tenant_id, "a")
    await routing.route(NOW)
    assert (broken.seen, {subject for _, subject in other.seen}) == ([], {"a"})
    other.seen.clear()  # with those of the transaction that was rolled back

    await routing.route(NOW + timedelta(seconds=2))

    assert (len(broken.seen), other.seen) == (1, [])


async def test_more_subscribers_take_no_more_statements(firms: Database) -> None:
    asked: list[int] = []
    for names in (["one"], ["one", "two", "three"]):
        notebooks = [Notebook(name) for name in names]
        routing = Routing(firms, notebooks, ())
        await write(firms, NORDLYS.tenant_id, "first")
        await routing.route(NOW)
        await write(firms, NORDLYS.tenant_id, f"for {len(names)}")
        with logged_statements(firms) as statements:
            await routing.route(NOW)
        assert {one.seen[-1][1] for one in notebooks} == {f"for {len(names)}"}
        asked.append(len(statements))
    assert asked == [3, 3]  # whose events, placed, what is new for whom


async def test_a_subscriber_that_comes_later_gets_what_is_kept_and_some_at_a_time(
    firms: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_AT_ONCE", 2)
    await write(firms, NORDLYS.tenant_id, *"abcd")
    await Routing(firms, [Notebook()], ()).route(NOW)
    await write(firms, NORDLYS.tenant_id, "e")
    first, later = Notebook(), Notebook("later")
    await Routing(firms, [first, later], ()).route(NOW)

    assert [subject for _, subject in first.seen] == ["e"]
    assert [subject for _, subject in later.seen] == [*"abcde"]


async def test_a_disabled_firms_events_wait(firms: Database) -> None:
    notebook = Notebook()
    routing = Routing(firms, [notebook], ())
    await write(firms, NORDLYS.tenant_id, "a")
    await set_disabled(firms, "now()")
    await routing.route(NOW)
    assert notebook.seen == []

    await set_disabled(firms, "null")
    await routing.route(NOW)

    assert len(notebook.seen) == 1


async def set_disabled(database: Database, moment: str) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(f"update tenant set disabled_at = {moment}")  # noqa: S608 - written here
