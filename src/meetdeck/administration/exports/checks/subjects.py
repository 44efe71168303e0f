"""The checks of each kind of resource: the Struct of its body, and its service's further rules."""

import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

import msgspec

from meetdeck.administration.archives.reading import UUID_PATTERN, BrokenArchive
from meetdeck.administration.exports.checks.checking import Check
from meetdeck.administration.tenants.schemas import Tenant, TenantSettings
from meetdeck.administration.tenants.service.tenants import get_tenant, require_possible
from meetdeck.booking.configuration.competence_groups import service as competence_groups
from meetdeck.booking.configuration.competence_groups.store import list_competence_groups
from meetdeck.booking.configuration.document_rules import service as document_rules
from meetdeck.booking.configuration.document_rules.schemas import DocumentRule
from meetdeck.booking.configuration.document_rules.store import table as rules
from meetdeck.booking.configuration.employee_schedules import service as schedules
from meetdeck.booking.configuration.employee_schedules.schemas import EmployeeSchedule
from meetdeck.booking.configuration.employee_schedules.store import list_schedules
from meetdeck.booking.configuration.organization_settings import service as organization
from meetdeck.booking.configuration.portals.schemas import Portal, PortalContent
from meetdeck.booking.configuration.portals.service.portals import draw_up_portal
from meetdeck.booking.configuration.portals.store import list_portals
from meetdeck.booking.configuration.service_groups import service as service_groups
from meetdeck.booking.configuration.service_groups.store import list_service_groups
from meetdeck.booking.directory.employees.schemas import Employee, SaveEmployee
from meetdeck.booking.directory.employees.store import table as employees
from meetdeck.booking.directory.locations.schemas import SaveLocation
from meetdeck.booking.directory.locations.store import table as locations
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic, Topic
from meetdeck.booking.directory.meeting_topics.service import TOPICS
from meetdeck.booking.directory.meeting_topics.store import table as meeting_topics
from meetdeck.booking.directory.plain import PLAIN
from meetdeck.booking.directory.rooms.schemas import SaveRoom
from meetdeck.booking.directory.rooms.store import table as rooms
from meetdeck.booking.directory.timezones.service import find_timezone
from meetdeck.labels.schemas import RegisterLabel
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.outgoing import OutgoingClient
from meetdeck.platform.values import refuse
from meetdeck.platform.values.patching import apply_patch
from meetdeck.present.recipes.schemas import RecipeContent
from meetdeck.present.recipes.store import table as recipes

_FILE_KEY: Final = rf"(files/{UUID_PATTERN}|[0-9a-f]{{2}}/[0-9a-f]{{64}})$"

Ids = Sequence[UUID] | None


def list_checks(tenant_id: UUID, client: OutgoingClient, now: datetime, *, logo_by_https: bool) -> list[Check[Any]]:
    """Return the checks of a firm's resources; `client` knows which addresses may be called."""
    return [
        Check("tenant", partial(_read_tenant, tenant_id), _check_tenant, "tenant_id"),
        Check("organization_setting", _read_settings, _save_setting),
        Check("location", locations.list, _is(SaveLocation)),
        *(Check(one.kind.table, one.table.list, _is(one.body)) for one in PLAIN),
        Check("meeting_topic", meeting_topics.list, _save_topic, column="topic_id"),
        Check("room", rooms.list, _is(SaveRoom)),
        Check("employee", employees.list, _check_employee),
        Check("employee_schedule", list_schedules, _save_schedule),
        Check("label", _read_labels, _is(RegisterLabel)),
        Check(
            "competence_group",
            list_competence_groups,
            lambda connection, one: competence_groups.update_competence_group(connection, one, [], now),
        ),
        Check(
            "service_group",
            list_service_groups,
            lambda connection, one: service_groups.update_service_group(connection, one, [], now),
        ),
        Check("portal", list_portals, partial(_check_portal, logo_by_https=logo_by_https)),
        Check("document_rule", rules.list, partial(_check_rule, client, set())),
        Check("recipe", recipes.list, _is(RecipeContent)),
    ]


