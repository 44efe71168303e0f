"""Lists the topics of a portal, and the meeting types and places for one."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from meetdeck.booking.configuration.allowed_options import service as allowed_options
from meetdeck.booking.configuration.allowed_options.schemas import AllowedOptionsQuery
from meetdeck.booking.directory.locations import store as locations
from meetdeck.booking.directory.locations.schemas import Location
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.slots.model import MeetingType, to_place
from meetdeck.pages.portal.schemas import Choices, Visit
from meetdeck.platform.database import Connection


class MeetingOption(msgspec.Struct, frozen=True):
    """A meeting type and, for physical meetings, the place, if the organization has any."""

    meeting_type: MeetingType
    label: str
    """The organization's name of the meeting type."""
    place: str = ""
    """The location's name."""
    address: str = ""
    """The location as people see it."""


async def list_topics(connection: Connection, visit: Visit) -> list[Topic]:
    """Return the topics that a portal's customers can choose, in their order; only one if the portal is for one."""
    found = await meeting_topics.list_topics(
        connection, customers_only=True, customer_type_id=visit.portal.customer_type_id
    )
    wanted = visit.portal.topic_id
    return [speak(topic, visit.content_language) for topic in found if wanted is None or topic.id == wanted]


async def list_ways(connection: Connection, visit: Visit, topic_id: UUID | None) -> list[MeetingOption]:
    """Return the types and places for a topic, in the organization's order."""
    portal = visit.portal
    query = AllowedOptionsQuery(
        topic_id=topic_id,
        customer_type_id=portal.customer_type_id,
        location=portal.location or None,
        is_customer_initiated=True,
    )
    options = await allowed_options.list_allowed_options(connection, query)
    listed = await locations.list_locations(connection, location=None, search=None)
    known = [speak(one, visit.content_language) for one in listed]
    labels = {
        speak(one, visit.content_language).name: speak(one, visit.content_language) for one in options.meeting_types
    }
    return [
        way
        for name, shown in labels.items()
        for way in _list_ways_of(MeetingType(name), _label(visit, name, shown.label), portal.location, known)
    ]


def _label(visit: Visit, name: str, label: str) -> str:
    """Return the organization's name of a meeting type, or else ours."""
    return label if label != name else label_meeting_type(visit, MeetingType(name))


def label_meeting_type(visit: Visit, meeting_type: MeetingType) -> str:
    """Return the name of a meeting type: the organization's, or else ours."""
    own = next((one.label for one in visit.type_labels if one.name.lower() == meeting_type.lower() and one.label), "")
    translate = visit.texts.translate
    return (
        own
        or {
            MeetingType.PHYSICAL: translate("At our office"),
            MeetingType.ONLINE: translate("Online"),
            MeetingType.TELEPHONE: translate("By telephone"),
            MeetingType.OFFSITE: translate("At your place"),
        }[meeting_type]
    )


def _list_ways_of(meeting_type: MeetingType, label: str, place: str, known: Sequence[Location]) -> list[MeetingOption]:
    """Return the types and places of a meeting type: if it is physical, each place, or the portal's.

    Customers are not invited to an office without an address, so without a location there is no physical meeting.
    """
    if meeting_type is not MeetingType.PHYSICAL:
        return [MeetingOption(meeting_type, label)]
    places = [one for one in known if not place or to_place(one.location) == to_place(place)]
    if not places and not place:
        return []
    if not places:
        return [MeetingOption(meeting_type, label, place, place)]
    return [MeetingOption(meeting_type, label, one.location, one.display_name or one.location) for one in places]


def list_ways_of(topic: Topic, ways: Sequence[MeetingOption]) -> list[MeetingOption]:
    """Return the types for a topic among those of a portal, each meeting type once."""
    possible = (way for way in ways if not topic.meeting_types or way.meeting_type in topic.meeting_types)
    return list({way.meeting_type: way for way in possible}.values())


def find_topic(topics: Sequence[Topic], choices: Choices) -> Topic | None:
    """Return the chosen topic, or the only one; None if the customer must choose."""
    if len(topics) == 1:
        return topics[0]
    return next((topic for topic in topics if topic.id == choices.topic_id), None)


def find_way(ways: Sequence[MeetingOption], choices: Choices) -> MeetingOption | None:
    """Return the chosen type and place, or the only one; None if the customer must choose."""
    if len(ways) == 1:
        return ways[0]
    chosen = [way for way in ways if way.meeting_type is choices.meeting_type]
    if len(chosen) == 1:
        return chosen[0]
    return next((way for way in chosen if choices.place and to_place(way.place) == to_place(choices.place)), None)
