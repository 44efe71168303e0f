"""The calendars of one tenant: an organizer's events are copied into those of the attendees."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec
from msgspec import UNSET

from graph_fake.clock import Clock
from graph_fake.directory import Person, Tenant, make_id
from graph_fake.events import Address, Attachment, Attendee, Draft, Event, Response, ShowAs, Status
from graph_fake.problems import GraphProblem, not_found
from graph_fake.times import stamp, to_utc

Change = Literal["created", "updated", "deleted"]
Answer = Literal["accepted", "tentativelyAccepted", "declined"]

_PLAIN: Final = (
    "subject",
    "body",
    "location",
    "attendees",
    "show_as",
    "is_all_day",
    "sensitivity",
    "importance",
    "categories",
)
_KEPT: Final = (
    "allow_new_time_proposals",
    "response_requested",
    "hide_attendees",
    "is_reminder_on",
    "reminder_minutes_before_start",
)
_SHOWN_AS: Final[dict[Response, ShowAs]] = {"accepted": "busy", "declined": "free"}
_NAMES: Final = {each.name: each.encode_name for each in msgspec.structs.fields(Draft)}
_LARGEST_ATTACHMENT: Final = 3_000_000


class Calendars:
    """The events of a tenant, by mailbox; `notify` is called for each change: mailbox, event, kind of change."""

    def __init__(self, tenant: Tenant, clock: Clock, notify: Callable[[Person, Event, Change], None]) -> None:
        self._tenant = tenant
        self._clock = clock
        self._notify = notify
        self._events: dict[str, dict[str, Event]] = {}
        self._made = 0

    def list_events(self, person: Person, begins: datetime | None = None, ends: datetime | None = None) -> list[Event]:
        """Return a mailbox's events, those that overlap a window if one is given, by start."""
        events = self._events.get(person.id, {}).values()
        chosen = (
            each for each in events if (ends is None or each.start < ends) and (begins is None or each.end > begins)
        )
        return sorted(chosen, key=lambda each: (each.start, each.id))

    def get_event(self, person: Person, id: str) -> Event:  # noqa: A002 - its name everywhere
        """Return an event. Raises GraphProblem."""
        if (event := self._events.get(person.id, {}).get(id)) is None:
            raise not_found("Item")
        return event

    def create(self, person: Person, draft: Draft) -> Event:
        """Return a new event, or the living one of this `transactionId`. Raises GraphProblem."""
        if draft.start is UNSET or draft.end is UNSET:
            raise GraphProblem(400, "ErrorPropertyValidationFailure", "At least one property failed validation.")
        transaction_id = None if draft.transaction_id is UNSET else draft.transaction_id
        for event in self._events.get(person.id, {}).values() if transaction_id is not None else ():
            if event.transaction_id == transaction_id:
                return event
        now = self._clock.now()
        self._made += 1
        event = Event(
            id=f"AAMk{self._made:08d}{make_id(self._tenant.id, str(self._made))[:8]}",
            i_cal_u_id=f"040000008200E00074C5B7101A82E008{self._made:016X}",
            organizer=Address(person.mail, person.display_name),
            is_organizer=True,
            response="organizer",
            start=to_utc(draft.start),
            end=to_utc(draft.end),
            created=now,
            changed=now,
            transaction_id=transaction_id,
        )
        _apply(event, draft)
        if draft.is_online_meeting is True and person.has_teams:
            self._add_meeting(event)
        self._put(person, event, "created")
        self._invite(event)
        return event

    def change(self, person: Person, id: str, draft: Draft, if_match: str | None) -> Event:  # noqa: A002 - as above
        """Change an event and return it. Raises GraphProblem, with 412 for another version."""
        event = self.get_event(person, id)
        _require_version(event, if_match)
        if draft.transaction_id is not UNSET and draft.transaction_id != event.transaction_id:
            raise GraphProblem(400, "ErrorInvalidPropertySet", "The transactionId of an event cannot be changed.")
        _apply(event, draft)
        if draft.body is not UNSET and event.join_url is not None and event.join_url not in event.body.content:
            event.is_online_meeting, event.join_url = False, None  # a body without its meeting's link ends the meeting
        if draft.is_online_meeting is True and person.has_teams and event.join_url is None:
            self._add_meeting(event)
        self._touch(event)
        self._put(person, event, "updated")
        if event.is_organizer:
            self._invite(event)
        return event

    def remove(self, person: Person, id: str, if_match: str | None = None) -> None:  # noqa: A002 - as above
        """Remove an event; an organizer's is cancelled for its attendees. Raises GraphProblem."""
        event = self.get_event(person, id)
        _require_version(event, if_match)
        del self._events[person.id][id]
        self._notify(person, event, "deleted")
        for guest, copy in self._list_copies(event) if event.is_organizer else ():
            copy.is_cancelled, copy.show_as, copy.subject = True, "free", f"Canceled: {event.subject}"
            self._touch(copy)
            self._put(guest, copy, "updated")
        if not event.is_organizer:
            self._record_answer(person, event, "declined")

    def cancel(self, person: Person, id: str) -> None:  # noqa: A002 - as above
        """Cancel an event as its organizer. Raises GraphProblem."""
        if not self.get_event(person, id).is_organizer:
            message = "Your request can't be completed. You need to be an organizer to cancel a meeting."
            raise GraphProblem(400, "ErrorInvalidRequest", message)
        self.remove(person, id)

    def answer(self, person: Person, id: str, answer: Answer) -> None:  # noqa: A002 - as above
        """Keep an attendee's answer, in the own event and the organizer's. Raises GraphProblem."""
        event = self.get_event(person, id)
        if event.is_organizer:
            raise GraphProblem(400, "ErrorInvalidRequest", "You're the meeting organizer.")
        event.response, event.show_as = answer, _SHOWN_AS.get(answer, "tentative")
        self._touch(event)
        self._put(person, event, "updated")
        self._record_answer(person, event, answer)

    def attach(self, person: Person, id: str, name: str, content_type: str, content: bytes) -> Attachment:  # noqa: A002
        """Attach a file of at most 3 MB and return it. Raises GraphProblem."""
        event = self.get_event(person, id)
        if len(content) > _LARGEST_ATTACHMENT:
            raise GraphProblem(413, "ErrorMessageSizeExceeded", "The attachment is larger than 3 MB.")
        number = f"{event.id}-{len(event.attachments) + 1}-{event.version}"
        attachment = Attachment(id=number, name=name, content_type=content_type, content_bytes=content)
        event.attachments = [*event.attachments, attachment]
        self._touch(event)
        self._put(person, event, "updated")
        return attachment

    def detach(self, person: Person, id: str, attachment_id: str) -> None:  # noqa: A002 - as above
        """Remove a file. Raises GraphProblem."""
        event = self.get_event(person, id)
        kept = [each for each in event.attachments if each.id != attachment_id]
        if len(kept) == len(event.attachments):
            raise not_found("Attachment")
        event.attachments = kept
        self._touch(event)
        self._put(person, event, "updated")

    def _add_meeting(self, event: Event) -> None:
        late = timedelta(seconds=self._tenant.join_link_after_seconds)
        link = f"https://teams.microsoft.com/l/meetup-join/{make_id(self._tenant.id, event.i_cal_u_id)}"
        event.is_online_meeting, event.join_url, event.join_url_from = True, link, self._clock.now() + late
        event.body.content += f'<div><a href="{link}">Join the meeting now</a></div>'

    def _invite(self, event: Event) -> None:
        """Write an organizer's event into the calendars of its attendees, who must answer again after a move."""
        copies = {guest.id: copy for guest, copy in self._list_copies(event)}
        for attendee in event.attendees:
            guest = self._tenant.find_person(attendee.email_address.address)
            if guest is not None and guest.mailbox == "Cloud" and guest.mail.lower() != event.organizer.address.lower():
                self._write_copy(event, guest, copies.pop(guest.id, None))
        for guest_id, copy in copies.items():  # no longer invited
            del self._events[guest_id][copy.id]
            self._notify(self._tenant.people[guest_id], copy, "deleted")

    def _write_copy(self, event: Event, guest: Person, before: Event | None) -> None:
        is_as_before = before is not None and (before.start, before.end) == (event.start, event.end)
        kept: Response = before.response if before is not None and is_as_before else "notResponded"
        copy = msgspec.structs.replace(
            event,
            id=before.id if before is not None else f"{event.id}-{guest.id[:8]}",
            is_organizer=False,
            response=kept,
            show_as=_SHOWN_AS.get(kept, "tentative"),
            transaction_id=None,
        )
        self._put(guest, copy, "created" if before is None else "updated")
        if guest.kind == "room" and kept == "notResponded":
            others = self.list_events(guest, event.start, event.end)
            is_free = all(each.id == copy.id or each.show_as == "free" for each in others)
            self.answer(guest, copy.id, "accepted" if is_free else "declined")

    def _list_copies(self, event: Event) -> Iterator[tuple[Person, Event]]:
        """Yield the attendees that have the event, and theirs."""
        for person_id, events in self._events.items():
            if (person := self._tenant.people.get(person_id)) is not None:
                for copy in [each for each in events.values() if each.i_cal_u_id == event.i_cal_u_id]:
                    if not copy.is_organizer:
                        yield person, copy

    def _record_answer(self, person: Person, event: Event, answer: Answer) -> None:
        """Write an attendee's answer into the organizer's event."""
        organizer = self._tenant.find_person(event.organizer.address)
        own = self._events.get(organizer.id, {}).values() if organizer is not None else ()
        for each in own:
            if organizer is not None and each.i_cal_u_id == event.i_cal_u_id and each.is_organizer:
                status = Status(answer, stamp(self._clock.now()))
                each.attendees = [_answered(guest, person, status) for guest in each.attendees]
                self._touch(each)
                self._notify(organizer, each, "updated")

    def _put(self, person: Person, event: Event, change: Change) -> None:
        self._events.setdefault(person.id, {})[event.id] = event
        self._notify(person, event, change)

    def _touch(self, event: Event) -> None:
        event.version += 1
        event.changed = self._clock.now()


def _answered(guest: Attendee, person: Person, status: Status) -> Attendee:
    is_theirs = guest.email_address.address.lower() == person.mail.lower()
    return msgspec.structs.replace(guest, status=status) if is_theirs else guest


def _apply(event: Event, draft: Draft) -> None:
    """Write the sent members into an event. Raises GraphProblem for one that ends before it starts."""
    start = event.start if draft.start is UNSET else to_utc(draft.start)
    end = event.end if draft.end is UNSET else to_utc(draft.end)
    if end < start:
        raise GraphProblem(400, "ErrorPropertyValidationFailure", "The end of an event is before its start.")
    event.start, event.end = start, end
    for name in _PLAIN:
        if (value := getattr(draft, name)) is not UNSET:
            setattr(event, name, value)
    kept = {name: getattr(draft, name) for name in _KEPT if getattr(draft, name) is not UNSET}
    event.others = event.others | {_NAMES[name]: value for name, value in kept.items()}


def _require_version(event: Event, if_match: str | None) -> None:
    if if_match not in {None, "*", event.etag}:
        raise GraphProblem(412, "ErrorIrresolvableConflict", "The send or update operation could not be performed.")