async def require_own_files(connection: Connection, tenant_id: UUID) -> None:
    """Raise BrokenArchive for a row that names a file of another firm."""
    own = re.compile(f"{tenant_id}/{_FILE_KEY}")
    for table, key in (("content", "content_id"), ("template_revision", "template_id")):
        async for row in connection.cursor(f"select {key} as id, file_key from {table}"):  # noqa: S608 - of our own list
            if own.match(row["file_key"]) is None:
                raise BrokenArchive(f"{table} {row['id']}, file_key: it is not a file of this firm")


async def require_no_circles(connection: Connection) -> None:
    """Raise BrokenArchive for cycles of topics or competence groups."""
    for table, query in (
        ("meeting_topic", "select topic_id as id, parent_id as above from meeting_topic where parent_id is not null"),
        (
            "competence_group_parent",
            "select competence_group_id as id, parent_group_id as above from competence_group_parent",
        ),
    ):
        sorter: TopologicalSorter[UUID] = TopologicalSorter()
        for row in await connection.fetch(query):
            sorter.add(row["id"], row["above"])
        try:
            sorter.prepare()
        except CycleError as error:
            raise BrokenArchive(f"{table} {error.args[1][0]}, parent: it is below itself") from None


def _is(body: type[msgspec.Struct]) -> Callable[[Connection, msgspec.Struct], Awaitable[object]]:
    """Return the check that a resource is a body that the API accepts."""

    async def require(_: Connection, resource: msgspec.Struct) -> object:
        return apply_patch(resource, (), body)

    return require


async def _read_tenant(tenant_id: UUID, connection: Connection, _: Ids) -> list[Tenant]:
    return [await get_tenant(connection, tenant_id)]


async def _check_tenant(_: Connection, tenant: Tenant) -> None:
    members = {name: getattr(tenant, name) for name in TenantSettings.__struct_fields__}
    require_possible(TenantSettings(**members))


async def _read_settings(connection: Connection, _: Ids) -> list[Any]:
    return [await organization.get_setting(connection)]


async def _save_setting(connection: Connection, setting: Any) -> None:  # noqa: ANN401 - of `_read_settings`
    await organization.update_setting(connection, setting, [])


async def _save_topic(connection: Connection, topic: Topic) -> None:
    await TOPICS.replace(connection, topic, apply_patch(topic, (), SaveTopic))


async def _save_schedule(connection: Connection, schedule: EmployeeSchedule) -> None:
    await schedules.update_schedule(connection, schedule, [])


async def _check_employee(_: Connection, employee: Employee) -> None:
    body = apply_patch(employee, (), SaveEmployee)
    if body.time_zone_id is not None and find_timezone(body.time_zone_id) is None:
        refuse([Fault("/timeZoneId", f"There is no time zone {body.time_zone_id}.")])


async def _read_labels(connection: Connection, _: Ids) -> list[Any]:
    rows = await connection.fetch("select label_id, label_name, color, description from label")
    return [_Label(row["label_id"], row["label_name"], row["color"], row["description"]) for row in rows]


class _Label(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    label_name: str
    color: str
    description: str


async def _check_portal(connection: Connection, portal: Portal, *, logo_by_https: bool) -> None:
    await draw_up_portal(connection, apply_patch(portal, (), PortalContent), logo_by_https=logo_by_https)


async def _check_rule(client: OutgoingClient, checked: set[str], _: Connection, rule: DocumentRule) -> None:
    """Raise AddressNotAllowed as the API would. `checked`: servers whose names were already looked up."""
    data_url = document_rules.patch_rule(rule, []).data_url
    document_rules.require_well_formed(client, data_url)
    server = urlsplit(data_url or "").netloc.lower()
    if server not in checked:
        await document_rules.require_reachable(client, data_url, None)
        checked.add(server)
