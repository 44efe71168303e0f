"""An installation with portals that anybody may book at, and the configuration's API beside it."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import httpx

from support.installation import Installation, install

Json = dict[str, Any]

FIELDS: list[Json] = [
    {"name": "phone", "label": "Telephone", "type": "Phone", "validation": {"required": True}},
    {
        "name": "about",
        "label": "What would you like to talk about?",
        "type": "Text",
        "description": "One sentence is enough.",
    },
    {
        "name": "heard",
        "label": "How did you hear of us?",
        "type": "Dropdown",
        "options": ["From a friend", "In the news", "Other"],
    },
    {"name": "call", "label": "You may call me before the meeting", "type": "Checkbox"},
    {"name": "campaign", "hidden": True},
]

UNLIMITED = {
    "MEETDECK_ADDRESS_RATE_LIMIT": "0",
    "MEETDECK_ADDRESS_HOLD_LIMIT": "0",
    "MEETDECK_HOLD_LIMIT": "0",
    "MEETDECK_ADDRESS_HELD_TIMES": "0",
    "MEETDECK_ADDRESS_MAIL_LIMIT": "0",
    "MEETDECK_HELD_SHARE": "1",
}
"""Settings without rate limits: all callers of tests have one address."""


class Site:
    """A running installation: its address, and the API as the demo firms' clients with the elevated role."""

    def __init__(self, address: str, api: httpx.Client, other: httpx.Client) -> None:
        self.address = address
        self.api = api
        """The first firm's."""
        self.other = other
        """The second firm's."""

    def make_portal(self, address: str, *, api: httpx.Client | None = None, **members: Any) -> str:
        """Create a portal that anybody may book at, by default the first firm's; return the address of its page."""
        body: Json = {
            "name": "Nordlys Rådgivning",
            "address": address,
            "authenticationType": "Anonymous",
            "fields": FIELDS,
            "brandColor": "#12355B",
        }
        answer = (api or self.api).post("config/portals", json=body | members)
        assert answer.is_success, answer.text
        return f"{self.address}/p/{address}"

    def list_meetings(self) -> list[Json]:
        """Return the firm's meetings."""
        return self.api.get("meetings").raise_for_status().json()


@contextmanager
def open_site(installation: Installation) -> Generator[Site]:
    """Lend a running installation of the demo firms, for tests that create portals there."""
    address = installation.address
    with _call_elevated(installation, address, 0) as api, _call_elevated(installation, address, 1) as other:
        yield Site(address, api, other)


@contextmanager
def serve_portals(*arguments: str) -> Generator[Site]:
    """Serve the demo firms in an installation of the caller's own, filled again: no run of tests has prepared one.

    With arguments, `meetdeck serve` is started with these in place of those of the demo data.
    """
    with install() as installation:
        installation.settings |= UNLIMITED
        installation.start(*arguments, anew=True)
        with open_site(installation) as site:
            yield site


@contextmanager
def _call_elevated(installation: Installation, address: str, firm: int) -> Generator[httpx.Client]:
    """Lend a client with the elevated role of a demo firm."""
    written: Json = json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
    tenant = written["tenants"][firm]
    client = tenant["clients"][1]
    form = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    token = httpx.post(f"{address}/oauth/token", data=form).raise_for_status().json()["access_token"]
    headers = {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}
    with httpx.Client(base_url=f"{address}/api/v3/booking/", headers=headers, timeout=60) as http:
        yield http
