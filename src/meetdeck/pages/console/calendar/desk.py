"""The page of a meeting: its time, people and place, the customer's answers, and its history."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.calendar.customer import count_before, has_number
from meetdeck.pages.console.calendar.history import HistoryNames, read_history
from meetdeck.pages.console.calendar.meeting import CalendarMeeting, MeetingInZone, write_typed
from meetdeck.pages.console.calendar.questions import Question, find_questions, list_portals
from meetdeck.pages.console.calendar.seats import read_shared_time
from meetdeck.pages.console.calendar.series import read_series
from meetdeck.pages.console.kit import (
    WAY_ICONS,
    WAYS,
    ConsolePage,
    name_employees,
    name_rooms,
    name_service_groups,
    name_topics,
    show_short_moment,
)
from meetdeck.pages.texts import Texts, mark

_ANSWERS: Final = {
    "Accepted": mark("has accepted"),
    "Declined": mark("has declined"),
    "Tentative": mark("perhaps comes"),
    "NeedsAction": mark("has not answered yet"),
}
_WEB: Final = ("https://", "http://")
_PHONE: Final = "phone"


class _Document(msgspec.Struct, frozen=True, rename="camel"):
    kind: str
    content_id: UUID
    rule_id: UUID | None
    download_url: str
    made_at: datetime
    findings: list[Any] = []


class _PreparedDeck(msgspec.Struct, frozen=True, rename="camel"):
    template: str
    is_sent: bool
    made_at: datetime
    user_name: str | None


class _DocumentProblem(msgspec.Struct, frozen=True):
    problem: str


class ShownDocument(NamedTuple):
    """A deck or PDF of a meeting: its kind, its address, when it was made, and the number of its findings."""

    kind: str
    url: str
    made: str
    findings: int


class ShownDeck(NamedTuple):
    """The deck that somebody prepared: its files, and how it was made. `pdf` is empty if there is none."""

    template: str
    made: str
    maker: str
    is_sent: bool
    deck: str
    pdf: str
    content_id: UUID


class Face(NamedTuple):
    """An employee who attends, and the service group for which they come; empty: none."""

    id: UUID
    name: str
    group: str = ""

    @property
    def initials(self) -> str:
        """Return the first letters of the first and the last name."""
        return write_initials(self.name)


class ShownGuest(NamedTuple):
    """An external attendee besides the customer, with the reply to the invitation."""

    name: str
    email: str
    answer: str


async def describe(page: ConsolePage, opened: MeetingInZone) -> dict[str, Any]:
    """Return the variables of a meeting's page, except its forms."""
    meeting, _, zone = opened
    topics, portals = await name_topics(page.api), await list_portals(page.api, page.texts.language)
    questions = find_questions(portals, meeting.portal_id, meeting.topic_id)
    names = HistoryNames(
        topics,
        {one.id: one.name for one in portals},
        meeting.customer.name if meeting.customer is not None else "",
        {one.name: one.label for one in questions.values()},
    )
    topic = topics.get(meeting.topic_id, "") if meeting.topic_id is not None else ""
    title = meeting.title or topic or page.texts.translate("Meeting")
    history = await read_history(page, meeting.id, names, zone)
    return {
        "meeting": meeting,
        "tag": opened.tag,
        "first": write_typed(opened),
        "title": title,
        "topic": topic,
        **_describe_time(page, meeting, zone),
        **await _describe_people(page, meeting),
        **_describe_place(page.texts, meeting),
        **await _describe_customer(page, meeting, title),
        **_describe_answers(page.texts, meeting, questions),
        **await _describe_documents(page, meeting, zone),
        "series": await read_series(page, opened),
        "shared": await read_shared_time(page, opened),
        "history": history,
        "cancellation": next((one for one in reversed(history) if one.is_cancellation), None),
    }


async def describe_glance(page: ConsolePage, opened: MeetingInZone) -> dict[str, Any]:
    """Return the variables of a meeting's glance: its time, customer, topic, advisors and way to meet."""
    meeting, _, zone = opened
    topics = await name_topics(page.api)
    topic = topics.get(meeting.topic_id, "") if meeting.topic_id is not None else ""
    customer = meeting.customer
    return {
        "heading": (customer.name or customer.email if customer is not None else "") or meeting.title or topic,
        "topic": topic or meeting.title,
        "email": customer.email if customer is not None else "",
        "phone": _describe_answers(page.texts, meeting, {})["phone"],
        "shared": await read_shared_time(page, opened),
        **_describe_time(page, meeting, zone),
        **await _describe_people(page, meeting),
        **_describe_place(page.texts, meeting),
    }


def _describe_time(page: ConsolePage, meeting: CalendarMeeting, zone: ZoneInfo) -> dict[str, Any]:
    begin, end, now = (one.astimezone(zone) for one in (meeting.start_date, meeting.end_date, page.now))
    days = (begin.date() - now.date()).days
    translate = page.texts.translate
    until = (
        translate("It is over.")
        if end <= now
        else translate("Now")
        if begin <= now
        else translate("Today")
        if days == 0
        else translate("Tomorrow")
        if days == 1
        else page.texts.translate_plural("In {number} day", "In {number} days", days)
    )
    return {
        "day": page.texts.show_day(begin.date(), now.date()),
        "when": page.texts.show_long_span(begin, end, now.date()),
        "until": until,
        "has_begun": begin <= now,
        "is_unverified": meeting.calendar_unverified and begin > now and meeting.cancelled_at is None,
        "is_over": end <= now,
    }


