"""Portals' SQL."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from asyncpg import Record, UniqueViolationError
from msgspec.structs import fields

from meetdeck.booking.configuration.portals.errors import AddressTaken
from meetdeck.booking.configuration.portals.schemas import FieldValidation, Portal, PortalContent, PortalField
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.booking.localization.tables import LANGUAGES, read_translated, split_languages
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(Portal, elsewhere=("fields", "labels"), id="portal_id")
_FIELDS = Columns(PortalField, elsewhere=("validation",), id="portal_field_id")
_VALIDATION = Columns(FieldValidation)
_NAMES = ", ".join(
    f'field.{one.name} as "{one.encode_name}"' for one in fields(PortalField) if one.name != one.encode_name
)
queries = load_queries(
    __file__,
    parts={"{languages}": LANGUAGES, "{names}": _NAMES},
    columns=_COLUMNS,
    fields=_FIELDS,
    validation=_VALIDATION,
)


async def list_portals(connection: Connection, portal_ids: Sequence[UUID] | None) -> list[Portal]:
    """Return some portals, or all, by name: in two queries for any number of them."""
    rows: list[Record] = [row async for row in queries.list_portals(connection, portal_ids=portal_ids)]
    labels = await uses.list_labels(connection, LabelledKind.PORTAL, [row["id"] for row in rows])
    return [read_translated(_COLUMNS, row, labels=labels[row["id"]]) for row in rows]


async def find_stored(connection: Connection, portal_id: UUID) -> Portal | None:
    """Return a portal without its labels, with the texts of all languages that were ever enabled; None for none."""
    async for row in queries.list_portals(connection, portal_ids=[portal_id]):
        return _COLUMNS.read(split_languages(row)[0], labels=[])
    return None


async def identify_portals(
    connection: Connection, portal_id: UUID | None, address: str | None
) -> list[tuple[UUID, UUID]]:
    """Return the tenant and id of every portal with the id, or the address, of any tenant."""
    rows = queries.identify_portals(connection, portal_id=portal_id, address=address)
    return [(row["tenant_id"], row["portal_id"]) async for row in rows]


async def lock_portal(connection: Connection, portal_id: UUID) -> None:
    """Lock a portal against changes and bookings until the transaction ends."""
    await queries.lock_portal(connection, portal_id=portal_id)


async def lock_portal_against_deletion(connection: Connection, portal_id: UUID) -> None:
    """Lock a portal against deletion until the transaction ends."""
    await queries.lock_portal_against_deletion(connection, portal_id=portal_id)


async def put_portal(
    connection: Connection, portal_id: UUID, content: PortalContent, form: Sequence[PortalField]
) -> None:
    """Upsert a portal without its labels. Raises AddressTaken."""
    try:
        await queries.put_portal(connection, portal=_COLUMNS.write(content, id=portal_id))
    except UniqueViolationError:
        if content.address is None:
            raise
        raise AddressTaken(content.address) from None
    await queries.drop_fields(connection, portal_id=portal_id)
    rows = [
        _FIELDS.write(field) | _VALIDATION.write(field.validation) | {"position": position}
        for position, field in enumerate(form, 1)
    ]
    await queries.add_fields(connection, portal_id=portal_id, fields=rows)


async def list_uses(connection: Connection, portal_id: UUID, now: datetime) -> Uses:
    """Return the uses of a portal: future meetings."""
    return await read_uses(queries.list_uses(connection, portal_id=portal_id, now=now, most=MOST_NAMED))


async def delete_portal(connection: Connection, portal_id: UUID) -> None:
    """Delete a portal and its fields."""
    await queries.delete_portal(connection, portal_id=portal_id)
