"""Whatever is reserved, renewed, converted, moved, cancelled or left to expire: what is taken is what should be."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from conftest import MONDAY_MORNING
from factories import TUESDAY_AT_TEN, Api, make_services
from fakes import HandClock
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.db import Address, Database
from meetdeck.present.render.renderer import MissingRenderer

HALF_HOUR = timedelta(minutes=30)
FIVE_MINUTES = timedelta(minutes=5)
ANNA, BO = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind"))
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
TOKENS = [UUID(int=number) for number in (1, 2, 3)]

Span = tuple[datetime, datetime]
spans = st.tuples(st.integers(0, 5), st.integers(1, 3)).map(
    lambda drawn: (TUESDAY_AT_TEN + drawn[0] * HALF_HOUR, TUESDAY_AT_TEN + sum(drawn) * HALF_HOUR)
)
employees = st.sampled_from([ANNA, BO])
rooms = st.sampled_from([None, None, HAVBLIK])
tokens = st.sampled_from(TOKENS)


class Held(msgspec.Struct, frozen=True):
    """A reservation, as the model knows it."""

    id: str
    span: Span
    employee: str | None
    room: str | None
    expires_at: datetime
    renewals: int = 0

    @property
    def resources(self) -> frozenset[str]:
        return frozenset(each for each in (self.employee, self.room) if each is not None)


class Met(msgspec.Struct, frozen=True):
    """A meeting, as the model knows it."""

    span: Span
    resources: frozenset[str]


class Firm:
    """The application on a database of its own, called from outside of its event loop."""

    def __init__(self, runner: asyncio.Runner, api: Api, database: Database, clock: HandClock) -> None:
        self.runner, self.api, self.database, self.clock = runner, api, database, clock

    @classmethod
    @asynccontextmanager
    async def open(cls, runner: asyncio.Runner, address: Address, folder: Path) -> AsyncGenerator["Firm"]:
        clock = HandClock(MONDAY_MORNING)
        async with (
            Database(address, connections=2) as database,
            aclosing(make_services(database, clock, folder, MissingRenderer())) as services,
            Api.open(services) as api,
        ):
            yield cls(runner, api, database, clock)

    def forget(self) -> None:
        """Begin with nothing taken, on Monday morning."""
        self.clock.moment = MONDAY_MORNING
        self.runner.run(self._forget())

    def wait(self, minutes: int) -> None:
        """Let time pass, and take a new token: they live an hour."""
        self.clock.advance(minutes=minutes)
        self.api = self.runner.run(self.api.of(NORDLYS))

    async def _forget(self) -> None:
        self.api = await self.api.of(NORDLYS)
        async with self.database.transaction(NORDLYS.tenant_id) as connection:
            await connection.execute("delete from meeting")
            await connection.execute("delete from time_slot")

    def list_taken(self) -> set[tuple[str, Span]]:
        """Return what the database holds, but for what has expired."""
        return self.runner.run(self._list_taken())

    async def _list_taken(self) -> set[tuple[str, Span]]:
        async with self.database.transaction(NORDLYS.tenant_id) as connection:
            rows = await connection.fetch(
                "select resource_id, starts_at, ends_at from occupancy join resource using (tenant_id, resource_key)"
                " where expires_at is null or expires_at > $1",
                self.clock(),
            )
        return {(str(row["resource_id"]), (row["starts_at"], row["ends_at"])) for row in rows}


class Calendar(RuleBasedStateMachine):
    """Three customers' sessions and a few meetings, over and over at the same times of three resources."""

    firm: Firm

    @initialize()
    def begin(self) -> None:
        self.firm.forget()
        self.held: dict[UUID, Held] = {}
        self.meetings: dict[str, Met] = {}

    @rule(token=tokens, span=spans, employee=st.none() | employees, room=rooms)
    def reserve(self, token: UUID, span: Span, employee: str | None, room: str | None) -> None:
        before = self.held.get(token)
        wanted = Held("", span, employee, room, self.now + FIVE_MINUTES)
        answer = self.call(self.firm.api.reserve(span[0], minutes=length(span), token=token, **members(wanted)))
        is_same = before is not None and (before.span, before.resources) == (wanted.span, wanted.resources)
        if before is not None and is_same and self.is_live(before):
            if before.renewals == 10:
                assert refusal(answer) == (409, "renewals_used_up")
                return
            wanted = replace(wanted, id=before.id, renewals=before.renewals + 1)
        elif self.is_taken(span, wanted.resources, own_token=token):
            assert refusal(answer) == (409, "time_slot_taken")
            return
        assert answer.status_code == 201, answer.text
        assert answer.json()["id"] == wanted.id or not wanted.id
        self.held[token] = replace(wanted, id=answer.json()["id"])

    @precondition(lambda self: self.held)
    @rule(data=st.data(), employee=employees, additional=st.sampled_from([[], [ANNA], [BO]]))
    def book_what_is_held(self, data: st.DataObject, employee: str, additional: list[str]) -> None:
        token = data.draw(st.sampled_from(list(self.held)))
        held = self.held[token]
        employee = held.employee or employee
        answer = self.book(employee, additional, timeSlotId=held.id)
        resources = held.resources | {employee, *additional}
        if not self.is_live(held):
            assert refusal(answer) == (409, "reservation_gone")
        elif self.is_taken(held.span, resources, own_token=token):
            assert refusal(answer) == (409, "time_slot_taken")
        else:
            assert answer.status_code == 201, answer.text
            del self.held[token]
            self.meetings[answer.json()["id"]] = Met(held.span, resources)

    @rule(span=spans, employee=employees, additional=st.sampled_from([[], [ANNA], [BO]]), room=rooms)
    def book_directly(self, span: Span, employee: str, additional: list[str], room: str | None) -> None:
        times = {"startDate": span[0].isoformat(), "endDate": span[1].isoformat()}
        answer = self.book(employee, additional, **times, **({"roomId": room} if room else {}))
        resources = frozenset({employee, *additional} | ({room} if room else set[str]()))
        if self.is_taken(span, resources):
            assert refusal(answer) == (409, "time_slot_taken")
        else:
            assert answer.status_code == 201, answer.text
            self.meetings[answer.json()["id"]] = Met(span, resources)

    @precondition(lambda self: self.meetings)
    @rule(data=st.data(), span=spans)
    def move(self, data: st.DataObject, span: Span) -> None:
        meeting_id = data.draw(st.sampled_from(list(self.meetings)))
        met = self.meetings[meeting_id]
        patch = [
            {"op": "replace", "path": f"/{name}", "value": moment.isoformat()}
            for name, moment in zip(("startDate", "endDate"), span, strict=True)
        ]
        answer = self.call(self.firm.api.request("PATCH", f"v3/booking/meetings/{meeting_id}", json=patch))
        if self.is_taken(span, met.resources, own_meeting=meeting_id):
            assert refusal(answer) == (409, "time_slot_taken")
        else:
            assert answer.status_code == 200, answer.text
            self.meetings[meeting_id] = replace(met, span=span)

    @precondition(lambda self: self.meetings)
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        meeting_id = data.draw(st.sampled_from(list(self.meetings)))
        answer = self.call(self.firm.api.request("DELETE", f"v3/booking/meetings/{meeting_id}"))
        assert answer.status_code == 204
        del self.meetings[meeting_id]

    @rule(minutes=st.sampled_from([1, 4, 5]))
    def wait(self, minutes: int) -> None:
        self.firm.wait(minutes)

    @invariant()
    def what_is_taken_is_what_should_be(self) -> None:
        expected = {(resource, met.span) for met in self.meetings.values() for resource in met.resources}
        expected |= {
            (resource, held.span) for held in self.held.values() if self.is_live(held) for resource in held.resources
        }
        assert self.firm.list_taken() == expected

    @property
    def now(self) -> datetime:
        return self.firm.clock()

    def is_live(self, held: Held) -> bool:
        return self.now < held.expires_at

    def is_taken(
        self, span: Span, resources: frozenset[str], *, own_token: UUID | None = None, own_meeting: str = ""
    ) -> bool:
        others = [(each.span, each.resources) for key, each in self.meetings.items() if key != own_meeting]
        others += [
            (each.span, each.resources) for key, each in self.held.items() if key != own_token and self.is_live(each)
        ]
        return any(span[0] < end and begin < span[1] and resources & theirs for (begin, end), theirs in others)

    def book(self, employee: str, additional: list[str], **members: Any) -> httpx.Response:
        more = [each for each in additional if each != employee]
        return self.call(self.firm.api.book(employeeId=employee, additionalEmployees=more, type="Online", **members))

    def call(self, request: Any) -> httpx.Response:
        return self.firm.runner.run(request)


def length(span: Span) -> int:
    return (span[1] - span[0]) // timedelta(minutes=1)


def members(held: Held) -> dict[str, str]:
    given = {"employeeId": held.employee, "roomId": held.room}
    return {name: value for name, value in given.items() if value is not None}


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"] if answer.status_code >= 400 else ""


def test_what_is_taken_is_what_should_be_after_every_step(addresses: tuple[Address, Address], tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        opened = Firm.open(runner, addresses[1], tmp_path)
        firm = runner.run(opened.__aenter__())
        try:
            run_state_machine_as_test(
                type("CalendarOfFirm", (Calendar,), {"firm": firm}),
                settings=settings(
                    max_examples=15,
                    stateful_step_count=40,
                    deadline=None,
                    derandomize=True,
                    database=None,
                    suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much),
                ),
            )
        finally:
            runner.run(opened.__aexit__(None, None, None))
