"""The steps of booking, each a page: topic, meeting type, time, details, check."""

from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import msgspec
from litestar import Response

from meetdeck.booking.configuration.portals.schemas import AuthenticationType
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_slots
from meetdeck.pages.portal.day_strip import find_period, list_days
from meetdeck.pages.portal.requests import Page
from meetdeck.pages.portal.schemas import FormValues, Hold, Person, Ticket, Visit
from meetdeck.pages.portal.service.details import first_values, has_text, list_fields, needs_person
from meetdeck.pages.portal.service.managing import ManagedMeeting
from meetdeck.pages.portal.service.no_times import NoTimes, explain_no_times
from meetdeck.pages.portal.service.offers import (
    MeetingOption,
    find_topic,
    find_way,
    list_topics,
    list_ways,
    list_ways_of,
)
from meetdeck.pages.portal.service.times import OfferedTimes, find_meeting_types, find_times, keeps_people
from meetdeck.pages.portal.service.topics import pick_topics
from meetdeck.pages.portal.threads import PAGES
from meetdeck.pages.portal.views import (
    ShownFace,
    describe_hold,
    find_root,
    list_errors,
    list_zones,
    show_face,
    show_zone,
)
from meetdeck.platform.process.threads import Check

_LOOKED_AHEAD: Final = timedelta(days=14)
"""The period in which a page looks for meeting types with any free time."""


class CarriedSteps(msgspec.Struct, frozen=True, kw_only=True):
    """The values that a visitor takes back to an earlier step: the form, the signed-in person, and the ticket."""

    typed: FormValues
    person: Person | None
    ticket: Ticket
    problem: str = ""
    """The reason for going back, in words for customers."""


class Offer(msgspec.Struct, frozen=True):
    """The topic and meeting type for which a portal offers times."""

    topic: Topic | None
    way: MeetingOption
    topics: list[Topic]
    ways: list[MeetingOption]


async def show_first_step(page: Page) -> Response[bytes]:
    """Answer the first page that offers a choice."""
    found = await find_offer(page)
    return found if isinstance(found, Response) else await show_times(page, found)


async def find_offer(page: Page) -> Offer | Response[bytes]:
    """Return the chosen offer, or the page on which to choose."""
    visit = page.visit
    async with page.portals.database.transaction(visit.tenant_id) as connection:
        topics = await list_topics(connection, visit)
        topic = find_topic(topics, visit.choices)
        topic_id = topic.id if topic is not None else None
        ways = await list_ways(connection, visit, topic_id)
        way = find_way(ways, visit.choices)
        is_open = way is None and topic is not None
        found = await find_meeting_types(connection, visit, topic_id, _LOOKED_AHEAD) if is_open else None
    if topic is None:
        shown = pick_topics(topics, page.request.query_params)
        cards = [(each, list_ways_of(each, ways)) for each in shown.topics]
        return page.show("topic.html", topics=cards, shown=shown, is_first=True)
    if found is not None:
        ways = await PAGES.run(visit.tenant_id, partial(_list_free_ways, ways, found))
        way = find_way(ways, visit.choices)
    if way is None:
        return page.show("way.html", topic=topic, topics=topics, ways=ways, is_first=len(topics) == 1)
    return Offer(topic, way, topics, ways)


def _list_free_ways(ways: list[MeetingOption], found: SearchInput, check: Check) -> list[MeetingOption]:
    """Return the meeting types with any free time; all of them if there is none at all."""
    free = {slot.meeting_type for slot in find_slots(found, check)}
    return [each for each in ways if each.meeting_type in free] or ways


async def show_times(
    page: Page,
    offer: Offer,
    kept: CarriedSteps | None = None,
    *,
    moving: ManagedMeeting | None = None,
    action: str = "",
) -> Response[bytes]:
    """Answer the page with free times; `kept` is carried on, and shown as the reason for coming back.

    `moving` is the meeting that is to move, and `action` then the address of its pages below the portal's.
    """
    visit = page.visit
    topic_id = offer.topic.id if offer.topic is not None else None
    meeting = moving.meeting if moving is not None else None
    times = await find_times(page.portals.database, visit, topic_id, offer.way, moving=meeting)
    page.portals.outside_calendars.record_search(visit.tenant_id, times.found.employee_ids)
    nothing = None
    if not times.days:
        ways = offer.ways if moving is None else []
        nothing = await explain_no_times(
            page.portals.database, visit, topic_id, offer.way, ways, times.found, moving=meeting
        )
    return page.show(
        "times.html",
        HTTPStatus.CONFLICT if kept is not None and kept.problem else HTTPStatus.OK,
        offer=offer,
        days=(days := list_days(visit, times, offer.way.meeting_type) if times.days else []),
        period=find_period(visit, days),
        are_alike=_are_alike(times),
        advisors=(advisors := _list_advisors(visit, times)),
        beside=[one.name for one in moving.companions] if moving and keeps_people(visit.choices, meeting) else [],
        chosen=next((each for each in advisors if each.employee_id == str(visit.choices.advisor_id)), None),
        nothing=nothing,
        first_times=_list_first_times(visit, nothing),
        kept=kept,
        **_seal_steps(page, kept),
        zone_name=show_zone(visit),
        zones=list_zones() if visit.choices.zone else [],
        wish_address=_find_wish_address(page, offer) if moving is None else "",
        moving=moving,
        action=action,
        is_first=kept is None and moving is None and visit.choices.are_none,
        today=visit.today,
    )


