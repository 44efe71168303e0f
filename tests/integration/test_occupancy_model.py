"""Whatever is reserved, renewed, converted, moved, cancelled or left to expire: what is taken is what should be.

`MEETDECK_OCCUPANCY_EXAMPLES=1000` looks longer; then each run looks elsewhere.
"""

import asyncio
import os
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
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

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Address
from support.blocking_firm import BlockingFirm
from support.factories import TUESDAY_AT_TEN
from support.holds import HALF_HOUR, LIFETIME, Cell, Hold, Holds, Span, list_cells

EXAMPLES = os.environ.get("MEETDECK_OCCUPANCY_EXAMPLES")
ANNA, BO, CAMILLA = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind", "Camilla Friis"))
AARHUS_ROOMS = HAVBLIK, FJORDEN = [str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden")]
"""The rooms where all three work; the smallest that seats them all comes first."""
END = TUESDAY_AT_TEN + 8 * HALF_HOUR
KINDS = ("Online", "Online", "Physical")
OVER_BUSY = "ignoreTimeSlotConflicts"

spans = st.tuples(st.integers(0, 4), st.integers(1, 3)).map(
    lambda drawn: (TUESDAY_AT_TEN + drawn[0] * HALF_HOUR, TUESDAY_AT_TEN + sum(drawn) * HALF_HOUR)
)
employees = st.sampled_from([ANNA, ANNA, BO, CAMILLA])
additional_employees = st.sampled_from([(), (), (ANNA,), (BO,), (BO, CAMILLA)])
rooms = st.sampled_from([None, None, HAVBLIK, FJORDEN])
tokens = st.sampled_from([str(UUID(int=number)) for number in (1, 2, 3)])


class Calendar(RuleBasedStateMachine):
    """Three customers' sessions and a few meetings, over and over at the same times of five resources."""

    firm: BlockingFirm

    @initialize()
    def begin(self) -> None:
        self.firm.forget()
        self.holds = Holds()
        for number, (employee, room) in enumerate([(ANNA, HAVBLIK), (BO, None)]):
            span = (TUESDAY_AT_TEN + 4 * number * HALF_HOUR, TUESDAY_AT_TEN + (4 * number + 2) * HALF_HOUR)
            answer = self.book(employee, (), room, "Online", over_busy=False, **write_span(span))
            self.expect_booked(answer, Hold(id="", span=span, employee=employee, room=room))

    # ------------------------------------------------------------------------------------------------ reservations

    @rule(
        data=st.data(),
        token=tokens,
        span=spans,
        employee=st.sampled_from([ANNA, ANNA, BO, None]),
        room=rooms,
        over_busy=st.booleans(),
    )
    def reserve(
        self, data: st.DataObject, token: str, span: Span, employee: str | None, room: str | None, *, over_busy: bool
    ) -> None:
        meetings = [one.meeting for one in self.holds.list_meetings()]
        moves = data.draw(st.sampled_from([None, *meetings, *self.holds.cancelled[-1:]]), "existingMeetingId")
        if moves is not None:
            self.firm.clock.advance(milliseconds=1)  # so that which is the first is known
        self.ask_for(
            Hold(id="", span=span, employee=employee, room=room, token=token, moves=moves), over_busy=over_busy
        )

    @precondition(lambda self: self.holds.list_reservations())
    @rule(data=st.data(), times=st.sampled_from([1, 2, 11]))
    def renew(self, data: st.DataObject, times: int) -> None:
        held = data.draw(st.sampled_from(self.holds.list_reservations()), "reservation")
        for _ in range(times):
            self.ask_for(replace(held))

    def ask_for(self, wanted: Hold, *, over_busy: bool = False) -> None:
        own, moved = self.holds.find_of_token(wanted.token or ""), self.holds.find_of_meeting(wanted.moves)
        answer = self.send_reservation(wanted, over_busy=over_busy)
        is_renewal = own is not None and own.is_live(self.now) and is_same(own, wanted)
        held_by_meeting = moved.cells if moved is not None else frozenset[Cell]()
        if wanted.moves is not None and moved is None:
            assert refusal(answer) == (404, "reference_not_found")
        elif own is not None and is_renewal and own.renewals == 10:
            assert refusal(answer) == (409, "renewals_used_up")
        elif not self.holds.is_free(wanted.wanted - held_by_meeting, self.now, ignored=[own]):
            assert refusal(answer) == (409, "time_slot_taken")
        elif not is_renewal and not over_busy and self.holds.is_busy(wanted.wanted, [moved]):
            assert refusal(answer) == (409, "time_busy")
        else:
            assert answer.status_code == 201, answer.text
            if own is not None and is_renewal:
                assert answer.json()["id"] == own.id
                own.expires_at, own.renewals = self.now + LIFETIME, own.renewals + 1
                own.cells = own.wanted - held_by_meeting
                return
            if own is not None:
                self.holds.delete(own)
                assert self.firm.call("GET", f"time-slots/{own.id}").status_code == 404
            expiry = self.now + LIFETIME
            self.holds.add(replace(wanted, id=answer.json()["id"], made_at=self.now, expires_at=expiry, renewals=0))

    def send_reservation(self, wanted: Hold, *, over_busy: bool) -> httpx.Response:
        slot = write_span(wanted.span) | {
            "status": "Reserved",
            "employeeId": wanted.employee,
            "roomId": wanted.room,
            OVER_BUSY: over_busy,
        }
        body = {"timeSlot": slot, "token": wanted.token, "existingMeetingId": wanted.moves}
        return self.firm.call("POST", "time-slots/reserve", json=body)

    # ---------------------------------------------------------------------------------------------------- meetings

    @rule(data=st.data(), span=spans, whose=st.sampled_from([ANNA, ANNA, BO, CAMILLA, *AARHUS_ROOMS]))
    def become_busy(self, data: st.DataObject, span: Span, whose: str) -> None:
        if self.holds.busy and data.draw(st.booleans(), "another one ends"):
            ended = data.draw(st.sampled_from(list(self.holds.busy)), "entry")  # in the order they came: ids are random
            assert self.firm.call("DELETE", f"time-slots/{ended}").status_code == 204
            del self.holds.busy[ended]
        member = "roomId" if whose in AARHUS_ROOMS else "employeeId"
        entry = self.firm.call("POST", "time-slots", json=write_span(span) | {"status": "Busy", member: whose})
        assert entry.status_code == 201, entry.text
        self.holds.busy[entry.json()["id"]] = list_cells({whose}, span)

    @precondition(lambda self: self.holds.list_reservations())
    @rule(data=st.data(), employee=employees, additional=additional_employees, room=rooms, kind=st.sampled_from(KINDS))
    def book_what_is_held(
        self, data: st.DataObject, employee: str, additional: tuple[str, ...], room: str | None, kind: str
    ) -> None:
        held = data.draw(st.sampled_from(self.holds.list_reservations()), "reservation")
        employee = data.draw(st.sampled_from([held.employee or employee] * 3 + [employee]), "employeeId")
        over_busy = data.draw(st.booleans(), "ignoreTimeSlotConflicts")
        answer = self.book(employee, additional, room, kind, over_busy=over_busy, timeSlotId=held.id)
        if not held.is_live(self.now) or held.employee not in {None, employee}:
            assert refusal(answer) == (409, "reservation_gone")
            return
        met = Hold(
            id=held.id, span=held.span, employee=employee, room=room or held.room, additional=additional, type=kind
        )
        self.expect_booked(answer, met, held, over_busy=over_busy)

    @rule(
        data=st.data(),
        span=spans,
        employee=employees,
        additional=additional_employees,
        room=rooms,
        kind=st.sampled_from(KINDS),
    )
    def book_directly(
        self, data: st.DataObject, span: Span, employee: str, additional: tuple[str, ...], room: str | None, kind: str
    ) -> None:
        over_busy = data.draw(st.booleans(), "ignoreTimeSlotConflicts")
        answer = self.book(employee, additional, room, kind, over_busy=over_busy, **write_span(span))
        met = Hold(id="", span=span, employee=employee, room=room, additional=additional, type=kind)
        self.expect_booked(answer, met, over_busy=over_busy)

    @precondition(lambda self: self.holds.deleted or self.holds.list_meetings())
    @rule(data=st.data(), employee=employees)
    def book_what_is_not_reserved(self, data: st.DataObject, employee: str) -> None:
        used = [one.id for one in self.holds.all if one.token is None]
        slot_id = data.draw(st.sampled_from(self.holds.deleted + used), "timeSlotId")
        answer = self.book(employee, (), None, "Online", timeSlotId=slot_id)
        assert refusal(answer) == ((409, "reservation_gone") if slot_id in used else (404, "not_found"))

    @precondition(lambda self: self.holds.list_meetings())
    @rule(data=st.data(), what=st.sets(st.sampled_from(["when", "employee", "additional", "room", "type"]), min_size=1))
    def change(self, data: st.DataObject, what: set[str]) -> None:
        before = data.draw(st.sampled_from(self.holds.list_meetings()), "meeting")
        after, patch = self.draw_change(data, before, what)
        if "when" in what:
            after.span = data.draw(spans, "times")
            patch |= write_span(after.span)
        self.expect_changed(self.patch(before, patch), before, after, over_busy=OVER_BUSY in patch)

    @precondition(lambda self: self.holds.list_meetings() and self.holds.list_reservations())
    @rule(data=st.data(), what=st.sets(st.sampled_from(["employee", "additional", "room", "type"])))
    def take_over(self, data: st.DataObject, what: set[str]) -> None:
        reserved = data.draw(st.sampled_from(self.holds.list_reservations()), "reservation")
        meetings, moved = self.holds.list_meetings(), self.holds.find_of_meeting(reserved.moves)
        before = data.draw(st.sampled_from(meetings if moved is None else [moved, moved, *meetings]), "meeting")
        after, patch = self.draw_change(data, before, what)
        if reserved.employee is not None and data.draw(st.booleans(), "whose it is"):
            patch["employeeId"] = after.employee = reserved.employee
        patch["timeSlotId"], after.id, after.span = reserved.id, reserved.id, reserved.span
        if reserved.room and after.room == before.room:
            after.room = reserved.room
        self.expect_changed(self.patch(before, patch), before, after, reserved, over_busy=OVER_BUSY in patch)

    def draw_change(self, data: st.DataObject, before: Hold, what: set[str]) -> tuple[Hold, dict[str, Any]]:
        after, patch = replace(before), dict[str, Any]()
        if data.draw(st.booleans(), "whether Busy time is taken, too"):
            patch[OVER_BUSY] = True
        if "employee" in what:
            patch["employeeId"] = after.employee = data.draw(employees, "employeeId")
        if "additional" in what:
            after.additional = data.draw(additional_employees, "additionalEmployees")
            patch["additionalEmployees"] = list(after.additional)
        if "room" in what:
            patch["roomId"] = after.room = data.draw(rooms, "roomId")
        if "type" in what:
            patch["type"] = after.type = data.draw(st.sampled_from(KINDS), "type")
        return after, patch

    def expect_changed(
        self, answer: httpx.Response, before: Hold, after: Hold, reserved: Hold | None = None, *, over_busy: bool
    ) -> None:
        is_gone = reserved is not None and (
            not reserved.is_live(self.now)
            or reserved.employee not in {None, after.employee}
            or reserved.moves not in {None, before.meeting}
        )
        if is_gone:
            assert refusal(answer) == (409, "reservation_gone")
            return
        own = [before, reserved]
        after.leave_out_the_advisor()
        self.settle_room(before, after, own)
        if not self.holds.is_free(after.wanted, self.now, ignored=own):
            assert refusal(answer) == (409, "time_slot_taken")
            return
        if not over_busy and self.holds.is_busy(after.wanted, own):
            assert refusal(answer) == (409, "time_busy")
            return
        assert answer.status_code == 200, answer.text
        self.require_answered(answer, after)
        self.holds.all = [one for one in self.holds.all if one is not before and one is not reserved]
        if reserved is not None:
            self.holds.deleted.append(before.id)
        self.holds.add(after)
        self.holds.transfer_released_time(before.meeting or "", before.cells, self.now)

    def settle_room(self, before: Hold, after: Hold, own: list[Hold | None]) -> None:
        """Choose the room of a changed meeting: only a given or missing one is chosen anew."""
        reserved = own[1]
        is_held = reserved is not None and reserved.room is not None and reserved.room == after.room
        after.is_room_given = before.is_room_given and after.room == before.room is not None and not is_held
        is_moved = (after.span, after.employee, after.type) != (before.span, before.employee, before.type)
        if not is_moved or not (after.is_room_given or after.room is before.room is None):
            return
        if after.type != "Physical":
            after.room = None
        elif self.holds.choose_room([after.room] if after.room else [], after.span, self.now, own) is None:
            after.room = self.holds.choose_room(AARHUS_ROOMS, after.span, self.now, own)
        after.is_room_given = after.room is not None

    def expect_booked(
        self, answer: httpx.Response, met: Hold, reserved: Hold | None = None, *, over_busy: bool = False
    ) -> None:
        met.leave_out_the_advisor()
        if met.type == "Physical" and met.room is None:
            met.room = self.holds.choose_room(AARHUS_ROOMS, met.span, self.now, [reserved])
            met.is_room_given = met.room is not None
        if not self.holds.is_free(met.wanted, self.now, ignored=[reserved]):
            assert refusal(answer) == (409, "time_slot_taken")
            return
        if not over_busy and self.holds.is_busy(met.wanted, [reserved]):
            assert refusal(answer) == (409, "time_busy")
            return
        assert answer.status_code == 201, answer.text
        self.holds.all = [one for one in self.holds.all if one is not reserved]
        met.meeting, met.id = answer.json()["id"], met.id or answer.json()["timeSlotId"]
        self.require_answered(answer, met)
        self.holds.add(met)

    @precondition(lambda self: self.holds.list_meetings())
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        met = data.draw(st.sampled_from(self.holds.list_meetings()), "meeting")
        assert met.meeting is not None
        assert self.firm.call("DELETE", f"meetings/{met.meeting}").status_code == 204
        met.is_released = True
        self.holds.cancelled.append(met.meeting)
        self.holds.transfer_released_time(met.meeting, met.cells, self.now)
        assert refusal(self.patch(met, {"title": "Late"})) == (404, "meeting_not_found")

    @rule(minutes=st.sampled_from([1, 4, 5]))
    def wait(self, minutes: int) -> None:
        self.firm.wait(minutes)

    # ------------------------------------------------------------------------------------- what must hold at any time

    @rule(data=st.data(), employee=employees, count=st.integers(1, 3), among=st.sets(st.sampled_from(AARHUS_ROOMS)))
    def search(self, data: st.DataObject, employee: str, count: int, among: set[str]) -> None:
        """Customers, and those who move a meeting, are offered the times that are free for them."""
        token = data.draw(st.none() | tokens, "token")
        moved = data.draw(st.sampled_from([None, *self.holds.list_meetings()]), "existingMeetingId")
        asked = {"token": token, "existingMeetingId": moved.meeting if moved else None}
        if among:
            asked |= {"requireRoom": "true", "specificRooms": ",".join(among)}
        found = self.firm.call(
            "GET",
            "time-slots/available",
            params={name: value for name, value in asked.items() if value is not None}
            | {"requireEmployeeParticipation": "true", "explicitEmployeeIds": employee, "meetingTypes": "online"}
            | {"startDate": TUESDAY_AT_TEN.isoformat(), "lookForwardTime": "04:00:00"}
            | {"meetingDuration": str(30 * count)},
        )
        own = [self.holds.find_of_token(token) if token else None, moved]
        free: list[datetime] = []
        for number in range(9 - count):
            span = (TUESDAY_AT_TEN + number * HALF_HOUR, TUESDAY_AT_TEN + (number + count) * HALF_HOUR)
            is_room_free = not among or self.holds.choose_room(among, span, self.now, own) is not None
            is_busy = self.holds.is_busy(list_cells({employee}, span))
            if is_room_free and not is_busy and self.holds.is_free(list_cells({employee}, span), self.now, ignored=own):
                free.append(span[0])
        assert [datetime.fromisoformat(one["startDate"]) for one in found.json()] == free

    @invariant()
    def what_is_taken_is_what_should_be(self) -> None:
        assert sorted(self.firm.list_taken()) == sorted(self.holds.list_taken(self.now).items())

    @invariant()
    def the_list_shows_every_slot_as_it_is(self) -> None:
        every = {"status": "Reserved,Booked,Expired,Released"}
        listed = self.firm.call("GET", "time-slots", params=write_span((TUESDAY_AT_TEN, END)) | every).json()
        shown = {one["id"]: (one["status"], one["employeeId"], one["roomId"], one["startTime"]) for one in listed}
        assert shown == {
            one.id: (one.status(self.now), one.employee, one.room, write(one.span[0])) for one in self.holds.all
        }

    @property
    def now(self) -> datetime:
        return self.firm.clock()

    def require_answered(self, answer: httpx.Response, met: Hold) -> None:
        names = ("id", "timeSlotId", "startDate", "endDate", "employeeId", "roomId", "additionalEmployees")
        expected = (met.meeting, met.id, *map(write, met.span), met.employee, met.room, list(met.additional))
        assert tuple(answer.json()[name] for name in names) == expected

    def book(
        self,
        employee: str,
        additional: tuple[str, ...],
        room: str | None,
        kind: str,
        *,
        over_busy: bool = False,
        **when: str,
    ) -> httpx.Response:
        body = {"customerId": "Freja", "employeeId": employee, "additionalEmployees": additional, "type": kind}
        return self.firm.call("POST", "meetings", json=body | {"roomId": room, OVER_BUSY: over_busy} | when)

    def patch(self, met: Hold, members: dict[str, Any]) -> httpx.Response:
        operations = [{"op": "add", "path": f"/{name}", "value": value} for name, value in members.items()]
        return self.firm.call("PATCH", f"meetings/{met.meeting}", json=operations)


def is_same(own: Hold, wanted: Hold) -> bool:
    """Return whether the same slot is asked for again."""
    one, other = ((each.span, each.employee, each.room, each.moves) for each in (own, wanted))
    return one == other


def write(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def write_span(span: Span) -> dict[str, str]:
    return {"startDate": write(span[0]), "endDate": write(span[1])}


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"] if answer.status_code >= 400 else ""


def test_what_is_taken_is_what_should_be_after_every_step(addresses: tuple[Address, Address], tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        opened = BlockingFirm.open(runner, addresses[1], tmp_path)
        firm = runner.run(opened.__aenter__())
        try:
            run_state_machine_as_test(
                type("CalendarOfFirm", (Calendar,), {"firm": firm}),
                settings=settings(
                    max_examples=int(EXAMPLES or 10),
                    stateful_step_count=50,
                    deadline=None,
                    derandomize=EXAMPLES is None,
                    database=None,
                    suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much),
                ),
            )
        finally:
            runner.run(opened.__aexit__(None, None, None))
