"""The table of permissions holds: each operation of the API and each page of the console, with every role and none."""

import re
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple
from uuid import uuid4

import pytest
import pytest_asyncio
from litestar.routes import HTTPRoute

from meetdeck.administration.clients.service import add_client
from meetdeck.app import make_routes
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Database
from meetdeck.platform.identity import Access, find_access
from meetdeck.platform.identity.permissions import PERMISSIONS
from meetdeck.platform.settings import RoleNames
from support.console import ANNA, EVA, SIGNE, THOMAS, Browser
from support.documents import DOCUMENTS, operations_of
from support.factories import Api
from support.fakes import MONDAY_MORNING

NAMES: Final = RoleNames()
STEPS: Final = [Access.EMPLOYEE, Access.MANAGER, Access.CONFIGURATOR, Access.ADMIN]
"""The roles of people, the least first."""
OPEN: Final = re.compile(
    r"/($|p/|mcp$|scim/v2|calendars/|pages/|static/|docs(/|$)|favicon\.ico$|health/|metrics$|dev/|oauth/|\.well-known/)"
)
"""Addresses of which no role is asked: customers' pages, files, what operators watch, and the built-in issuer."""
FILLED: Final = {"slug": "employees", "kind": "booked", "language": "en", "source": "employees", "client_id": "none"}
"""Parameters that are not ids."""


class Address(NamedTuple):
    """A method of an address as it is routed."""

    method: str
    template: str

    @property
    def path(self) -> str:
        """Return the address with something in the place of its parameters that leads to nothing."""
        return re.sub(r"{(\w+)}", lambda found: FILLED.get(found[1], str(uuid4())), self.template)


def list_addresses() -> Iterator[Address]:
    """Yield everything that is served."""
    for route in make_routes(with_issuer=True).routes:
        if isinstance(route, HTTPRoute):
            methods = {str(method) for handler in route.route_handlers for method in handler.http_methods}
            yield from (Address(method, route.path_format) for method in methods - {"OPTIONS"})


_DOCUMENTS = ("/openapi.json", "/postman.json")


@cache
def list_operations() -> list[Address]:
    """Return the operations of the API in both versions."""
    return sorted(
        one for one in list_addresses() if one.template.startswith("/api/") and not one.template.endswith(_DOCUMENTS)
    )


@cache
def list_pages() -> list[Address]:
    """Return the pages of the console, that which ends the session last."""
    pages = [one for one in list_addresses() if one.template.startswith("/console")]
    return sorted(pages, key=lambda one: (one.template == "/console/sign-out", one))


def test_every_address_is_in_the_table_or_asks_for_no_role() -> None:
    """A new operation or page gets its line in `meetdeck/platform/identity/permissions.py`."""
    listed = {*list_operations(), *list_pages()}
    without_entry = [one for one in listed if find_access(*one) is Access.NOBODY]
    assert not without_entry
    others = [one for one in list_addresses() if one not in listed and not one.template.endswith(_DOCUMENTS)]
    assert [one for one in others if not OPEN.match(one.template)] == []


def test_every_line_of_the_table_is_an_address() -> None:
    served = {
        (method, re.sub(r"^/api/v\d+", "/api", template)) for method, template in (*list_operations(), *list_pages())
    }
    assert set(PERMISSIONS) - served == set()


def test_every_operation_of_both_documents_is_walked() -> None:
    walked = {(one.method.lower(), re.sub("{.*?}", "{}", one.template)) for one in list_operations()}
    for document in DOCUMENTS.values():
        described = {(method, re.sub("{.*?}", "{}", path)) for path, method, _ in operations_of(document)}
        assert described <= walked


def test_pages_need_roles_of_people_and_operations_no_more_than_the_elevated_one() -> None:
    assert {find_access(*one) for one in list_pages()} == {Access.ANYBODY, *STEPS}
    assert {find_access(*one) for one in list_operations()} == {Access.ANYBODY, Access.CALLER, Access.ELEVATED}


def includes(role: Access | None, needed: Access) -> bool:
    """Return whether a role includes what is needed, as docs/api/authentication.md says: written here a second time."""
    if needed is Access.CALLER:
        return True
    if needed is Access.ELEVATED:
        return role in {Access.ADMIN, Access.ELEVATED}
    return role in STEPS[STEPS.index(needed) :]


def list_nearest(roles: Iterable[Access | None], needed: Access) -> list[Access | None]:
    """Return the least role that is let in, the greatest that is not, and what no role is: roles go up."""
    going_up = [role for role in STEPS if role in roles]
    let_in = [role for role in going_up if includes(role, needed)][:1]
    kept_out = [role for role in going_up if not includes(role, needed)][-1:]
    return [*let_in, *kept_out, *(role for role in roles if role not in STEPS)]


WALKS: Final = pytest.mark.parametrize("walks", ["nearest", pytest.param("all", marks=pytest.mark.thorough)])
"""The roles with which each address is asked for: every day those around the one that is needed."""


@pytest_asyncio.fixture
async def tokens(api: Api, database: Database) -> AsyncGenerator[Mapping[Access | None, Mapping[str, str]]]:
    """Give the headers of a caller of each role, and of one without."""
    headers: dict[Access | None, Mapping[str, str]] = {None: api.headers}
    for role in (*STEPS, Access.ELEVATED):
        value = role.find_role(NAMES)
        assert value is not None
        client = await database.run(
            NORDLYS.tenant_id,
            lambda connection, value=value: add_client(
                connection, NORDLYS.tenant_id, value, [value], Actor(uuid4()), MONDAY_MORNING
            ),
        )
        form = {"grant_type": "client_credentials", "client_id": client.client_id}
        answer = await api.http.post("/oauth/token", data=form | {"client_secret": client.client_secret})
        headers[role] = {**api.headers, "Authorization": f"Bearer {answer.json()['access_token']}"}
    yield headers


@WALKS
async def test_each_operation_lets_in_whom_the_table_says(
    api: Api, tokens: Mapping[Access | None, Mapping[str, str]], walks: str
) -> None:
    for operation in list_operations():
        needed = find_access(*operation)
        if needed is Access.ANYBODY:
            continue
        nobody = await api.http.request(operation.method, operation.path)
        assert nobody.status_code == 401, operation
        for role in tokens if walks == "all" else list_nearest(tokens, needed):
            answer = await api.http.request(operation.method, operation.path, headers=tokens[role])
            assert answer.status_code < 500, (operation, role, answer.text)
            assert (answer.status_code == 403) is not includes(role, needed), (operation, role, answer.text)
            assert answer.status_code != 403 or answer.json()["code"] == "forbidden"


@WALKS
async def test_each_page_is_shown_to_whom_the_table_says(api: Api, walks: str) -> None:
    nobody = Browser(api)
    people: dict[Access | None, Browser] = {
        role: await Browser.open(api, user) for role, user in zip(STEPS, (ANNA, EVA, SIGNE, THOMAS), strict=True)
    }
    for page in list_pages():
        needed = find_access(*page)
        if needed is Access.ANYBODY:
            continue
        answer = await nobody.http.request(page.method, page.path, follow_redirects=False)
        assert answer.status_code == (303 if page.method == "GET" else 401), page
        for role in people if walks == "all" else list_nearest(people, needed):
            answer = await people[role].http.request(page.method, page.path, follow_redirects=False)
            assert answer.status_code < 500, (page, role)
            assert (answer.status_code == 403) is not includes(role, needed), (page, role)
