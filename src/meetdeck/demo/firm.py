"""The demo data: two small firms, inserted once, with invented names.

Ids are made from names, so the firm is the same everywhere.
"""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.platform.database import Connection

ZONE = ZoneInfo("Europe/Copenhagen")
WEEKDAYS = range(5)
ALL_TYPES = ["Physical", "Online", "Telephone"]


class Advisor(msgspec.Struct, frozen=True):
    """A demo employee: name, location and topics."""

    name: str
    title: str
    location: str
    topics: tuple[str, ...]
    hours: tuple[time, time] = (time(8, 30), time(16, 30))
    meeting_types: tuple[str, ...] = tuple(ALL_TYPES)
    active: bool = True


class Staff(msgspec.Struct, frozen=True):
    """A member of staff; `role` is their highest role, a member of `RoleNames`."""

    name: str
    role: str


class Firm(msgspec.Struct, frozen=True):
    """A demo tenant."""

    name: str
    domain: str
    advisors: tuple[Advisor, ...]
    branches: tuple[tuple[str, str], ...]
    """Location and its display name."""
    rooms: tuple[tuple[str, str, int, tuple[str, ...]], ...]
    """Name, location, seats, features."""
    customer_types: tuple[str, ...]
    topics: tuple[tuple[str, int, str], ...]
    """Name, minutes, description."""
    staff: tuple[Staff, ...]
    customers: tuple[str, ...]
    danish: Mapping[str, str] = {}
    """Danish texts by English ones; empty: the firm has no Danish."""

    @property
    def tenant_id(self) -> UUID:
        """Return the tenant's id."""
        return uuid5(NAMESPACE_URL, f"urn:meetdeck:demo:{self.name}")

    def id_of(self, kind: str, name: str) -> UUID:
        """Return the id of a resource of the firm by its kind and name."""
        return uuid5(self.tenant_id, f"{kind}:{name}")


NORDLYS = Firm(
    name="Nordlys Rådgivning",
    domain="nordlys.example",
    branches=(("Aarhus", "Aarhus, Åboulevarden 12"), ("København", "København, Nyhavn 40")),
    rooms=(
        ("Havblik", "Aarhus", 4, ("Screen", "Wheelchair access")),
        ("Fjorden", "Aarhus", 8, ("Screen", "Video", "Wheelchair access")),
        ("Kajen", "København", 4, ("Screen",)),
        ("Tårnet", "København", 10, ("Screen", "Video")),
    ),
    customer_types=("Private", "Business", "Private banking"),
    topics=(
        ("Annual review", 60, "Where you stand, and what to do next."),
        ("Buying a home", 90, "Budget, loan and insurance for a new home."),
        ("Pension check", 45, "Whether you save enough, and in the right place."),
        ("Investing", 60, "Risk, return and a plan that lasts."),
        ("Starting a business", 60, "Accounts, insurance and the first loan."),
    ),
    advisors=(
        Advisor("Anna Holm", "Senior advisor", "Aarhus", ("Annual review", "Buying a home", "Pension check")),
        Advisor("Bo Lind", "Advisor", "Aarhus", ("Annual review", "Buying a home"), (time(9), time(17))),
        Advisor("Camilla Friis", "Investment advisor", "Aarhus", ("Annual review", "Investing")),
        Advisor("David Krogh", "Business advisor", "Aarhus", ("Starting a business",), (time(8), time(15))),
        Advisor("Eva Sand", "Senior advisor", "København", ("Annual review", "Pension check", "Investing")),
        Advisor("Frederik Dahl", "Advisor", "København", ("Annual review", "Buying a home"), (time(10), time(18))),
        Advisor(
            "Gitte Møller", "Pension advisor", "København", ("Pension check",), meeting_types=("Online", "Telephone")
        ),
        Advisor("Hassan Ali", "Investment advisor", "København", ("Investing", "Annual review")),
    ),
    staff=(
        Staff("Anna Holm", "employee"),
        Staff("Eva Sand", "manager"),
        Staff("Signe Ravn", "configurator"),
        Staff("Thomas Vind", "admin"),
    ),
    customers=("Mette Kjær", "Ole Bruun", "Sofie Krag"),
)

