"""Events and their attachments."""

from typing import Final, Literal

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.params import FromPath

from graph_fake.calendars import Answer
from graph_fake.events import Draft
from graph_fake.paging import select, write_page
from graph_fake.problems import GraphProblem, read_body
from graph_fake.requests import (
    READS,
    WRITES,
    Call,
    answer,
    answer_nothing,
    find_zone_wanted,
    get_address,
    get_world,
    open_mailbox,
)
from graph_fake.times import read_moment

_EVENTS: Final = ["/v1.0/users/{key:str}/events", "/v1.0/users/{key:str}/calendar/events"]
_EVENT: Final = [f"{each}/{{event_id:str}}" for each in _EVENTS]
_FILES: Final = [f"{each}/attachments" for each in _EVENT]
_VIEW: Final = ["/v1.0/users/{key:str}/calendarView", "/v1.0/users/{key:str}/calendar/calendarView"]
_ANSWERS: Final[dict[str, Answer]] = {
    "accept": "accepted",
    "tentativelyAccept": "tentativelyAccepted",
    "decline": "declined",
}


class _File(msgspec.Struct, rename="camel", kw_only=True):
    """The body of a new attachment."""

    odata_type: Literal["#microsoft.graph.fileAttachment"] = msgspec.field(name="@odata.type")
    name: str
    content_bytes: bytes
    content_type: str = "application/octet-stream"


@get(_EVENTS)
async def list_events(key: FromPath[str], request: Call) -> Response[bytes]:
    """Return a page of a mailbox's events."""
    calendars, person = open_mailbox(request, key, READS)
    now, zone = get_world(request).clock.now(), find_zone_wanted(request)
    items = [each.to_resource(now, zone) for each in calendars.list_events(person)]
    return answer(write_page(items, request.query_params, get_address(request), 10))


@get(_VIEW)
async def view_calendar(key: FromPath[str], request: Call) -> Response[bytes]:
    """Return a page of the events that overlap a window."""
    calendars, person = open_mailbox(request, key, READS)
    query = request.query_params
    if "startDateTime" not in query or "endDateTime" not in query:
        raise GraphProblem(400, "ErrorInvalidParameter", "This request requires a time window.")
    begins, ends = (read_moment(query[name].replace(" ", "+")) for name in ("startDateTime", "endDateTime"))
    now, zone = get_world(request).clock.now(), find_zone_wanted(request)
    items = [each.to_resource(now, zone) for each in calendars.list_events(person, begins, ends)]
    return answer(write_page(items, query, get_address(request), 10))


@post(_EVENTS)
async def create_event(key: FromPath[str], request: Call) -> Response[bytes]:
    """Create an event, or return the one that has this `transactionId`."""
    calendars, person = open_mailbox(request, key, WRITES)
    event = calendars.create(person, read_body(await request.body(), Draft))
    shown = event.to_resource(get_world(request).clock.now(), find_zone_wanted(request))
    return answer(shown, 201, {"ETag": event.etag})


@get(_EVENT)
async def get_event(key: FromPath[str], event_id: FromPath[str], request: Call) -> Response[bytes]:
    """Return an event."""
    calendars, person = open_mailbox(request, key, READS)
    event = calendars.get_event(person, event_id)
    shown = event.to_resource(get_world(request).clock.now(), find_zone_wanted(request))
    return answer(select(shown, request.query_params), 200, {"ETag": event.etag})


@patch(_EVENT)
async def change_event(key: FromPath[str], event_id: FromPath[str], request: Call) -> Response[bytes]:
    """Change the sent members of an event."""
    calendars, person = open_mailbox(request, key, WRITES)
    draft = read_body(await request.body(), Draft)
    event = calendars.change(person, event_id, draft, request.headers.get("if-match"))
    shown = event.to_resource(get_world(request).clock.now(), find_zone_wanted(request))
    return answer(shown, 200, {"ETag": event.etag})


@delete(_EVENT, status_code=200)
async def delete_event(key: FromPath[str], event_id: FromPath[str], request: Call) -> Response[bytes]:
    """Remove an event; an organizer's is cancelled for its attendees."""
    calendars, person = open_mailbox(request, key, WRITES)
    calendars.remove(person, event_id, request.headers.get("if-match"))
    return answer_nothing()


@post([f"{each}/{{action:str}}" for each in _EVENT])
async def act_on_event(
    key: FromPath[str], event_id: FromPath[str], action: FromPath[str], request: Call
) -> Response[bytes]:
    """Cancel an event as its organizer, or answer it as an attendee."""
    calendars, person = open_mailbox(request, key, WRITES)
    if action == "cancel":
        calendars.cancel(person, event_id)
    elif action in _ANSWERS:
        calendars.answer(person, event_id, _ANSWERS[action])
    else:
        raise GraphProblem(400, "BadRequest", f"Resource not found for the segment '{action}'.")
    return answer_nothing(202)


@get(_FILES)
async def list_attachments(key: FromPath[str], event_id: FromPath[str], request: Call) -> Response[bytes]:
    """Return a page of an event's files."""
    calendars, person = open_mailbox(request, key, READS)
    files = [each.to_resource() for each in calendars.get_event(person, event_id).attachments]
    return answer(write_page(files, request.query_params, get_address(request), 10))


@post(_FILES)
async def add_attachment(key: FromPath[str], event_id: FromPath[str], request: Call) -> Response[bytes]:
    """Attach a file of at most 3 MB."""
    calendars, person = open_mailbox(request, key, WRITES)
    file = read_body(await request.body(), _File)
    return answer(
        calendars.attach(person, event_id, file.name, file.content_type, file.content_bytes).to_resource(), 201
    )


@delete([f"{each}/{{attachment_id:str}}" for each in _FILES], status_code=200)
async def delete_attachment(
    key: FromPath[str], event_id: FromPath[str], attachment_id: FromPath[str], request: Call
) -> Response[bytes]:
    """Remove a file."""
    calendars, person = open_mailbox(request, key, WRITES)
    calendars.detach(person, event_id, attachment_id)
    return answer_nothing()


HANDLERS: Final = [
    list_events,
    view_calendar,
    create_event,
    get_event,
    change_event,
    delete_event,
    act_on_event,
    list_attachments,
    add_attachment,
    delete_attachment,
]
