"""Competence groups' addresses."""

from uuid import UUID

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import CompetenceGroupId, EmployeeId
from meetdeck.booking.configuration.competence_groups import service
from meetdeck.booking.configuration.competence_groups.schemas import (
    CompetenceGroup,
    CompetenceGroupContent,
    EmployeeCompetenceGroup,
)
from meetdeck.booking.configuration.competence_groups.service import MEMBERSHIPS
from meetdeck.booking.configuration.memberships.endpoints import add_to_groups, remove_from_groups
from meetdeck.booking.configuration.memberships.schemas import GroupsQuery
from meetdeck.booking.kinds import Kind
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values.patching import JsonPatch


class CompetenceGroups(Controller):
    """Groups of employees, with the topics and customer types that they serve."""

    path = "/config/competence-groups"
    tags = ("Competence groups",)
    opt = audits(Kind.COMPETENCE_GROUP.address)

    @get(summary="List competence groups", **accepts(query=GroupsQuery))
    async def list_competence_groups(self, call: CurrentCall, params: Query[GroupsQuery]) -> list[CompetenceGroup]:
        """Return the groups by name: all, or those with all of some labels (`labelMatch=any`: with any)."""
        async with call.transaction() as connection:
            return await service.list_competence_groups(connection, params)

    @get("/{group_id:uuid}", summary="Read a competence group")
    async def get_competence_group(self, call: CurrentCall, group_id: CompetenceGroupId) -> Response[CompetenceGroup]:
        """Return a group."""
        async with call.reading() as connection:
            return call.answer(await service.get_competence_group(connection, group_id))

    @post(
        status_code=201,
        summary="Create a competence group",
        **accepts(body=CompetenceGroupContent, example=examples.NEW_COMPETENCE_GROUP),
    )
    async def create_competence_group(
        self, call: CurrentCall, payload: Body[CompetenceGroupContent]
    ) -> Response[CompetenceGroup]:
        """Create a group; only its name is required."""
        return await call.create(
            payload,
            Kind.COMPETENCE_GROUP.area,
            lambda connection: service.create_competence_group(connection, payload, call.now),
        )

    @patch(
        "/{group_id:uuid}",
        summary="Change a competence group",
        **accepts(patch=CompetenceGroupContent, example=examples.NAMED_COMPETENCE_GROUP),
    )
    async def update_competence_group(
        self, call: CurrentCall, group_id: CompetenceGroupId, payload: Body[JsonPatch]
    ) -> Response[CompetenceGroup]:
        """Change a group by JSON Patch.

        Of `customerTypes` and `topics` only the ids count. A patch that names `/customerTypeIds` or `/topicIds` works
        on the group as its POST spells it, with both as ids.
        """
        return await call.change(
            service.get_competence_group,
            group_id,
            lambda connection, group: service.update_competence_group(connection, group, payload, call.now),
        )

    @delete("/{group_id:uuid}", summary="Delete a competence group")
    async def delete_competence_group(self, call: CurrentCall, group_id: CompetenceGroupId) -> None:
        """Delete a group; its members, parents, children and service groups remain without it."""
        await call.delete(
            service.get_competence_group,
            group_id,
            service.delete_competence_group,
        )

    @get("/employee/{employee_id:uuid}", summary="List an employee's competence groups")
    async def list_competence_groups_of_employee(
        self, call: CurrentCall, employee_id: EmployeeId
    ) -> list[EmployeeCompetenceGroup]:
        """Return the groups that the employee is a member of, by name."""
        async with call.transaction() as connection:
            return await MEMBERSHIPS.list(connection, employee_id)

    @patch(
        "/employee/{employee_id:uuid}/add",
        summary="Add an employee to competence groups",
        **accepts(body=list[UUID], example=examples.COMPETENCE_GROUPS),
    )
    async def add_employee_to_competence_groups(
        self, call: CurrentCall, employee_id: EmployeeId, payload: Body[list[UUID]]
    ) -> list[EmployeeCompetenceGroup]:
        """Make the employee a member of the groups in the body, an array of ids; return all groups of the employee."""
        return await add_to_groups(call, MEMBERSHIPS, employee_id, payload)

    @patch(
        "/employee/{employee_id:uuid}/remove",
        summary="Remove an employee from competence groups",
        **accepts(body=list[UUID], example=examples.COMPETENCE_GROUPS),
    )
    async def remove_employee_from_competence_groups(
        self, call: CurrentCall, employee_id: EmployeeId, payload: Body[list[UUID]]
    ) -> list[EmployeeCompetenceGroup]:
        """Remove the employee from the groups in the body, an array of ids; return the remaining groups."""
        return await remove_from_groups(call, MEMBERSHIPS, employee_id, payload)
