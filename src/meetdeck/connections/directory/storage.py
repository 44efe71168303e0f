"""Connects scim2-server to our tables, for one request of one firm in one transaction."""

from collections.abc import Sequence
from typing import Any, cast

from scim2_models import NotImplementedException, Resource, ResourceType, ResponseParameters, SearchRequest
from scim2_server.storage import AsyncScimStorage, SearchPage

from meetdeck.connections.directory.context import Work
from meetdeck.connections.directory.filters import read_conditions
from meetdeck.connections.directory.groups import service as groups
from meetdeck.connections.directory.models import USER, Group, User
from meetdeck.connections.directory.users import service as users
from meetdeck.connections.directory.users.store import StoredUser


class DirectoryStorage(AsyncScimStorage):
    """Users and groups in the transaction of a request. Versions need no check: changed rows are locked."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._read: StoredUser | None = None

    async def get(
        self,
        resource_type: ResourceType,
        resource_id: str,
        *,
        response_parameters: ResponseParameters[Any] | None = None,
    ) -> Resource[Any]:
        """Return a resource. Raises NotFoundException."""
        if resource_type.name == USER:
            self._read = await users.get_user(self._work, resource_id)
            return users.show_user(self._read)
        return await groups.get_group(self._work, resource_id, with_members=_wants_members(response_parameters))

    async def search(
        self, resource_types: list[ResourceType], search_request: SearchRequest[Any], *, position: object = None
    ) -> SearchPage:
        """Return a page of users or of groups, and how many there are. Raises InvalidFilterException."""
        del position  # for cursors, which are not supported
        if len(resource_types) != 1:
            raise NotImplementedException(
                detail="Users and groups cannot be searched together: request /Users or /Groups."
            )
        (resource_type,) = resource_types
        skipped = max(search_request.start_index or 1, 1) - 1
        node = search_request.filter.ast if search_request.filter is not None else None
        found: Sequence[Resource[Any]]
        if resource_type.name == USER:
            conditions = read_conditions(node, users.ATTRIBUTES)
            found, total = await users.list_users(self._work, conditions, most=search_request.count, skipped=skipped)
        else:
            conditions = read_conditions(node, groups.ATTRIBUTES)
            found, total = await groups.list_groups(
                self._work,
                conditions,
                most=search_request.count,
                skipped=skipped,
                with_members=_wants_members(search_request),
            )
        return SearchPage(total, list(found))

    async def create(self, resource_type: ResourceType, resource: Resource[Any]) -> Resource[Any]:
        """Return a new resource. Raises UniquenessException, InvalidInput."""
        if resource_type.name == USER:
            return users.show_user(await users.create_user(self._work, cast("User", resource)))
        return await groups.create_group(self._work, cast("Group", resource))

    async def update(
        self, resource_type: ResourceType, resource: Resource[Any], *, expected_version: str | None = None
    ) -> Resource[Any]:
        """Return a resource after writing it. Raises UniquenessException, InvalidInput."""
        del expected_version  # `get` has locked it
        if resource_type.name == USER:
            current = await self._find_read(str(resource.id))
            return users.show_user(await users.update_user(self._work, current, cast("User", resource)))
        return await groups.update_group(self._work, cast("Group", resource))

    async def delete(
        self, resource_type: ResourceType, resource_id: str, *, expected_version: str | None = None
    ) -> None:
        """Delete a resource. Raises NotFoundException."""
        del expected_version
        if resource_type.name == USER:
            await users.end_user(self._work, await self._find_read(resource_id))
        else:
            await groups.delete_group(self._work, resource_id)

    async def _find_read(self, user_id: str) -> StoredUser:
        """Return the user that the request has already read and locked."""
        if self._read is not None and str(self._read.employee.id) == user_id.lower():
            return self._read
        return await users.get_user(self._work, user_id)


def _wants_members(parameters: ResponseParameters[Any] | SearchRequest[Any] | None) -> bool:
    """Return whether an answer includes the members of a group."""
    if parameters is None:
        return True
    wanted = [str(path).lower() for path in parameters.attributes or []]
    left_out = [str(path).lower() for path in parameters.excluded_attributes or []]
    names = {"members", "urn:ietf:params:scim:schemas:core:2.0:group:members"}
    return not names & set(left_out) and (not wanted or any("members" in one for one in wanted))
