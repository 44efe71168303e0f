"""The kinds that can be imported: their names, their bodies, and their references."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, Literal

import msgspec

from meetdeck.booking.configuration.competence_groups.schemas import CompetenceGroupContent
from meetdeck.booking.configuration.employee_schedules.schemas import NewSchedule
from meetdeck.booking.configuration.service_groups.schemas import ServiceGroupContent
from meetdeck.booking.directory.customer_types.schemas import SaveCustomerType
from meetdeck.booking.directory.employees.schemas import SaveEmployee
from meetdeck.booking.directory.locations.schemas import SaveLocation
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic
from meetdeck.booking.directory.rooms.schemas import SaveRoom


class Kind(Enum):
    """A kind that can be imported, in the order of importing: referenced kinds come first."""

    LOCATIONS = "locations"
    CUSTOMER_TYPES = "customer-types"
    TOPICS = "topics"
    ROOMS = "rooms"
    EMPLOYEES = "employees"
    SCHEDULES = "schedules"
    COMPETENCE_GROUPS = "competence-groups"
    SERVICE_GROUPS = "service-groups"

    @property
    def plural(self) -> str:
        """Return the kind as people write it: `customer types`."""
        return self.value.replace("-", " ")

    @property
    def words(self) -> str:
        """Return the singular: `customer type`."""
        return self.plural[:-1]


GROUPS: Final = (Kind.COMPETENCE_GROUPS, Kind.SERVICE_GROUPS)
"""These refer to each other; the others refer only to kinds before them."""

Named = Kind | Literal["time zone"]
"""A kind that a member can refer to."""

# The body that a row must become: that of the API's POST.
BODIES: Final[Mapping[Kind, type[msgspec.Struct]]] = {
    Kind.LOCATIONS: SaveLocation,
    Kind.CUSTOMER_TYPES: SaveCustomerType,
    Kind.TOPICS: SaveTopic,
    Kind.ROOMS: SaveRoom,
    Kind.EMPLOYEES: SaveEmployee,
    Kind.SCHEDULES: NewSchedule,
    Kind.COMPETENCE_GROUPS: CompetenceGroupContent,
    Kind.SERVICE_GROUPS: ServiceGroupContent,
}

# The members that refer to others, by id or name. A location is a text in the API too, and need not exist.
REFERENCES: Final[Mapping[Kind, Mapping[str, Named]]] = {
    Kind.LOCATIONS: {},
    Kind.CUSTOMER_TYPES: {},
    Kind.TOPICS: {"customerTypeIds": Kind.CUSTOMER_TYPES},
    Kind.ROOMS: {"location": Kind.LOCATIONS},
    Kind.EMPLOYEES: {
        "location": Kind.LOCATIONS,
        "timeZoneId": "time zone",
        "customerTypeIds": Kind.CUSTOMER_TYPES,
    },
    Kind.SCHEDULES: {"employeeId": Kind.EMPLOYEES, "workdays.location": Kind.LOCATIONS},
    Kind.COMPETENCE_GROUPS: {
        "childGroupIds": Kind.COMPETENCE_GROUPS,
        "parentGroupIds": Kind.COMPETENCE_GROUPS,
        "customerTypeIds": Kind.CUSTOMER_TYPES,
        "employeeIds": Kind.EMPLOYEES,
        "topicIds": Kind.TOPICS,
        "serviceGroupIds": Kind.SERVICE_GROUPS,
    },
    Kind.SERVICE_GROUPS: {
        "employeeIds": Kind.EMPLOYEES,
        "competenceGroupIds": Kind.COMPETENCE_GROUPS,
        "serviceTrigger.customerTypeIds": Kind.CUSTOMER_TYPES,
        "serviceTrigger.topicIds": Kind.TOPICS,
        "serviceTrigger.locations": Kind.LOCATIONS,
    },
}

_NAMES: Final = {
    **{kind.value.replace("-", ""): kind for kind in Kind},
    "meetingtopics": Kind.TOPICS,
    "employeeschedules": Kind.SCHEDULES,
}


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
