"""Subscription keys of a firm: listed, made, rotated and revoked by its administrators; each is shown once."""

from uuid import UUID

import httpx
import pytest

from meetdeck.administration.keys import service
from meetdeck.demo.firm import FJORD
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import MONDAY_MORNING, HandClock

KEYS = "v3/administration/keys"
NOBODY = UUID(int=0)
OPERATOR = name_operator("key create")


async def test_an_administrator_sees_live_keys_before_revoked_ones_and_no_key_itself(
    api: Api, database: Database
) -> None:
    old = await service.create_key(database, api.firm.tenant_id, "CRM", OPERATOR, MONDAY_MORNING)
    new = await service.rotate_key(database, old.key_id, OPERATOR, MONDAY_MORNING)
    await service.revoke_key(database, old.key_id, OPERATOR, MONDAY_MORNING)

    answer = await (await api.of(api.firm, elevated=True)).get(KEYS)

    assert answer.status_code == 200, answer.text
    shown = [key for key in answer.json() if key["name"] == "CRM"]
    assert [(key["id"], key["status"]) for key in shown] == [
        (str(new.key_id), "live"),
        (str(old.key_id), "revoked"),
    ]
    assert [key["ending"] for key in shown] == [new.subscription_key[-4:], old.subscription_key[-4:]]
    assert answer.json()[-1]["id"] == str(old.key_id)
    assert new.subscription_key not in answer.text
    assert old.subscription_key not in answer.text


async def test_keys_are_refused_to_those_without_the_elevated_role(api: Api) -> None:
    answer = await (await api.of(api.firm, elevated=False)).get(KEYS)

    assert answer.status_code == 403, answer.text


async def test_keys_of_another_firm_are_not_listed(api: Api, database: Database) -> None:
    key = await service.create_key(database, api.firm.tenant_id, "CRM", OPERATOR, MONDAY_MORNING)

    answer = await (await api.of(FJORD, elevated=True)).get(KEYS)

    assert answer.status_code == 200, answer.text
    assert str(key.key_id) not in [other["id"] for other in answer.json()]


async def test_a_key_is_made_rotated_and_revoked_and_is_shown_once(api: Api, clock: HandClock) -> None:
    admin = await api.of(api.firm, elevated=True)
    repeat = {"Idempotency-Key": "make-crm"}
    made = await admin.request("POST", KEYS, json={"name": " CRM "}, headers=repeat)
    assert (made.status_code, made.json()["name"]) == (201, "CRM"), made.text
    old = made.json()
    assert (await admin.request("POST", KEYS, json={"name": " CRM "}, headers=repeat)).json() == old
    clock.advance(minutes=1)
    new = (await admin.post(f"{KEYS}/{old['id']}/rotate")).json()
    assert (new["name"], new["status"]) == ("CRM", "live")
    for key in (old, new):
        assert key["subscriptionKey"].endswith(key["ending"])
        assert (await call_with(api, key["subscriptionKey"])).status_code == 200
    third = await admin.post(f"{KEYS}/{new['id']}/rotate")
    assert (third.status_code, third.json()["code"]) == (409, "key_refused")
    assert old["id"] in third.json()["detail"]
    assert (await admin.request("DELETE", f"{KEYS}/{old['id']}")).status_code == 204
    clock.advance(minutes=2)
    assert (await call_with(api, old["subscriptionKey"])).status_code == 401
    listed = {key["id"]: key for key in (await admin.get(KEYS)).json()}
    assert (listed[old["id"]]["status"], listed[new["id"]]["status"]) == ("revoked", "live")
    told = (await admin.get("v3/audit-log?kind=keys")).json()["items"]
    assert [(one["action"], one["resourceId"]) for one in told[:3]] == [
        ("changed", old["id"]),
        ("created", new["id"]),
        ("created", old["id"]),
    ]
    assert all(one["userId"] for one in told[:3])


async def call_with(api: Api, key: str) -> httpx.Response:
    """Call the API with another subscription key."""
    return await api.get("v3/booking/employees", headers={"Ocp-Apim-Subscription-Key": key})


async def test_a_call_does_not_end_the_key_that_it_comes_with(api: Api) -> None:
    admin = await api.of(api.firm, elevated=True)
    made = (await admin.post(KEYS, {"name": "Operations"})).json()
    own = {"Ocp-Apim-Subscription-Key": made["subscriptionKey"]}
    refused = await admin.request("DELETE", f"{KEYS}/{made['id']}", headers=own)
    assert (refused.status_code, refused.json()["code"]) == (409, "key_in_use")
    assert (await call_with(api, made["subscriptionKey"])).status_code == 200


async def test_another_firms_key_can_be_neither_rotated_nor_revoked(api: Api, database: Database) -> None:
    key = await service.create_key(database, api.firm.tenant_id, "CRM", OPERATOR, MONDAY_MORNING)
    other = await api.of(FJORD, elevated=True)
    assert (await other.post(f"{KEYS}/{key.key_id}/rotate")).status_code == 404
    assert (await other.request("DELETE", f"{KEYS}/{key.key_id}")).status_code == 404
    assert (await call_with(api, key.subscription_key)).status_code == 200


@pytest.mark.parametrize(
    ("method", "path"), [("POST", KEYS), ("POST", f"{KEYS}/{NOBODY}/rotate"), ("DELETE", f"{KEYS}/{NOBODY}")]
)
async def test_keys_are_made_and_ended_with_the_elevated_role_alone(api: Api, method: str, path: str) -> None:
    body = {"name": "CRM"} if path == KEYS else None
    assert (await (await api.of(api.firm, elevated=False)).request(method, path, json=body)).status_code == 403
