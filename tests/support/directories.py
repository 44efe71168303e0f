"""A firm's directory: requests of SCIM as Entra and Okta send them."""

from datetime import UTC, datetime
from typing import Any, Final, Self

import httpx

from meetdeck.administration.scim_tokens.service import create_token
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Database
from support.factories import Api

USER: Final = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP: Final = "urn:ietf:params:scim:schemas:core:2.0:Group"
ENTERPRISE: Final = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
PATCH: Final = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
ERROR: Final = "urn:ietf:params:scim:api:messages:2.0:Error"
MADE: Final = datetime(2026, 1, 1, tzinfo=UTC)


class Directory:
    """A directory that provisions the firm of an `Api`."""

    def __init__(self, http: httpx.AsyncClient, token: str) -> None:
        self.http = http
        self.token = token

    @classmethod
    async def open(cls, api: Api, database: Database, name: str = "Entra") -> Self:
        """Make a token of the firm."""
        made = await create_token(database, api.firm.tenant_id, name, Actor(operator="test", command="test"), MADE)
        return cls(api.http, made.token)

    async def send(self, method: str, path: str, json: object = None, **arguments: Any) -> httpx.Response:
        """Send a request below /scim/v2; every answer with a body is SCIM's, and none is 500."""
        headers = {"Authorization": f"Bearer {self.token}", **arguments.pop("headers", {})}
        answer = await self.http.request(method, f"/scim/v2{path}", json=json, headers=headers, **arguments)
        assert answer.status_code != httpx.codes.INTERNAL_SERVER_ERROR, answer.text
        if answer.content:
            assert answer.headers["content-type"].partition(";")[0] == "application/scim+json"
        return answer

    async def get(self, path: str, **parameters: str | int) -> httpx.Response:
        """Read below /scim/v2."""
        return await self.send("GET", path, params=parameters)

    async def create_user(self, user_name: str, **members: Any) -> dict[str, Any]:
        """Create a user as Entra does."""
        body = {"schemas": [USER, ENTERPRISE], "userName": user_name, "active": True, **members}
        answer = await self.send("POST", "/Users", body)
        assert answer.status_code == httpx.codes.CREATED, answer.text
        return answer.json()

    async def create_group(self, name: str, *members: str) -> dict[str, Any]:
        """Create a group with members."""
        body = {"schemas": [GROUP], "displayName": name, "members": [{"value": one} for one in members]}
        answer = await self.send("POST", "/Groups", body)
        assert answer.status_code == httpx.codes.CREATED, answer.text
        return answer.json()

    async def patch(self, path: str, *operations: dict[str, Any], **arguments: Any) -> httpx.Response:
        """Send a PATCH with some operations."""
        return await self.send("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)}, **arguments)

    async def find(self, user_name: str) -> dict[str, Any] | None:
        """Return the user of a name, as directories look before they write."""
        answer = await self.get("/Users", filter=f'userName eq "{user_name}"')
        found = answer.json()["Resources"]
        return found[0] if found else None


def error_of(answer: httpx.Response) -> tuple[int, str | None]:
    """Return status and `scimType` of a refusal in SCIM's form."""
    body = answer.json()
    assert body["schemas"] == [ERROR]
    assert body["status"] == str(answer.status_code)
    assert body["detail"]
    return answer.status_code, body.get("scimType")
