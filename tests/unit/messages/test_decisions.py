"""The messages that a meeting makes due, against a simple model of what everybody was told, with random changes."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee
from meetdeck.booking.slots.model import MeetingType
from meetdeck.messages.meeting_messages.schemas import MeetingState, Message, MessageStatus
from meetdeck.messages.meeting_messages.service.decisions import Drop, decide, list_due
from meetdeck.messages.writing.kinds import MessageKind

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
ANNA, BO = UUID(int=1), UUID(int=2)
ADDRESSES = {ANNA: "anna@firm.example", BO: "bo@firm.example"}
MEETING = MeetingState(
    meeting_id=UUID(int=9),
    sequence=0,
    starts_at=NOW + timedelta(days=1),
    ends_at=NOW + timedelta(days=1, hours=1),
    type=MeetingType.ONLINE,
    title="",
    video_link="",
    room_id=None,
    employee_id=ANNA,
    additional_employees=[],
    external_attendees=[Attendee("Freja", "freja@example.com")],
    cancelled_at=None,
)


class World:
    """A meeting, its messages, and what each person's calendar shows."""

    def __init__(self) -> None:
        self.state = MEETING
        self.messages: list[Message] = []
        self.shown: dict[str, bytes] = {}
        self.in_doubt: set[str] = set()
        """Addresses to which the answer of an attempt was lost, and nothing was sent for certain since."""
        self.mails = 0
        self.is_news = True
        self.is_routed = False

    def change(self, **members: Any) -> None:
        if self.state.cancelled_at is None:
            self.state = replace(self.state, sequence=self.state.sequence + 1, **members)
            self.is_news |= "title" not in members and "external_attendees" not in members
            self.is_routed = False

    def route(self) -> None:
        """Apply the decisions that are due after a change."""
        recipients = self.state.list_recipients(ADDRESSES)
        due = list(list_due(self.state, recipients, self.messages, has_new_time=self.is_news, now=NOW))
        for new in [] if self.is_routed else due:
            self.messages.append(
                Message(
                    message_id=uuid4(),
                    meeting_id=new.meeting_id,
                    kind=new.kind,
                    recipient=new.recipient.kind,
                    address=new.recipient.address,
                    sequence=new.sequence,
                    facts_digest=new.facts_digest,
                    status=MessageStatus.WAITING,
                    attempts=0,
                )
            )
        self.is_news, self.is_routed = False, True

    def send(self, place: int, outcome: str = "sent") -> None:
        """Give one of the waiting messages its turn; of an attempt without an answer, it may have arrived or not."""
        waiting = [number for number, one in enumerate(self.messages) if one.status is MessageStatus.WAITING]
        if not waiting:
            return
        number = waiting[place % len(waiting)]
        message = self.messages[number]
        decision = decide(message, self.state, self.state.list_recipients(ADDRESSES), self.messages, NOW)
        if isinstance(decision, Drop):
            self.messages[number] = replace(message, status=MessageStatus.DROPPED)
            return
        kind = decision.kind
        told, is_in_doubt = self.state.facts_digest, message.address in self.in_doubt
        if outcome == "sent":
            self.messages[number] = replace(
                message, status=MessageStatus.SENT, facts_digest=told, is_perhaps_sent=False
            )
            self.in_doubt.discard(message.address)
        else:
            self.messages[number] = replace(message, is_perhaps_sent=True)
            self.in_doubt.add(message.address)
        self.mails += 1
        if not is_in_doubt:
            assert (message.address in self.shown) == (kind is not MessageKind.INVITATION)
            assert kind is MessageKind.CANCELLATION or self.shown.get(message.address) != told, "told twice"
        if outcome == "lost":
            return
        if kind is MessageKind.CANCELLATION:
            self.shown.pop(message.address, None)
            return
        assert self.state.cancelled_at is None
        self.shown[message.address] = told


STEPS = st.one_of(
    st.tuples(st.just("move"), st.integers(1, 3)),
    st.tuples(st.just("title"), st.sampled_from(["", "A", "B"])),
    st.tuples(st.just("guests"), st.sets(st.sampled_from(["freja", "ole", "bo"]))),
    st.tuples(st.just("advisor"), st.sampled_from([ANNA, BO])),
    st.tuples(st.just("cancel"), st.none()),
    st.tuples(st.just("route"), st.none()),
    st.tuples(st.just("send"), st.tuples(st.integers(0, 5), st.sampled_from(["sent", "unanswered", "lost"]))),
)


@given(st.lists(STEPS, max_size=25))
def test_in_the_end_everybodys_calendar_shows_the_meeting_and_nobody_was_told_anything_twice(steps: list[Any]) -> None:
    world = World()
    world.route()
    for step, value in steps:
        match step:
            case "move":
                begin = NOW + timedelta(days=value)
                world.change(starts_at=begin, ends_at=begin + timedelta(hours=1))
            case "title":
                world.change(title=value)
            case "guests":
                world.change(external_attendees=[Attendee(one, f"{one}@firm.example") for one in sorted(value)])
            case "advisor":
                world.change(employee_id=value)
            case "cancel":
                world.change(cancelled_at=NOW)
            case "route":
                world.route()
            case _:
                world.send(*value)
    for _ in range(40):
        world.route()
        world.send(0)
    state = world.state
    people = state.list_recipients(ADDRESSES).values()
    told = {one.address: state.facts_digest for one in people if state.cancelled_at is None}
    assert world.shown == told


def test_a_meeting_of_which_nobody_was_told_makes_nothing_due_by_a_change_of_its_notes() -> None:
    recipients = MEETING.list_recipients(ADDRESSES)
    assert list(list_due(MEETING, recipients, [], has_new_time=False, now=NOW)) == []
    assert len(list(list_due(MEETING, recipients, [], has_new_time=True, now=NOW))) == 2
    assert list(list_due(MEETING, recipients, [], has_new_time=True, now=MEETING.ends_at)) == []
