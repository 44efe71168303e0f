"""Service groups' addresses."""

from uuid import UUID

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import EmployeeId, ServiceGroupId
from meetdeck.booking.configuration.memberships.endpoints import add_to_groups, remove_from_groups
from meetdeck.booking.configuration.memberships.schemas import GroupsQuery
from meetdeck.booking.configuration.service_groups import service
from meetdeck.booking.configuration.service_groups.schemas import (
    EmployeeServiceGroup,
    ServiceGroup,
    ServiceGroupAdvisors,
    ServiceGroupContent,
    ServiceLevel,
    ServiceTrigger,
)
from meetdeck.booking.configuration.service_groups.service import MEMBERSHIPS
from meetdeck.booking.kinds import Kind
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values.patching import JsonPatch


class ServiceGroups(Controller):
    """Advisors who serve together: when they are offered, and how they serve."""

    path = "/config/service-groups"
    tags = ("Service groups",)
    opt = audits(Kind.SERVICE_GROUP.address)

    @get(summary="List service groups", **accepts(query=GroupsQuery))
    async def list_service_groups(self, call: CurrentCall, params: Query[GroupsQuery]) -> list[ServiceGroup]:
        """Return the groups by name: all, or those with all of some labels (`labelMatch=any`: with any)."""
        async with call.transaction() as connection:
            return await service.list_service_groups(connection, params)

    @get("/{group_id:uuid}", summary="Read a service group")
    async def get_service_group(self, call: CurrentCall, group_id: ServiceGroupId) -> Response[ServiceGroup]:
        """Return a group."""
        async with call.reading() as connection:
            return call.answer(await service.get_service_group(connection, group_id))

    @post(
        status_code=201,
        summary="Create a service group",
        **accepts(body=ServiceGroupContent, example=examples.NEW_SERVICE_GROUP),
    )
    async def create_service_group(
        self, call: CurrentCall, payload: Body[ServiceGroupContent]
    ) -> Response[ServiceGroup]:
        """Create a group; only its name is required."""
        return await call.create(
            payload,
            Kind.SERVICE_GROUP.area,
            lambda connection: service.create_service_group(connection, payload, call.now),
        )

    @patch(
        "/{group_id:uuid}",
        summary="Change a service group",
        **accepts(patch=ServiceGroupContent, example=examples.ADDRESSED_SERVICE_GROUP),
    )
    async def update_service_group(
        self, call: CurrentCall, group_id: ServiceGroupId, payload: Body[JsonPatch]
    ) -> Response[ServiceGroup]:
        """Change a group by JSON Patch, including its trigger and level."""
        return await call.change(
            service.get_service_group,
            group_id,
            lambda connection, group: service.update_service_group(connection, group, payload, call.now),
        )

    @patch(
        "/{group_id:uuid}/service-trigger",
        summary="Change when a service group is offered",
        **accepts(patch=ServiceTrigger, example=examples.TRIGGERED_SERVICE_GROUP),
    )
    async def update_service_trigger(
        self, call: CurrentCall, group_id: ServiceGroupId, payload: Body[JsonPatch]
    ) -> Response[ServiceGroup]:
        """Change the group's `serviceTrigger` by JSON Patch, whose paths begin there; missing members mean always.

        The answer, its `ETag` and pointers of errors are the group's.
        """
        return await call.change(
            service.get_service_group,
            group_id,
            lambda connection, group: service.update_service_trigger(connection, group, payload, call.now),
        )

    @patch(
        "/{group_id:uuid}/service-level",
        summary="Change how a service group serves",
        **accepts(patch=ServiceLevel, example=examples.PREFERRED_SERVICE_GROUP),
    )
    async def update_service_level(
        self, call: CurrentCall, group_id: ServiceGroupId, payload: Body[JsonPatch]
    ) -> Response[ServiceGroup]:
        """Change the group's `serviceLevel` by JSON Patch, whose paths begin there; missing members get their defaults.

        The answer, its `ETag` and pointers of errors are the group's.
        """
        return await call.change(
            service.get_service_group,
            group_id,
            lambda connection, group: service.update_service_level(connection, group, payload, call.now),
        )

    @delete("/{group_id:uuid}", summary="Delete a service group")
    async def delete_service_group(self, call: CurrentCall, group_id: ServiceGroupId) -> None:
        """Delete a group; its members and competence groups remain. Advisors of existing reservations stay reserved."""
        await call.delete(
            service.get_service_group,
            group_id,
            service.delete_service_group,
        )

    @get("/{group_id:uuid}/advisors", summary="List who serves in a service group")
    async def get_service_group_advisors(
        self, call: CurrentCall, group_id: ServiceGroupId
    ) -> Response[ServiceGroupAdvisors]:
        """Return the advisors of the group: by skill, as direct members, and through its competence groups."""
        async with call.reading() as connection:
            return call.answer(await service.get_advisors(connection, group_id))

    @get("/employee/{employee_id:uuid}", summary="List an employee's service groups")
    async def list_service_groups_of_employee(
        self, call: CurrentCall, employee_id: EmployeeId
    ) -> list[EmployeeServiceGroup]:
        """Return the groups that the employee is a member of, by name."""
        async with call.transaction() as connection:
            return await MEMBERSHIPS.list(connection, employee_id)

    @patch(
        "/employee/{employee_id:uuid}/add",
        summary="Add an employee to service groups",
        **accepts(body=list[UUID], example=examples.SERVICE_GROUPS),
    )
    async def add_employee_to_service_groups(
        self, call: CurrentCall, employee_id: EmployeeId, payload: Body[list[UUID]]
    ) -> list[EmployeeServiceGroup]:
        """Make the employee a member of the groups in the body, an array of ids; return all groups of the employee."""
        return await add_to_groups(call, MEMBERSHIPS, employee_id, payload)

    @patch(
        "/employee/{employee_id:uuid}/remove",
        summary="Remove an employee from service groups",
        **accepts(body=list[UUID], example=examples.SERVICE_GROUPS),
    )
    async def remove_employee_from_service_groups(
        self, call: CurrentCall, employee_id: EmployeeId, payload: Body[list[UUID]]
    ) -> list[EmployeeServiceGroup]:
        """Remove the employee from the groups in the body, an array of ids; return the remaining groups."""
        return await remove_from_groups(call, MEMBERSHIPS, employee_id, payload)
