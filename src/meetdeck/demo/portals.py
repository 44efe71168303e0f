"""The demo firms' portals, where customers book: one for each firm, with its own address, color and fields."""

from typing import Final

import msgspec
from msgspec.structs import astuple

from meetdeck.demo.credentials import PortalCredentials
from meetdeck.demo.firm import FJORD, NORDLYS, Firm
from meetdeck.platform.database import Connection


class DemoField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a demo portal; its members are in the order of the statement that inserts it."""

    name: str
    label: str
    type: str = "Text"
    required: bool = False
    hidden: bool = False
    placeholder: str = ""
    description: str = ""
    default_value: str = ""
    options: tuple[str, ...] = ()


class DemoPortal(msgspec.Struct, frozen=True, kw_only=True):
    """A demo portal: its look, its sign-in, and its fields."""

    address: str
    brand_color: str
    authentication_type: str
    fields: tuple[DemoField, ...]
    topic: str = ""
    """Empty: the customer chooses."""
    location: str = ""
    """Leave empty for anywhere."""


NORDLYS_PORTAL: Final = DemoPortal(
    address="nordlys",
    brand_color="#0B5563",
    authentication_type="Anonymous",
    fields=(
        DemoField(name="phone", label="Phone", type="Phone", placeholder="+45 70 10 20 30"),
        DemoField(
            name="subject",
            label="What matters most to you?",
            type="Dropdown",
            options=("My savings", "My home", "My pension", "My business", "Something else"),
        ),
        DemoField(
            name="preparation",
            label="What should we know beforehand?",
            description="We read it before we meet, so that you need not explain it twice.",
        ),
        DemoField(name="stepFree", label="I need step-free access", type="Checkbox"),
        DemoField(name="source", label="Where the booking came from", hidden=True, default_value="demo"),
    ),
)
FJORD_PORTAL: Final = DemoPortal(
    address="fjord-pension",
    brand_color="#6A2C70",
    authentication_type="IdentityProvider",
    fields=(
        DemoField(name="phone", label="Phone", type="Phone", placeholder="+45 70 10 20 30"),
        DemoField(
            name="retirement",
            label="When would you like to retire?",
            type="Dropdown",
            required=True,
            options=("Within a year", "In 1 to 5 years", "Later", "I do not know yet"),
        ),
        DemoField(name="partner", label="My partner comes along", type="Checkbox"),
        DemoField(name="campaign", label="Campaign", hidden=True, default_value="demo"),
    ),
    topic="Pension check",
)

_PORTALS: Final = {NORDLYS.name: NORDLYS_PORTAL, FJORD.name: FJORD_PORTAL}

_ADD_PORTAL: Final = """
insert into portal (tenant_id, portal_id, name, location, authentication_type, customer_type_id, topic_id)
select current_tenant(), $1, $2, $3, $4,
    (select customer_type_id from customer_type where customer_type_id = $5),
    (select topic_id from meeting_topic where topic_id = $6)
on conflict do nothing
"""
# An address that somebody else in the installation has remains theirs.
_GIVE_FACE: Final = """
update portal
set address = case when exists (select from identify_portal(null, $2)) then null else $2 end,
    brand_color = $3, authentication_type = $4
where portal_id = $1 and address is null and brand_color is null
returning true
"""
# Of a firm of an earlier version; pages ask for these themselves.
_DROP_FORMER_FIELDS: Final = "delete from portal_field where portal_id = $1 and name in ('name', 'email')"
_ADD_FIELD: Final = """
insert into portal_field (tenant_id, portal_id, portal_field_id, position, "order", name, label, type, required, hidden,
    placeholder, description, default_value, options)
select current_tenant(), $1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
where not exists (select from portal_field where portal_id = $1 and name = $4)
"""


async def put_portal(connection: Connection, firm: Firm) -> None:
    """Insert a firm's portal, or add missing parts to that of an earlier version: address, color and fields."""
    portal, portal_id = _PORTALS[firm.name], firm.id_of("portal", firm.name)
    await connection.execute(
        _ADD_PORTAL,
        portal_id,
        firm.name,
        portal.location,
        portal.authentication_type,
        firm.id_of("customer type", firm.customer_types[0]),
        firm.id_of("topic", portal.topic) if portal.topic else None,
    )
    if await connection.fetchval(_GIVE_FACE, portal_id, portal.address, portal.brand_color, portal.authentication_type):
        await connection.execute(_DROP_FORMER_FIELDS, portal_id)
        await connection.executemany(
            _ADD_FIELD,
            [
                (portal_id, firm.id_of("portal field", field.name), position, *astuple(field))
                for position, field in enumerate(portal.fields, 1)
            ],
        )


async def list_portals(connection: Connection) -> list[PortalCredentials]:
    """Return a tenant's portals, those with an address first, at most a hundred."""
    rows = await connection.fetch(
        "select portal_id, name, address from portal order by address is null, name, portal_id limit 100"
    )
    return [PortalCredentials(row["portal_id"], row["name"], row["address"]) for row in rows]
