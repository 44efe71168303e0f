"""The configuration with the client that openapi-python-client makes: a group, a portal, a setting; v3 alone has it."""

from typing import TypeVar
from uuid import uuid4

from client import connect
from meetdeck_client.api.competence_groups import (
    add_employee_to_competence_groups,
    create_competence_group,
    delete_competence_group,
)
from meetdeck_client.api.employees import list_employees
from meetdeck_client.api.organization_settings import get_organization_setting, update_organization_setting
from meetdeck_client.api.portals import create_portal, delete_portal, update_portal
from meetdeck_client.api.service_groups import create_service_group, delete_service_group, update_service_level
from meetdeck_client.models import (
    CompetenceGroup,
    CompetenceGroupContent,
    FieldType,
    GivenField,
    GivenServiceLevel,
    OrganizationSetting,
    PatchOp,
    PatchOperation,
    Portal,
    PortalContent,
    ServiceGroup,
    ServiceGroupContent,
)

T = TypeVar("T")


def expect(kind: type[T], answer: object) -> T:
    """Return an answer of a kind; anything else, a Problem too, ends the walk."""
    if not isinstance(answer, kind):
        raise SystemExit(f"{kind.__name__} expected, got {answer}")
    return answer


client = connect()
employee = expect(list, list_employees.sync(client=client))[0]

group = expect(
    CompetenceGroup, create_competence_group.sync(client=client, body=CompetenceGroupContent(name=f"Python {uuid4()}"))
)
groups = expect(list, add_employee_to_competence_groups.sync(employee.id, client=client, body=[group.id]))
assert group.id in {one.id for one in groups}
delete_competence_group.sync_detailed(group.id, client=client)

team = expect(
    ServiceGroup,
    create_service_group.sync(
        client=client, body=ServiceGroupContent(name="Evening", service_level=GivenServiceLevel(priority=5))
    ),
)
team = expect(
    ServiceGroup,
    update_service_level.sync(
        team.id, client=client, body=[PatchOperation(op=PatchOp.REPLACE, path="/bufferAfter", value="00:10:00")]
    ),
)
assert (team.service_level.priority, team.service_level.buffer_after) == (5, "00:10:00")
delete_service_group.sync_detailed(team.id, client=client)

portal = expect(
    Portal,
    create_portal.sync(
        client=client, body=PortalContent(name="Python", fields=[GivenField(name="phone", type_=FieldType.PHONE)])
    ),
)
portal = expect(
    Portal,
    update_portal.sync(
        portal.id, client=client, body=[PatchOperation(op=PatchOp.ADD, path="/labels/-", value="Python")]
    ),
)
assert (portal.labels, portal.fields[0].hidden) == (["Python"], False)
delete_portal.sync_detailed(portal.id, client=client)

setting = expect(OrganizationSetting, get_organization_setting.sync(client=client))
title = "Meeting with Nordlys"
changes = [PatchOperation(op=PatchOp.REPLACE, path="/iCalMeetingTitle", value=title)]
changed = expect(OrganizationSetting, update_organization_setting.sync(setting.id, client=client, body=changes))
assert changed.i_cal_meeting_title == title
print("walked: a group, a portal, a setting")
