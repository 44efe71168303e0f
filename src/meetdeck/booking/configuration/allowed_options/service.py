"""The choices for a meeting: those allowed by topic, customer type, location and the organization's labels."""

from collections.abc import Sequence

from msgspec.structs import replace

from meetdeck.booking.configuration.allowed_options import store
from meetdeck.booking.configuration.allowed_options.schemas import AllowedOptions, AllowedOptionsQuery
from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.booking.configuration.organization_settings.schemas import DisplayLabel
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, require_existing
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import Connection

_ADVISORS = ("PrimaryEmployee", "OtherEmployees")


async def list_allowed_options(connection: Connection, query: AllowedOptionsQuery) -> AllowedOptions:
    """Return the choices for a meeting. Raises ReferenceNotFound."""
    await require_existing(
        connection,
        [
            Reference(Kind.TOPIC, query.topic_id, "/query/topicId"),
            Reference(Kind.CUSTOMER_TYPE, query.customer_type_id, "/query/customerTypeId"),
        ],
    )
    topic = await meeting_topics.table.find(connection, query.topic_id) if query.topic_id is not None else None
    types = _list_types(topic, query)
    location = (query.location or "").strip()
    if location and MeetingType.PHYSICAL in types and not await store.is_place(connection, location):
        types.remove(MeetingType.PHYSICAL)
    setting = await organization_settings.get_setting(connection)
    return AllowedOptions(
        meeting_types=label([one.value for one in types], setting.meeting_type_labels),
        advisor_selection=label(_ADVISORS, setting.employee_labels),
    )


def _list_types(topic: Topic | None, query: AllowedOptionsQuery) -> list[MeetingType]:
    """Return the topic's meeting types for a customer of the type; none if the topic is not for them."""
    if topic is None:
        return list(MeetingType)
    is_for_type = not topic.customer_type_ids or query.customer_type_id in {None, *topic.customer_type_ids}
    is_for_caller = topic.customer_bookable or not query.is_customer_initiated
    if not is_for_type or not is_for_caller:
        return []
    return [one for one in MeetingType if one in topic.meeting_types or not topic.meeting_types]


def label(names: Sequence[str], labels: Sequence[DisplayLabel]) -> list[DisplayLabel]:
    """Return names with their labels in the labels' order; unlabelled ones last, under their own names."""
    known = {one.name.lower(): one for one in reversed(labels)}
    labelled = [replace(known[name.lower()], name=name) for name in names if name.lower() in known]
    last = max((one.order for one in labelled), default=-1)
    bare = [name for name in names if name.lower() not in known]
    return [
        *(replace(one, label=one.label or one.name) for one in sorted(labelled, key=lambda one: one.order)),
        *(DisplayLabel(name=name, label=name, order=last + place) for place, name in enumerate(bare, 1)),
    ]
