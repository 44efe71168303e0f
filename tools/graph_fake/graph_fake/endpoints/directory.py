"""Users, groups, members and rooms."""

from collections.abc import Sequence
from typing import Final

from litestar import Response, get
from litestar.params import FromPath

from graph_fake.directory import Caller, Group, Person
from graph_fake.paging import select, write_page
from graph_fake.problems import GraphProblem
from graph_fake.requests import Call, answer, get_address, get_caller

_USERS: Final = ("User.ReadBasic.All", "User.Read.All", "Directory.Read.All")
_WHOLE_USERS: Final = frozenset(_USERS[1:])
_BASICS: Final = frozenset({"id", "displayName", "mail", "userPrincipalName"})
"""The members of a person that User.ReadBasic.All allows to read."""
_GROUPS: Final = ("GroupMember.Read.All", "Group.Read.All", "Directory.Read.All")
_PLACES: Final = ("Place.Read.All",)


@get("/v1.0/users")
async def list_users(request: Call) -> Response[bytes]:
    """Return a page of the users."""
    caller = get_caller(request)
    caller.require(*_USERS)
    return _answer_page(request, [each for each in caller.tenant.people.values() if each.kind == "user"])


@get("/v1.0/users/{key:str}")
async def get_user(key: FromPath[str], request: Call) -> Response[bytes]:
    """Return a user, by id or address."""
    caller = get_caller(request)
    caller.require(*_USERS)
    return answer(select(caller.tenant.get_person(key).to_resource(), request.query_params))


@get("/v1.0/groups")
async def list_groups(request: Call) -> Response[bytes]:
    """Return a page of the groups."""
    caller = get_caller(request)
    caller.require(*_GROUPS)
    return _answer_page(request, [*caller.tenant.groups.values()])


@get("/v1.0/groups/{group_id:str}")
async def get_group(group_id: FromPath[str], request: Call) -> Response[bytes]:
    """Return a group."""
    caller = get_caller(request)
    caller.require(*_GROUPS)
    return answer(select(caller.tenant.get_group(group_id).to_resource(), request.query_params))


@get(["/v1.0/groups/{group_id:str}/members", "/v1.0/groups/{group_id:str}/members/microsoft.graph.user"])
async def list_members(group_id: FromPath[str], request: Call) -> Response[bytes]:
    """Return a page of a group's direct members."""
    caller = get_caller(request)
    caller.require(*_GROUPS)
    return _answer_page(request, caller.tenant.list_members(caller.tenant.get_group(group_id)))


@get(
    [
        "/v1.0/groups/{group_id:str}/transitiveMembers",
        "/v1.0/groups/{group_id:str}/transitiveMembers/microsoft.graph.user",
    ]
)
async def list_transitive_members(group_id: FromPath[str], request: Call) -> Response[bytes]:
    """Return a page of a group's members and those of groups in it."""
    caller = get_caller(request)
    caller.require(*_GROUPS)
    return _answer_page(request, caller.tenant.list_transitive_members(caller.tenant.get_group(group_id)))


@get("/v1.0/places/microsoft.graph.room")
async def list_rooms(request: Call) -> Response[bytes]:
    """Return a page of the rooms."""
    caller = get_caller(request)
    caller.require(*_PLACES)
    rooms = [each for each in caller.tenant.people.values() if each.kind == "room"]
    shown = [{"id": each.id, "displayName": each.display_name, "emailAddress": each.mail} for each in rooms]
    return answer(
        write_page([dict[str, object](each) for each in shown], request.query_params, get_address(request), 100)
    )


def _answer_page(request: Call, found: Sequence[Person | Group]) -> Response[bytes]:
    """Return a page of people and groups; of people alone where the address says so, which needs two things more.

    What the application may not read of people is null. Raises GraphProblem.
    """
    if request.url.path.endswith("/microsoft.graph.user"):
        is_eventual = request.headers.get("ConsistencyLevel", "").lower() == "eventual"
        if not is_eventual or request.query_params.get("$count") != "true":
            raise GraphProblem(400, "Request_UnsupportedQuery", "Send $count=true and ConsistencyLevel: eventual.")
        found = [each for each in found if isinstance(each, Person)]
    items = [
        _hide(each.to_resource(), get_caller(request)) if isinstance(each, Person) else each.to_resource()
        for each in found
    ]
    return answer(write_page(items, request.query_params, get_address(request), 100))


def _hide(person: dict[str, object], caller: Caller) -> dict[str, object]:
    """Return a person with null for what the application may not read: all but the id, or more than the basics."""
    if not caller.roles.isdisjoint(_WHOLE_USERS):
        return person
    shown = _BASICS if not caller.roles.isdisjoint(_USERS) else frozenset({"id"})
    return {name: value if name in shown or name.startswith("@") else None for name, value in person.items()}


HANDLERS: Final = [list_users, get_user, list_groups, get_group, list_members, list_transitive_members, list_rooms]