FJORD = Firm(
    name="Fjord Pension",
    domain="fjord.example",
    branches=(("Odense", "Odense, Havnegade 3"), ("Aalborg", "Aalborg, Strandvejen 21")),
    rooms=(("Lille", "Odense", 3, ("Screen",)), ("Store", "Aalborg", 6, ("Screen", "Video"))),
    customer_types=("Member", "Employer"),
    topics=(("Pension check", 45, "Your pension in plain words."), ("Retirement", 60, "When, how and how much.")),
    advisors=(
        Advisor("Ida Bech", "Pension advisor", "Odense", ("Pension check", "Retirement")),
        Advisor("Jonas Vest", "Pension advisor", "Odense", ("Pension check",), (time(9), time(15))),
        Advisor("Karen Juul", "Senior advisor", "Aalborg", ("Retirement",)),
        Advisor("Lars Toft", "Advisor", "Aalborg", ("Pension check", "Retirement"), active=False),
    ),
    staff=(
        Staff("Ida Bech", "employee"),
        Staff("Karen Juul", "manager"),
        Staff("Ulla Strand", "configurator"),
        Staff("Viggo Dam", "admin"),
    ),
    customers=("Nanna Lykke", "Rasmus Gade"),
    danish={
        "Pension check": "Pensionstjek",
        "Retirement": "Livet som pensionist",
        "Meeting with Fjord Pension": "Møde med Fjord Pension",
        "At our branch": "Hos os",
        "Online": "Online",
        "By telephone": "Telefonisk",
    },
)

FIRMS = (NORDLYS, FJORD)


async def add_firm(connection: Connection, firm: Firm) -> None:
    """Insert a firm's directory and configuration; `connection` is in its tenant's transaction."""
    await _insert(connection, "tenant", [{"name": firm.name}])
    await _add_offers(connection, firm)
    await _add_people_and_rooms(connection, firm)
    await _add_configuration(connection, firm)


async def _add_offers(connection: Connection, firm: Firm) -> None:
    """Insert the topics and customer types."""
    await _insert(
        connection,
        "customer_type",
        [
            {"customer_type_id": firm.id_of("customer type", name), "name": name, "order": order}
            for order, name in enumerate(firm.customer_types)
        ],
    )
    await _insert(
        connection,
        "meeting_topic",
        [
            {
                "topic_id": firm.id_of("topic", name),
                "name": name,
                "duration_minutes": minutes,
                "description": description,
                "localized_name": _translate(firm, name),
            }
            for name, minutes, description in firm.topics
        ],
    )


async def _add_people_and_rooms(connection: Connection, firm: Firm) -> None:
    await _insert(
        connection,
        "location",
        [
            {
                "location_id": firm.id_of("location", place),
                "location": place,
                "display_name": shown,
                "add_rooms_to_booked_meetings": True,
            }
            for place, shown in firm.branches
        ],
    )
    names = [("room", room[0]) for room in firm.rooms] + [("employee", one.name) for one in firm.advisors]
    await _insert(connection, "resource", [{"resource_id": firm.id_of(kind, name)} for kind, name in names])
    await _insert(
        connection,
        "room",
        [
            {
                "room_id": firm.id_of("room", name),
                "name": name,
                "location": place,
                "capacity": seats,
                "features": list(features),
            }
            for name, place, seats, features in firm.rooms
        ],
    )
    await _insert(
        connection, "employee", [_describe_employee(firm, number, one) for number, one in enumerate(firm.advisors)]
    )


def write_email(name: str, domain: str) -> str:
    """Return the e-mail address for a first name."""
    return f"{name.split(maxsplit=1)[0].lower()}@{domain}"


def _describe_employee(firm: Firm, number: int, advisor: Advisor) -> dict[str, Any]:
    return {
        "employee_id": firm.id_of("employee", advisor.name),
        "name": advisor.name,
        "title": advisor.title,
        "email": write_email(advisor.name, firm.domain),
        "phone": f"+45 70 10 20 {30 + number}",
        "location": advisor.location,
        "active": advisor.active,
    }