def _list_first_times(visit: Visit, nothing: NoTimes | None) -> list[str]:
    """Return the dates of the first times of other choices, in words, if these choices have none."""
    alternatives = nothing.alternatives if nothing is not None else []
    return [
        visit.texts.show_day_inside(each.starts_at.astimezone(visit.zone).date(), visit.today) for each in alternatives
    ]


def _seal_steps(page: Page, kept: CarriedSteps | None) -> dict[str, str]:
    """Return the sealed ticket and person of the earlier steps; at the first step, a new ticket and nobody."""
    seals, now = page.portals.seals, page.visit.now
    ticket = kept.ticket if kept is not None else page.portals.make_ticket(page.visit)
    person = seals.seal(kept.person, now) if kept is not None and kept.person else ""
    return {"ticket": seals.seal(ticket, now), "person": person}


def _find_wish_address(page: Page, offer: Offer) -> str:
    """Return the address for adding a waiting-list entry with the choices; empty if there is no waiting list."""
    visit = page.visit
    if offer.topic is None or not needs_person(visit):
        return ""
    chosen = visit.choices.write(
        topic_id=offer.topic.id, meeting_type=offer.way.meeting_type, place=offer.way.place, others=()
    )
    return f"{find_root(page.request)}p/{visit.address}/wish{chosen}"


def _are_alike(times: OfferedTimes) -> bool:
    """Return whether all times have the same length, so that their starts are enough."""
    return len({one.ends_at - one.starts_at for day in times.days for one in (*day.morning, *day.afternoon)}) == 1


def _list_advisors(visit: Visit, times: OfferedTimes) -> list[ShownFace]:
    """Return the advisors to choose from; empty if there is no choice."""
    chosen = visit.choices.advisor_id
    is_choice = len(times.advisors) > 1 or chosen is not None
    return [show_face(visit, one.id, one.name, one.picture_id) for one in times.advisors] if is_choice else []


async def show_details(
    page: Page,
    hold: Hold,
    person: Person | None,
    typed: FormValues | None = None,
    *,
    is_checked: bool = False,
    problem: str = "",
) -> Response[bytes]:
    """Answer the page with the form, or the one that asks the customer to sign in first."""
    visit = page.visit
    carried = _carry(page, hold, person)
    if person is None and visit.portal.authentication_type is not AuthenticationType.ANONYMOUS:
        origin = await page.portals.sign_ins.find_origin(visit, hold)
        framed = page.request.headers.get("Sec-Fetch-Dest") == "iframe"
        return page.show(
            "sign-in.html",
            form_origin=origin,
            **carried,
            problem=problem,
            typed=typed or FormValues(),
            is_framed=framed,
        )
    fields = list_fields(visit, typed or first_values(visit), is_checked=is_checked)
    errors = list_errors(fields) + ([("", problem)] if problem else [])
    return page.show(
        "details.html",
        HTTPStatus.BAD_REQUEST if errors else HTTPStatus.OK,
        **carried,
        fields=fields,
        errors=errors,
        signed_in=person,
        needs_trap=has_text(visit),
    )


def show_check(page: Page, hold: Hold, person: Person | None, typed: FormValues) -> Response[bytes]:
    """Answer the page that repeats everything before it is booked."""
    fields = list_fields(page.visit, typed, is_checked=True)
    shown = [field for field in fields if field.value]
    return page.show("check.html", **_carry(page, hold, person), fields=shown, typed=typed, signed_in=person)


def show_sent(page: Page, hold: Hold, typed: FormValues, *, problem: str = "") -> Response[bytes]:
    """Answer the page that says that a mail was sent, and how long the time is held."""
    minutes = max(1, int((hold.expires_at - page.visit.now).total_seconds() // 60))
    return page.show(
        "confirm-sent.html",
        **_carry(page, hold, None),
        typed=typed,
        time_left=page.visit.texts.show_length(timedelta(minutes=minutes)),
        errors=[("", problem)] if problem else [],
    )


def _carry(page: Page, hold: Hold, person: Person | None) -> dict[str, Any]:
    """Return the values that the pages after the times carry in their forms."""
    visit, seals = page.visit, page.portals.seals
    return {
        **describe_hold(visit, hold),
        "sealed_hold": seals.seal(hold, visit.now),
        "sealed_person": seals.seal(person, visit.now) if person is not None else "",
    }