async def _describe_people(page: ConsolePage, meeting: CalendarMeeting) -> dict[str, Any]:
    ids = [meeting.employee_id, *meeting.additional_employees]
    people, rooms = await name_employees(page.api, ids), await name_rooms(page.api, [meeting.room_id])
    groups: Mapping[UUID, str] = await name_service_groups(page.api) if meeting.also_service_groups else {}
    came = dict(zip(meeting.also_employees, meeting.also_service_groups, strict=True))
    gone = page.texts.translate("Deleted since")
    return {
        "people": [
            Face(one, people.get(one, gone), groups.get(came[one], "") if one in came else "")
            for one in dict.fromkeys(ids)
        ],
        "room": next(iter(rooms.values()), ""),
        "guests": [
            ShownGuest(one.name or one.email, one.email if one.name else "", _name_answer(page.texts, one.status))
            for one in meeting.external_attendees
            if one is not meeting.customer
        ],
    }


def _describe_place(texts: Texts, meeting: CalendarMeeting) -> dict[str, Any]:
    is_link = meeting.video_link.startswith(_WEB)
    return {
        "way": texts.translate(WAYS.get(meeting.type, meeting.type)),
        "way_icon": WAY_ICONS.get(meeting.type, "map-pin"),
        "join": meeting.video_link if is_link else "",
        "video": "" if is_link else meeting.video_link,
    }


async def _describe_customer(page: ConsolePage, meeting: CalendarMeeting, title: str) -> dict[str, Any]:
    customer = meeting.customer
    name = customer.name or customer.email if customer is not None else ""
    return {
        "customer": name,
        "heading": name or title,
        "initials": write_initials(name or title),
        "email": customer.email if customer is not None else "",
        "answer": _name_answer(page.texts, customer.status) if customer is not None else "",
        "number": meeting.customer_id if has_number(meeting.customer_id) else "",
        "before": await count_before(page, meeting),
    }


def _describe_answers(texts: Texts, meeting: CalendarMeeting, questions: Mapping[str, Question]) -> dict[str, Any]:
    """Return the customer's telephone number, and the answers below their questions."""
    phones = [
        one.value
        for one in meeting.custom_fields
        if one.value and (one.key == _PHONE or (one.key in questions and questions[one.key].is_phone))
    ]
    words = {"true": texts.translate("Yes"), "false": texts.translate("No")}
    return {
        "phone": phones[0] if phones else "",
        "answers": [
            _pair_answer(questions.get(one.key), one.key, words.get(one.value, one.value))
            for one in meeting.custom_fields
            if one.value and one.value not in phones[:1]
        ],
    }


def _pair_answer(question: Question | None, key: str, answer: str) -> tuple[str, str]:
    return (question.label, question.show_answer(answer)) if question is not None else (key, answer)


async def _describe_documents(page: ConsolePage, meeting: CalendarMeeting, zone: ZoneInfo) -> dict[str, Any]:
    if meeting.cancelled_at is not None:
        return {"deck": None, "documents": [], "problems": []}
    path = f"booking/meetings/{meeting.id}/documents"
    kinds = {"Deck": page.texts.translate("Deck"), "Pdf": "PDF"}
    problems = await page.api.get(f"{path}/problems", list[_DocumentProblem])
    documents = await page.api.get(path, list[_Document])
    return {
        "deck": await _describe_deck(page, meeting.id, [one for one in documents if one.rule_id is None], zone),
        "documents": [
            ShownDocument(
                kinds.get(one.kind, one.kind),
                one.download_url,
                show_short_moment(page, one.made_at, zone),
                len(one.findings),
            )
            for one in documents
            if one.rule_id is not None
        ],
        "problems": [one.problem for one in problems],
    }


async def _describe_deck(
    page: ConsolePage, meeting_id: UUID, documents: list[_Document], zone: ZoneInfo
) -> ShownDeck | None:
    """Return the deck that somebody prepared, None for a meeting without one."""
    files = {one.kind: one for one in documents}
    if "Deck" not in files:
        return None
    prepared = await page.api.get(f"booking/meetings/{meeting_id}/deck", _PreparedDeck)
    return ShownDeck(
        prepared.template,
        show_short_moment(page, prepared.made_at, zone),
        prepared.user_name or page.texts.translate("A system with an API key"),
        prepared.is_sent,
        files["Deck"].download_url,
        files["Pdf"].download_url if "Pdf" in files else "",
        files["Deck"].content_id,
    )


def _name_answer(texts: Texts, status: str) -> str:
    return texts.translate(_ANSWERS[status]) if status in _ANSWERS else ""


def write_initials(name: str) -> str:
    """Return the first letters of the first and the last word of a name."""
    words = name.split()
    return "".join(word[0] for word in dict.fromkeys((*words[:1], *words[-1:]))).upper()
