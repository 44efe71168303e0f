"""SCIM tokens: made and shown once, limited on their own, revoked; with the last one the firm owns its people again."""

from meetdeck.platform.database import Database
from support.directories import Directory, error_of
from support.factories import Api
from support.fakes import HandClock
from support.meetings import ANNA

TOKENS = "v3/administration/scim-tokens"


async def test_a_token_is_shown_once_and_needs_the_elevated_role(api: Api) -> None:
    assert (await api.post(TOKENS, {"name": "Entra"})).status_code == 403
    elevated = await api.of(api.firm, elevated=True)
    made = (await elevated.post(TOKENS, {"name": "Entra"})).raise_for_status().json()
    assert (await Directory(api.http, made["token"]).get("/Users")).status_code == 200
    (listed,) = (await elevated.get(TOKENS)).json()
    assert listed == {key: value for key, value in made.items() if key != "token"} | {
        "lastUsedAt": listed["lastUsedAt"]
    }
    assert listed["lastUsedAt"]
    assert (listed["ending"], listed["status"]) == (made["token"][-4:], "live")
    assert (await elevated.post(TOKENS, {"name": "Entra"})).status_code == 201
    third = await elevated.post(TOKENS, {"name": "Entra"})
    assert (third.status_code, third.json()["code"]) == (409, "scim_token_refused")


async def test_a_revoked_token_opens_nothing_and_the_last_one_gives_everything_back(
    api: Api, database: Database, clock: HandClock
) -> None:
    elevated = await api.of(api.firm, elevated=True)
    directory = await Directory.open(api, database)
    await directory.patch(f"/Users/{ANNA}", {"op": "replace", "path": "title", "value": "Head"})
    group = await directory.create_group("Pensions", ANNA)
    other = (await elevated.post(TOKENS, {"name": "Okta"})).json()
    first, second = sorted((await elevated.get(TOKENS)).json(), key=lambda one: one["id"] == other["id"])
    assert (await elevated.request("DELETE", f"{TOKENS}/{first['id']}")).status_code == 204
    clock.advance(minutes=1)
    assert error_of(await directory.get("/Users")) == (401, None)
    employee = (await api.get(f"v3/booking/employees/{ANNA}")).json()
    assert employee["provisioned"] is True
    await elevated.request("DELETE", f"{TOKENS}/{second['id']}")
    employee = (await api.get(f"v3/booking/employees/{ANNA}")).json()
    assert ("provisioned" not in employee, employee["title"]) == (True, "Head")
    changed = await api.request("PUT", f"v3/booking/config/employees/{ANNA}", json={**employee, "title": "Mine"})
    assert changed.status_code == 200
    assert (await api.request("DELETE", f"v3/booking/config/competence-groups/{group['id']}")).status_code < 300
    assert (await elevated.request("DELETE", f"{TOKENS}/{ANNA}")).json()["code"] == "scim_token_not_found"


async def test_a_directory_has_a_limit_of_its_own(api: Api, database: Database) -> None:
    directory = await Directory.open(api, database)
    answer = await directory.get("/ServiceProviderConfig")
    assert '"scim";q=3000;w=60' in answer.headers["RateLimit-Policy"]
    assert '"key"' not in answer.headers["RateLimit-Policy"]
