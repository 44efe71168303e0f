"""Random changes of meetings under lost answers and killed processes end with exactly one event each."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final
from uuid import UUID

import pytest

from graph_fake.calendars import Calendars
from graph_fake.clock import Clock
from graph_fake.directory import Person, Tenant
from graph_fake.events import Draft
from graph_fake.problems import GraphProblem
from graph_fake.times import DateTimeTimeZone
from meetdeck.connections.graph.event_steps import (
    Cancel,
    Change,
    Create,
    Done,
    EventFacts,
    EventState,
    Guest,
    NotThere,
    Step,
    begin,
    find_step,
    finish,
)

_DAY: Final = datetime(2026, 11, 24, tzinfo=UTC)
_MAILS: Final = ("anna@firm.test", "bo@firm.test")
_FACTS: Final = EventFacts("anna@firm.test", _DAY, _DAY + timedelta(hours=1))


class _Killed(Exception):  # noqa: N818 - what happens to the process
    pass


class _Office:
    """Meetings, what is kept of their events, and the calendars of the fake of Graph."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.wanted: dict[UUID, EventFacts | None] = {}
        self.kept: dict[UUID, EventState] = {}
        self.is_calm = False
        tenant = Tenant("t")
        for mail in _MAILS:
            tenant.put_person(Person(id=mail, mail=mail))
        self.people = tenant.people
        self.calendars = Calendars(tenant, Clock(_DAY), _tell_nobody)

    def book_or_change(self) -> None:
        """Book a meeting, or move, give away or cancel one."""
        if not self.wanted or self.dice.random() < 0.3:
            self.wanted[UUID(int=len(self.wanted) + 1)] = self._make_facts()
            return
        meeting_id = self.dice.choice([*self.wanted])
        if self.wanted[meeting_id] is not None:
            self.wanted[meeting_id] = None if self.dice.random() < 0.3 else self._make_facts()

    def work(self) -> bool:
        """Take one step for each meeting that needs one; return whether any did."""
        is_busy = False
        for meeting_id, wanted in self.wanted.items():
            state = self.kept.get(meeting_id, EventState())
            if (step := find_step(wanted, state)) is not None:
                is_busy = True
                state = self.kept[meeting_id] = begin(state, step)
                try:
                    self.kept[meeting_id] = finish(state, step, self._send(meeting_id, step))
                except (_Killed, TimeoutError):
                    continue
        return is_busy

    def _send(self, meeting_id: UUID, step: Step) -> Done | NotThere:
        chance = 1.0 if self.is_calm else self.dice.random()
        if chance < 0.2:
            raise TimeoutError  # nothing was done
        outcome = self._do(meeting_id, step)
        if chance < 0.3:
            outcome = self._do(meeting_id, step)  # repeated on the way
        if chance < 0.5:
            raise _Killed  # it was done, and nobody was told
        return outcome

    def _do(self, meeting_id: UUID, step: Step) -> Done | NotThere:
        try:
            match step:
                case Create(facts=facts):
                    draft = _draft(facts, step.name_transaction(meeting_id))
                    return Done(self.calendars.create(self.people[facts.mailbox], draft).id)
                case Change(event_id=event_id, facts=facts):
                    return Done(self.calendars.change(self.people[facts.mailbox], event_id, _draft(facts), None).id)
                case Cancel(event_id=event_id, mailbox=mailbox):
                    self.calendars.cancel(self.people[mailbox], event_id)
                    return Done(event_id)
        except GraphProblem:
            return NotThere()

    def _make_facts(self) -> EventFacts:
        begin_ = _DAY + timedelta(hours=self.dice.randrange(8, 10))
        return EventFacts(self.dice.choice(_MAILS), begin_, begin_ + timedelta(hours=1), str(self.dice.randrange(2)))


def _tell_nobody(*_: object) -> None:
    pass


def _draft(facts: EventFacts, transaction_id: str | None = None) -> Draft:
    start, end = (DateTimeTimeZone(moment.isoformat()) for moment in (facts.starts_at, facts.ends_at))
    draft = Draft(start=start, end=end, subject=facts.subject)
    if transaction_id is not None:
        draft.transaction_id = transaction_id
    return draft


@pytest.mark.parametrize("seed", range(40))
def test_each_living_meeting_has_one_event_and_a_cancelled_one_has_none(seed: int) -> None:
    office = _Office(Random(seed))  # noqa: S311 - so that a failure can be repeated
    for _ in range(50):
        office.book_or_change()
        for _ in range(office.dice.randrange(3)):
            office.work()
    office.is_calm = True
    for _ in range(10):
        if not office.work():
            break
    assert not office.work()
    events = Counter(
        (mail, event.start, event.end, event.subject)
        for mail, person in office.people.items()
        for event in office.calendars.list_events(person)
    )
    assert events == Counter(facts[:4] for facts in office.wanted.values() if facts is not None)


def test_an_event_that_is_gone_is_made_anew_under_another_number() -> None:
    state = _write(_FACTS)
    later = _FACTS._replace(ends_at=_DAY + timedelta(hours=2))
    step = find_step(later, state)
    assert isinstance(step, Change)
    assert find_step(later, finish(begin(state, step), step, NotThere())) == Create(2, later)


def test_a_meeting_that_is_cancelled_before_its_event_has_an_answer_asks_which_event_that_was() -> None:
    first = find_step(_FACTS._replace(subject="Pension", guests=(Guest("freja@example.com", "Freja"),)), EventState())
    assert first is not None
    state = begin(EventState(), first)
    again = find_step(None, state)
    assert again is not None
    assert again == Create(1, _FACTS)  # nobody is invited by it
    state = finish(begin(state, again), again, Done("e1"))
    assert find_step(None, state) == Cancel("e1", "anna@firm.test")


@pytest.mark.parametrize("lost", ["change", "cancellation", "creation"])
def test_what_was_sent_without_an_answer_is_written_again_when_the_meeting_is_as_before(lost: str) -> None:
    later = _FACTS._replace(ends_at=_DAY + timedelta(hours=2))
    if lost == "creation":
        first, again = Create(1, later), Create(1, _FACTS)
        state = begin(begin(EventState(), first), again)
        state = finish(state, again, Done("e1"))
    else:
        state = _write(_FACTS)
        step = find_step(later if lost == "change" else None, state)
        assert step is not None
        state = begin(state, step)
    step = find_step(_FACTS, state)
    assert step is not None
    assert step == Change("e1", _FACTS)
    assert find_step(_FACTS, finish(begin(state, step), step, Done("e1"))) is None


def test_nothing_that_is_kept_names_anybody() -> None:
    summary = _FACTS._replace(subject="Pension of Freja", guests=(Guest("freja@example.com", "Freja"),)).summarize()
    assert "freja" not in str(summary).lower()


def _write(facts: EventFacts) -> EventState:
    return finish(begin(EventState(), Create(1, facts)), Create(1, facts), Done("e1"))
