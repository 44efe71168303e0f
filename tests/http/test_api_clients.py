"""Clients of the built-in token issuer: listed, made and deleted by administrators of their firm."""

from typing import Any

import httpx

from meetdeck.demo.firm import FJORD, NORDLYS
from support.factories import Api
from support.patches import pointers

CLIENTS = "v3/administration/clients"
ELEVATED = "Meetdeck.Elevated"


async def sign_in(api: Api, client: dict[str, Any]) -> httpx.Response:
    """Ask for a token as a client."""
    grant = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    return await api.http.post("/oauth/token", data=grant)


async def test_a_client_is_made_signs_in_and_is_deleted(api: Api) -> None:
    admin = await api.of(NORDLYS, elevated=True)
    made = await admin.post(CLIENTS, {"name": "Booking site", "roles": ["elevated"]})
    client = made.json()
    assert (made.status_code, client["name"], client["roles"]) == (201, "Booking site", [ELEVATED])
    assert (await sign_in(api, client)).status_code == 200
    listed = await admin.get(CLIENTS)
    assert client["clientId"] in [one["clientId"] for one in listed.json()]
    assert client["clientSecret"] not in listed.text
    assert (await admin.request("DELETE", f"{CLIENTS}/{client['clientId']}")).status_code == 204
    assert (await sign_in(api, client)).status_code == 401
    told = (await admin.get("v3/audit-log?kind=clients")).json()["items"]
    assert [one["action"] for one in told[:2]] == ["deleted", "created"]


async def test_nobody_gives_a_role_that_they_do_not_have(api: Api) -> None:
    admin = await api.of(NORDLYS, elevated=True)
    assert (await admin.post(CLIENTS, {"name": "Above", "roles": ["admin"]})).status_code == 403
    unknown = await admin.post(CLIENTS, {"name": "Unknown", "roles": ["king"]})
    assert (unknown.status_code, unknown.json()["code"]) == (400, "client_refused")
    assert pointers(unknown) == ["/roles/0"]
    plain = await api.of(NORDLYS, elevated=False)
    assert (await plain.get(CLIENTS)).status_code == 403
    assert (await plain.post(CLIENTS, {"name": "Mine"})).status_code == 403


async def test_another_firms_clients_are_not_there(api: Api) -> None:
    made = (await (await api.of(NORDLYS, elevated=True)).post(CLIENTS, {"name": "Booking site"})).json()
    other = await api.of(FJORD, elevated=True)
    assert made["clientId"] not in (await other.get(CLIENTS)).text
    assert (await other.request("DELETE", f"{CLIENTS}/{made['clientId']}")).status_code == 404
    assert (await sign_in(api, made)).status_code == 200