async def _add_configuration(connection: Connection, firm: Firm) -> None:
    await _insert(
        connection,
        "organization_setting",
        [
            {
                "organization_setting_id": firm.id_of("organization setting", firm.name),
                "opening_time": time(8),
                "closing_time": time(18),
                "max_time_from_booking_to_meeting": timedelta(days=90),
                "max_meeting_time_per_day": timedelta(hours=6),
                "ical_meeting_title": f"Meeting with {firm.name}",
                "localized_ical_meeting_title": _translate(firm, f"Meeting with {firm.name}"),
                "enabled_locales": ["en-GB", "da-DK"] if firm.danish else ["en-GB"],
                "meeting_type_labels": _list_labels(firm),
                "extended_opening_hours_email": f"booking@{firm.domain}",
                "time_zone": str(ZONE),
            }
        ],
    )
    await _add_schedules(connection, firm)
    await _add_competence_groups(connection, firm)
    await _add_service_groups(connection, firm)


def _translate(firm: Firm, text: str) -> dict[str, str]:
    """Return a text in the firm's other languages."""
    return {"da-DK": firm.danish[text]} if text in firm.danish else {}


def _list_labels(firm: Firm) -> list[dict[str, Any]]:
    """Return the labels of meeting types, for a firm that has them in its languages."""
    labels = {"Physical": "At our branch", "Online": "Online", "Telephone": "By telephone"} if firm.danish else {}
    return [
        {"name": name, "label": label, "order": order, "localizedLabel": _translate(firm, label)}
        for order, (name, label) in enumerate(labels.items())
    ]


async def _add_schedules(connection: Connection, firm: Firm) -> None:
    schedules = [
        {
            "employee_schedule_id": firm.id_of("schedule", one.name),
            "employee_id": firm.id_of("employee", one.name),
        }
        for one in firm.advisors
    ]
    await _insert(connection, "employee_schedule", schedules)
    workdays = [
        {
            "employee_schedule_id": firm.id_of("schedule", one.name),
            "position": day,
            "day_of_week": day,
            "from_time": one.hours[0],
            "to_time": one.hours[1],
            "meeting_types": list(one.meeting_types),
        }
        for one in firm.advisors
        for day in WEEKDAYS
    ]
    await _insert(connection, "employee_workday", workdays)


async def _add_competence_groups(connection: Connection, firm: Firm) -> None:
    """Insert a competence group for each topic."""
    topics = [name for name, _, _ in firm.topics]
    competence = {name: firm.id_of("competence group", name) for name in topics}
    await _insert(
        connection, "competence_group", [{"competence_group_id": competence[name], "name": name} for name in topics]
    )
    await _insert(
        connection,
        "competence_group_topic",
        [{"competence_group_id": competence[name], "topic_id": firm.id_of("topic", name)} for name in topics],
    )
    await _insert(
        connection,
        "competence_group_employee",
        [
            {"competence_group_id": competence[topic], "employee_id": firm.id_of("employee", one.name)}
            for one in firm.advisors
            for topic in one.topics
        ],
    )


async def _add_service_groups(connection: Connection, firm: Firm) -> None:
    """Insert a service group for each branch, for the firm's first topic, with the branch's employees."""
    first_topic = firm.topics[0][0]
    branches = [place for place, _ in firm.branches]
    service = {place: firm.id_of("service group", place) for place in branches}
    await _insert(
        connection,
        "service_group",
        [
            {
                "service_group_id": service[place],
                "name": f"{place} branch",
                "membership_email": f"{place.lower().replace('ø', 'oe')}@{firm.domain}",
            }
            for place in branches
        ],
    )
    await _insert(
        connection,
        "service_group_employee",
        [
            {"service_group_id": service[one.location], "employee_id": firm.id_of("employee", one.name)}
            for one in firm.advisors
        ],
    )
    await _insert(
        connection,
        "service_group_competence_group",
        [
            {"service_group_id": service[place], "competence_group_id": firm.id_of("competence group", first_topic)}
            for place in branches
        ],
    )


def next_monday(now: datetime) -> datetime:
    """Return the midnight, in the firms' zone, at which next week begins."""
    today = now.astimezone(ZONE).replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=7 - today.weekday())


async def _insert(connection: Connection, table: str, rows: list[dict[str, Any]]) -> None:
    """Insert rows of one shape for the transaction's tenant."""
    columns = list(rows[0])
    names = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
    statement = f"insert into {table} (tenant_id, {names}) values (current_tenant(), {values})"  # noqa: S608 - our own names
    await connection.executemany(statement, [list(row.values()) for row in rows])
