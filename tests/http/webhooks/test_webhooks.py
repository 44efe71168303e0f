"""Webhooks as resources, with their secrets (docs/webhooks.md)."""

from datetime import timedelta
from uuid import uuid4

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Database
from support.fakes import HandClock
from support.receivers import Receiver
from support.webhooks import WEBHOOKS, Webhooks

HOUR = timedelta(hours=1)
HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


async def test_a_webhook_is_made_with_a_secret_that_is_told_once(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url, types=["meeting.*"], description="CRM")
    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert made == {
        "id": made["id"],
        "url": receiver.url,
        "types": ["meeting.*"],
        "description": "CRM",
        "active": True,
        "signature": "v1",
        "createdAt": "2026-03-02T06:00:00Z",
        "failingSince": None,
        "publicKey": None,
    }
    assert await webhooks.get(made) == made
    assert await webhooks.read(WEBHOOKS) == [made]


async def test_a_webhook_of_ed25519_has_a_public_key_and_no_secret(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url, signature="v1a")
    assert made["publicKey"].startswith("whpk_")
    assert "secret" not in made
    assert await webhooks.get(made) == made
    rotated = await webhooks.call(made, "secrets")
    assert "secret" not in rotated
    assert rotated["publicKey"] not in {made["publicKey"], None}


async def test_a_webhook_is_changed_by_json_patch_and_deleted(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url)
    changed = await webhooks.patch(made, "types", ["template.uploaded"])
    assert changed["types"] == ["template.uploaded"]
    address = f"{WEBHOOKS}/{made['id']}"
    for member, value in (("id", str(uuid4())), ("signature", "v1a"), ("publicKey", "whpk_"), ("types", ["a.b"])):
        patch = [{"op": "replace", "path": f"/{member}", "value": value}]
        assert (await webhooks.api.request("PATCH", address, json=patch)).status_code == 400, member
    assert (await webhooks.api.request("DELETE", address)).status_code == 204
    assert (await webhooks.api.get(address)).json()["code"] == "webhook_not_found"


async def test_an_address_that_may_not_be_called_is_refused_with_its_place(webhooks: Webhooks) -> None:
    made = await webhooks.create("http://127.0.0.1:9/")
    for url in (
        "http://example.com/",
        "https://localhost/hooks",
        "https://10.0.0.1/hooks",
        "https://169.254.169.254/latest",
        "https://[::ffff:10.0.0.1]/",
        "https://user:secret@example.com/",
        "crm",
        "",
    ):
        patch = [{"op": "replace", "path": "/url", "value": url}]
        for refused in (
            await webhooks.api.post(WEBHOOKS, {"url": url}),
            await webhooks.api.request("PATCH", f"{WEBHOOKS}/{made['id']}", json=patch),
        ):
            assert refused.status_code == 400, url
            assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/url"]


async def test_only_the_elevated_role_sees_webhooks_and_only_its_firms(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url)
    plain, other = await webhooks.api.of(NORDLYS), await webhooks.api.of(FJORD, elevated=True)
    one = f"{WEBHOOKS}/{made['id']}"
    for path in (WEBHOOKS, one, f"{one}/deliveries"):
        assert (await plain.get(path)).status_code == 403
    assert (await plain.post(WEBHOOKS, {"url": receiver.url})).status_code == 403
    for action in ("secrets", "test", "replay"):
        assert (await plain.post(f"{one}/{action}", {})).status_code == 403
        body = {"from": "2026-03-01T00:00:00Z"} if action == "replay" else None
        assert (await other.post(f"{one}/{action}", body)).status_code == 404
    assert (await other.get(one)).status_code == 404
    assert (await webhooks.api.get("v2/events/webhooks")).status_code == 404


async def test_a_repeat_of_the_request_gets_the_secret_again_which_lies_encrypted(
    webhooks: Webhooks, receiver: Receiver, database: Database
) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first, again = [await webhooks.api.post(WEBHOOKS, {"url": receiver.url}, headers=key) for _ in range(2)]
    assert first.json() == again.json()
    secret = first.json()["secret"]
    rotated = await webhooks.call(first.json(), "secrets")
    async with database.transaction(NORDLYS.tenant_id) as connection:
        tables = ("webhook", "webhook_secret", "idempotent_answer", "audit_entry", "event")
        written = [str(await connection.fetch(f"select * from {table}")) for table in tables]  # noqa: S608 - named above
        bodies = await connection.fetch("select body from idempotent_answer")
    for one in (secret, rotated["secret"]):
        assert one not in "".join(written)
        assert all(one.encode() not in row["body"] for row in bodies)


async def test_changes_of_webhooks_are_in_the_audit_log(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url)
    await webhooks.patch(made, "description", "CRM")
    await webhooks.call(made, "secrets")
    await webhooks.call(made, "replay", {"from": "2026-03-01T00:00:00Z"})
    await webhooks.api.request("DELETE", f"{WEBHOOKS}/{made['id']}")
    log = (await webhooks.read("v3/audit-log", kind="webhooks"))["items"]
    told = [(entry["action"], [change["member"] for change in entry["changes"]]) for entry in reversed(log)]
    assert told == [
        ("created", []),
        ("changed", ["description"]),
        ("changed", ["secret"]),
        ("changed", ["replay"]),
        ("deleted", []),
    ]
    assert {entry["resourceName"] for entry in log} == {receiver.url}


async def test_a_secret_of_another_key_of_the_installation_is_a_failed_try_that_says_so(
    webhooks: Webhooks, receiver: Receiver, database: Database
) -> None:
    made = await webhooks.create(receiver.url)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update webhook_secret set secret_encrypted = 'of another key'")
    await webhooks.call(made, "test")
    await webhooks.send_due()
    assert "rotate it" in (await webhooks.list_deliveries(made))[-1]["problem"]
    assert receiver.received == []
    await webhooks.call(made, "secrets")
    await webhooks.call(made, "test")
    await webhooks.send_due()
    assert len(receiver.received) == 1


async def test_two_secrets_sign_for_a_day_after_rotating(
    webhooks: Webhooks, receiver: Receiver, clock: HandClock
) -> None:
    made = await webhooks.create(receiver.url)

    async def count_signatures() -> int:
        await webhooks.call(made, "test")
        await webhooks.send_due()
        return len(receiver.received[-1].headers["webhook-signature"].split(" "))

    assert await count_signatures() == 1
    rotated = await webhooks.call(made, "secrets")
    assert rotated["secret"] not in {made["secret"], None}
    assert await count_signatures() == 2
    await webhooks.call(made, "secrets")
    assert await count_signatures() == 2  # the first is over
    await webhooks.wait_until(clock() + timedelta(hours=24))
    assert await count_signatures() == 1
