"""The kinds that can be imported: their names, their bodies, and their references."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from meetdeck.booking.configuration.competence_groups.schemas import CompetenceGroupContent
from meetdeck.booking.configuration.employee_schedules.schemas import NewSchedule
from meetdeck.booking.configuration.service_groups.schemas import ServiceGroupContent
from meetdeck.booking.directory.employees.schemas import EmployeeContent
from meetdeck.booking.directory.locations.schemas import SaveLocation
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic
from meetdeck.booking.directory.plain import PLAIN
from meetdeck.booking.directory.rooms.schemas import SaveRoom
from meetdeck.booking.kinds import Kind
from meetdeck.booking.scheduling.time_slots.schemas import CreateCalendarEntry

GROUPS: Final = (Kind.COMPETENCE_GROUP, Kind.SERVICE_GROUP)
"""These refer to each other, and topics to them; the others refer only to kinds before them."""

Named = Kind | Literal["time zone"]
"""A kind that a member can refer to."""

# The body that a row must become: that of the API's POST. In the order of importing: referenced kinds come first.
BODIES: Final[Mapping[Kind, type[msgspec.Struct]]] = {
    Kind.LOCATION: SaveLocation,
    **{one.kind: one.body for one in PLAIN},
    Kind.TOPIC: SaveTopic,
    Kind.ROOM: SaveRoom,
    Kind.EMPLOYEE: EmployeeContent,
    Kind.EMPLOYEE_SCHEDULE: NewSchedule,
    Kind.CALENDAR_ENTRY: CreateCalendarEntry,
    Kind.COMPETENCE_GROUP: CompetenceGroupContent,
    Kind.SERVICE_GROUP: ServiceGroupContent,
}

IMPORTED: Final = tuple(BODIES)
"""The kinds that can be imported, in the order of importing."""

# The members that refer to others, by id or name. A location is a text in the API too, and need not exist.
_REFERENCES: Final[Mapping[Kind, Mapping[str, Named]]] = {
    Kind.TOPIC: {
        "customerTypeIds": Kind.CUSTOMER_TYPE,
        "parentId": Kind.TOPIC,
        "alsoServiceGroups": Kind.SERVICE_GROUP,
    },
    Kind.ROOM: {"location": Kind.LOCATION},
    Kind.EMPLOYEE: {
        "location": Kind.LOCATION,
        "timeZoneId": "time zone",
        "customerTypeIds": Kind.CUSTOMER_TYPE,
    },
    Kind.EMPLOYEE_SCHEDULE: {"employeeId": Kind.EMPLOYEE, "workdays.location": Kind.LOCATION},
    Kind.CALENDAR_ENTRY: {"employeeId": Kind.EMPLOYEE, "roomId": Kind.ROOM},
    Kind.COMPETENCE_GROUP: {
        "childGroupIds": Kind.COMPETENCE_GROUP,
        "parentGroupIds": Kind.COMPETENCE_GROUP,
        "customerTypeIds": Kind.CUSTOMER_TYPE,
        "employeeIds": Kind.EMPLOYEE,
        "topicIds": Kind.TOPIC,
        "serviceGroupIds": Kind.SERVICE_GROUP,
    },
    Kind.SERVICE_GROUP: {
        "employeeIds": Kind.EMPLOYEE,
        "competenceGroupIds": Kind.COMPETENCE_GROUP,
        "serviceTrigger.customerTypeIds": Kind.CUSTOMER_TYPE,
        "serviceTrigger.topicIds": Kind.TOPIC,
        "serviceTrigger.locations": Kind.LOCATION,
    },
}
MAY_REPEAT: Final = frozenset({"/alsoServiceGroups"})
"""The members that may name the same one several times."""

REFERENCES: Final = {kind: _REFERENCES.get(kind, {}) for kind in IMPORTED}

_NAMES: Final = {
    **{kind.imported_as.replace("-", ""): kind for kind in IMPORTED},
    "meetingtopics": Kind.TOPIC,
    "employeeschedules": Kind.EMPLOYEE_SCHEDULE,
    "timeslots": Kind.CALENDAR_ENTRY,
}


def plural_of(kind: Kind) -> str:
    """Return the plural of an imported kind, as people write it: `customer types`."""
    return kind.imported_as.replace("-", " ")


def plain(name: str) -> str:
    """Return a name's letters and digits, in lower case, by which headers, files and members are compared."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def find_kind(name: str) -> Kind | None:
    """Return the kind in a name: `customerTypes`, or `employees-2026.csv` by its beginning."""
    fitting = [known for known in _NAMES if plain(name).startswith(known)]
    return _NAMES[max(fitting, key=len)] if fitting else None


def alias_of(member: str) -> str:
    """Return the alias of a member with references: `customerTypes` for `customerTypeIds`."""
    return f"{member.removesuffix('Ids')}s" if member.endswith("Ids") else member.removesuffix("Id")


def list_members(kind: Kind) -> set[str]:
    """Return the names and aliases of a body's members."""
    fields = {field.encode_name for field in msgspec.structs.fields(BODIES[kind])}
    return fields | {"id"} | {alias_of(name) for name in REFERENCES[kind]}
