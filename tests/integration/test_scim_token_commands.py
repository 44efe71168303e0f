"""`meetdeck scim-token create`, `list` and `revoke` as an operator types them."""

import json

import pytest

from meetdeck.demo.firm import NORDLYS
from support.directories import Directory
from support.factories import Api
from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")

TENANT = str(NORDLYS.tenant_id)


async def test_tokens_are_made_listed_and_revoked_by_command(api: Api, terminal: Terminal) -> None:
    status, out, err = await terminal.run("scim-token", "create", "--tenant", TENANT, "--name", "Entra", "--json")
    made = json.loads(out)
    assert (status, err, made.keys()) == (0, "", {"tokenId", "token"})
    assert (await Directory(api.http, made["token"]).get("/Users")).status_code == 200
    _, out, _ = await terminal.run("scim-token", "list", "--tenant", TENANT, "--json")
    (listed,) = json.loads(out)
    assert (listed["tokenId"], listed["name"], listed["status"]) == (made["tokenId"], "Entra", "live")
    assert made["token"] not in out
    _, out, _ = await terminal.run("scim-token", "create", "--tenant", TENANT, "--name", "Okta")
    assert len(out.splitlines()[0]) == 64
    status, out, _ = await terminal.run("scim-token", "revoke", made["tokenId"], "--yes")
    assert (status, "was revoked" in out) == (0, True)
    status, _, err = await terminal.run("scim-token", "revoke", TENANT, "--yes")
    assert (status, "There is no SCIM token" in err) == (1, True)
