"""Keys and clients as the API answers them, and as their page shows them."""

from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.kit import ApiRefusal, ConsolePage, read_zone, show_short_moment
from meetdeck.pages.texts import mark

KEYS: Final = "administration/keys"
CLIENTS: Final = "administration/clients"
ROLES: Final = (
    ("employee", mark("Employee"), mark("Sees and books what employees do.")),
    ("manager", mark("Manager"), mark("Everything that an employee may do, also for others.")),
    ("configurator", mark("Configurator"), mark("Everything that a manager may do, and change the configuration.")),
    ("admin", mark("Administrator"), mark("Everything that a configurator may do; has the elevated role.")),
    ("elevated", mark("Elevated"), mark("For programs that change the configuration.")),
)


class Key(msgspec.Struct, frozen=True, rename="camel"):
    """A subscription key; the key itself is only in the first answer."""

    id: UUID
    name: str
    ending: str
    status: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None
    subscription_key: str = ""


class Client(msgspec.Struct, frozen=True, rename="camel"):
    """A client; its secret is only in the first answer."""

    client_id: str
    name: str
    roles: list[str]
    created_at: datetime
    client_secret: str = ""


class ShownKey(NamedTuple):
    """A key as its row shows it, with its times in words."""

    id: UUID
    name: str
    ending: str
    is_live: bool
    made: str
    used: str
    revoked: str


class ShownClient(NamedTuple):
    """A client as its row shows it."""

    id: str
    name: str
    roles: str
    made: str


async def list_keys(page: ConsolePage) -> list[ShownKey]:
    """Return the keys, live ones first."""
    zone = await read_zone(page.api)

    def show(moment: datetime | None) -> str:
        return "" if moment is None else show_short_moment(page, moment, zone)

    return [
        ShownKey(
            one.id,
            one.name,
            one.ending,
            one.status == "live",
            show(one.created_at),
            show(one.last_used_at),
            show(one.revoked_at),
        )
        for one in await page.api.get(KEYS, list[Key])
    ]


async def list_clients(page: ConsolePage) -> tuple[list[ShownClient], str]:
    """Return the clients by name and, if another issuer has them, a sentence that says so."""
    try:
        found = await page.api.get(CLIENTS, list[Client])
    except ApiRefusal as refused:
        if refused.status != HTTPStatus.CONFLICT:
            raise
        return [], refused.detail
    zone = await read_zone(page.api)
    names = {value: page.texts.translate(label) for value, label in _name_roles(page).items()}
    shown = [
        ShownClient(
            one.client_id,
            one.name,
            ", ".join(names.get(role, role) for role in one.roles),
            show_short_moment(page, one.created_at, zone),
        )
        for one in found
    ]
    return shown, ""


def _name_roles(page: ConsolePage) -> Mapping[str, str]:
    """Return the words for roles by the values that tokens carry."""
    words = {role: label for role, label, _ in ROLES}
    return {value: words[role] for role, value in page.settings.role_names.by_role.items()}


def find_errors(refused: ApiRefusal, field: str) -> list[tuple[str, str]]:
    """Return what is wrong with a name, beside its field; raises it again if a form cannot show it."""
    if refused.status not in {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT, HTTPStatus.FORBIDDEN}:
        raise refused
    return [(field, fault.detail) for fault in refused.faults] or [(field, refused.detail)]
