"""A developer's receiver on the same machine: which addresses `serve --demo-data` calls, and which it never does."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx

from support.installation import Installation
from support.receivers import open_receiver

_DELIVERED_SECONDS = 60


@asynccontextmanager
async def call_elevated(installation: Installation, address: str) -> AsyncGenerator[httpx.AsyncClient]:
    """Lend a client with the elevated role of the first demo firm."""
    written = json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
    tenant = written["tenants"][0]
    form = {
        "grant_type": "client_credentials",
        "client_id": tenant["clients"][1]["clientId"],
        "client_secret": tenant["clients"][1]["clientSecret"],
    }
    async with httpx.AsyncClient(timeout=60) as http:
        token = (await http.post(f"{address}/oauth/token", data=form)).json()["access_token"]
        http.headers["Authorization"] = f"Bearer {token}"
        http.headers["Ocp-Apim-Subscription-Key"] = tenant["subscriptionKey"]
        http.base_url = httpx.URL(f"{address}/api/v3/")
        yield http


async def require_calls_of_ones_own_machine(installation: Installation) -> None:
    """Check that an event reaches a receiver on this machine, and that none can be sent to the server itself."""
    own = urlsplit(installation.address).port
    async with open_receiver() as receiver, call_elevated(installation, installation.address) as http:
        made = await http.post("events/webhooks", json={"url": f"http://localhost:{receiver.port}/hooks"})
        assert made.status_code == 201, made.text
        (await http.post(f"events/webhooks/{made.json()['id']}/test")).raise_for_status()
        async with asyncio.timeout(_DELIVERED_SECONDS):
            await receiver.came.wait()
        assert receiver.events()[0]["type"] == "webhook.test"
        (await http.delete(f"events/webhooks/{made.json()['id']}")).raise_for_status()

        hosts = ["127.0.0.1", "127.0.0.2", "localhost", "localhost.", "[::1]", "[::ffff:127.0.0.1]", "2130706433"]
        for host in hosts:
            for body, where in (
                ({"url": f"http://{host}:{own}/oauth/token"}, "events/webhooks"),
                (
                    {"template": "Annual review", "dataUrl": f"http://{host}:{own}/api"},
                    "booking/config/document-rules",
                ),
            ):
                refused = await http.post(where, json=body)
                assert (refused.status_code, refused.json()["code"]) in {
                    (400, "invalid_webhook"),
                    (400, "address_not_allowed"),
                }, f"{where}: {host}"
                if host.startswith("127."):
                    assert f"set MEETDECK_OUTGOING_ALLOW={host}:{own} " in refused.json()["detail"]
