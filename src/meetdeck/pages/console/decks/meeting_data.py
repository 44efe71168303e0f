"""The data that a deck gets from its meeting: the meeting's facts, and the form's fields that they fill in."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from meetdeck.pages.console.decks.data_forms import Json, Node
from meetdeck.pages.console.kit import WAYS, ApiRefusal, ConsolePage, name_rooms, name_topics, read_zone

_SIGNS: Final = re.compile(r"[^a-z0-9]")
_PHONE: Final = "phone"


class MeetingForDeck(NamedTuple):
    """A deck's meeting: its name on pages, and its facts."""

    id: UUID
    name: str
    facts: Json


async def read_meeting(page: ConsolePage, meeting_id: UUID) -> MeetingForDeck:
    """Return a meeting with its facts, which include those of documents by rules. Raises ApiRefusal."""
    meeting = await page.api.get(f"booking/meetings/{meeting_id}", dict[str, Any])
    zone = await read_zone(page.api)
    advisors: list[Json] = []
    for employee_id in (meeting["employeeId"], *meeting["additionalEmployees"]):
        with suppress(ApiRefusal):  # an employee may have been deleted
            advisors.append(await page.api.get(f"booking/employees/{employee_id}", Json))
    topics = {str(key): name for key, name in (await name_topics(page.api)).items()}
    rooms = {str(key): name for key, name in (await name_rooms(page.api, [_read_id(meeting["roomId"])])).items()}
    topic, room = topics.get(str(meeting["topicId"]), ""), rooms.get(str(meeting["roomId"]), "")
    way = page.texts.translate(WAYS.get(meeting["type"]) or str(meeting["type"]))
    facts = make_facts(meeting, advisors, zone, topic=topic, room=room, way=way)
    begin = datetime.fromisoformat(meeting["startDate"]).astimezone(zone)
    who = str(facts["customer"]["name"]) or meeting["title"] or topic
    when = page.texts.show_moment(begin, page.now.astimezone(zone).date())
    return MeetingForDeck(meeting_id, f"{who}, {when}", facts)


def make_facts(
    meeting: Mapping[str, Any], advisors: Sequence[Json], zone: ZoneInfo, *, topic: str, room: str, way: str
) -> Json:
    """Return the facts of a meeting, by the names that templates use; `advisors` are all people of the firm."""
    begin, end = (datetime.fromisoformat(meeting[name]).astimezone(zone) for name in ("startDate", "endDate"))
    people = [_show_person(one) for one in advisors]
    guests: list[Json] = list(meeting.get("externalAttendees", []))
    customer = next((one for one in guests if one.get("isCustomer")), guests[0] if guests else {})
    phone = next((one["value"] for one in meeting.get("customFields", []) if one["key"] == _PHONE), "")
    place = room or way
    name = str(customer.get("name", ""))
    times = {"start": begin.isoformat(), "end": end.isoformat(), "date": begin.date().isoformat()}
    times["time"] = f"{begin:%H:%M}"
    return {
        "meeting": {**meeting, **times, "location": place, "place": place, "topic": topic},
        "customer": {
            "id": meeting["customerId"],
            "name": name,
            "firstName": name.split(maxsplit=1)[0] if name else "",
            "lastName": name.rsplit(maxsplit=1)[-1] if name else "",
            "email": customer.get("email", ""),
            "phone": phone,
        },
        "advisor": next((one for one in people if one["id"] == meeting["employeeId"]), _show_person({})),
        "advisors": people,
        "topic": {"id": meeting["topicId"], "name": topic},
        "room": {"id": meeting["roomId"], "name": room},
        "local": {"startDate": begin.isoformat(), "endDate": end.isoformat(), "timeZone": zone.key},
        **times,
        "location": place,
        "place": place,
        "title": meeting["title"] or topic,
    }


def _show_person(employee: Mapping[str, Any]) -> Json:
    return {key: employee.get(key, "") for key in ("id", "name", "firstName", "lastName", "title", "email", "phone")}


def fill_in(nodes: Sequence[Node], facts: Mapping[str, Any]) -> Json:
    """Return the data for the fields for which a meeting's facts have a value.

    Names are compared without signs and capitals; in a name of two parts, such as `customerName`, the first is the
    thing.
    """
    known = _flatten(facts)
    data: Json = {}
    for node in nodes:
        value = known.get(_plain(node.name))
        if node.kind == "group":
            value = fill_in(node.members, cast("Json", value)) if isinstance(value, dict) else None
        elif node.kind == "list":
            items = cast("list[Json]", value) if isinstance(value, list) else []
            value = [fill_in(node.members, one) for one in items]
        elif isinstance(value, dict):
            value = cast("Json", value).get("name")
        elif isinstance(value, list) or node.kind not in {"text", "date", "number"}:
            value = None
        if value:
            data[node.name] = value
    return data


def _flatten(facts: Mapping[str, Any]) -> Json:
    """Return facts by their plain names; nested ones also as the parent's name and theirs, joined."""
    known: Json = {_plain(name): value for name, value in facts.items()}
    for name, value in facts.items():
        if isinstance(value, dict):
            for inner, each in cast("Json", value).items():
                known.setdefault(_plain(name + inner), each)
    return known


def _plain(name: str) -> str:
    return _SIGNS.sub("", name.lower())


def _read_id(text: str | None) -> UUID | None:
    return UUID(text) if text else None
