"""Subscription keys of a firm: listed for its administrators, without the keys themselves."""

from meetdeck.administration.keys import service
from meetdeck.demo.firm import FJORD
from meetdeck.platform.audit_log import name_operator
from meetdeck.platform.db import Database
from support.factories import Api
from support.fakes import MONDAY_MORNING

KEYS = "v3/administration/keys"
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
