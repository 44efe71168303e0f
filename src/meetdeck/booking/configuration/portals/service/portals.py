"""Portals, and the check of a meeting's answers to their fields (docs/api/lists.md, docs/api/portals.md)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID, uuid4

from meetdeck.booking.configuration.portals import store
from meetdeck.booking.configuration.portals.schemas import (
    FieldType,
    FieldValidation,
    GivenField,
    Portal,
    PortalContent,
    PortalField,
    PortalQuery,
    PortalsQuery,
)
from meetdeck.booking.configuration.portals.service.answers import Answer, find_fault_of_default, find_faults
from meetdeck.booking.configuration.portals.service.pages import read_page
from meetdeck.booking.configuration.portals.service.patterns import PatternError, check_pattern
from meetdeck.booking.directory.errors import ResourceInUse, ResourceNotFound
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.languages import lock_languages
from meetdeck.booking.localization.patches import rewrite as rewrite_translations
from meetdeck.booking.localization.texts import merge, resolve_texts, show
from meetdeck.booking.references import Reference, ReferenceNotFound, require_existing
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import copy_members, refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch

_LABELLED = LabelledKind.PORTAL


async def list_portals(connection: Connection, query: PortalsQuery) -> list[Portal]:
    """Return the portals by name, all or those with labels."""
    labelled = await uses.find_labelled(connection, _LABELLED, query.labels, query.label_match)
    return [_show(portal, query) for portal in await store.list_portals(connection, labelled)]


async def get_portal(connection: Connection, portal_id: UUID, query: PortalQuery) -> Portal:
    """Return a portal, with hidden fields when the query asks for them. Raises ResourceNotFound."""
    return _show(await get_whole_portal(connection, portal_id), query)


async def get_whole_portal(connection: Connection, portal_id: UUID, *, for_update: bool = False) -> Portal:
    """Return a portal with its hidden fields, locked when `for_update`. Raises ResourceNotFound."""
    if for_update:
        await store.lock_portal(connection, portal_id)
    found = await store.list_portals(connection, [portal_id])
    if not found:
        raise ResourceNotFound(Kind.PORTAL, portal_id)
    return found[0]


async def create_portal(
    connection: Connection, content: PortalContent, now: datetime, *, logo_by_https: bool = False
) -> Portal:
    """Create a portal, whose logo may be required to use https.

    Raises AddressTaken, InvalidInput, InvalidLabel, ReferenceNotFound.
    """
    content = await _check(connection, content, None, logo_by_https=logo_by_https)
    return await _put(connection, uuid4(), content, None, now)


async def update_portal(
    connection: Connection, portal: Portal, patch: JsonPatch, now: datetime, *, logo_by_https: bool = False
) -> Portal:
    """Apply a JSON Patch to a portal read for update. Raises InvalidPatch, PatchTestFailed, and as `create_portal`."""
    rewrite = partial(rewrite_translations, (await lock_languages(connection)).main)
    content = apply_patch(portal, patch, PortalContent, read_only=("id",), rewrite=rewrite)
    content = await _check(connection, content, portal, logo_by_https=logo_by_https)
    return await _put(connection, portal.id, content, portal, now)


async def draw_up_portal(connection: Connection, content: PortalContent, *, logo_by_https: bool = False) -> Portal:
    """Return the portal that a body would create; it is not stored. Raises as `create_portal`, except AddressTaken."""
    content = await _check(connection, content, None, logo_by_https=logo_by_https)
    languages = await lock_languages(connection)
    content = merge(content, None, old_main=languages.main, new_main=languages.main)
    return show(copy_members(Portal, content, id=uuid4(), fields=_identify(content.fields, [])), languages)


async def delete_portal(connection: Connection, portal: Portal, now: datetime) -> None:
    """Delete a portal that was read for update. Raises ResourceInUse with the future meetings that name it."""
    found = await store.list_uses(connection, portal.id, now)
    if found.total:
        raise ResourceInUse(phrase("The portal {name}", name=portal.name), found.named, found.total)
    await store.delete_portal(connection, portal.id)


async def check_answers(connection: Connection, portal_id: UUID, answers: Sequence[Answer]) -> list[Fault]:
    """Return a fault for each of a meeting's `customFields` that the portal refuses; locks it against deletion.

    Raises ReferenceNotFound.
    """
    await store.lock_portal_against_deletion(connection, portal_id)
    found = await store.list_portals(connection, [portal_id])
    if not found:
        detail = phrase("There is no portal {portal_id}.", portal_id=portal_id)
        raise ReferenceNotFound(detail, faults=(Fault("/portalId", detail),))
    return find_faults(found[0].fields, answers)


def _show(portal: Portal, query: PortalQuery) -> Portal:
    return portal if query.include_hidden_fields else portal.without_hidden_fields()


async def _put(
    connection: Connection, portal_id: UUID, content: PortalContent, before: Portal | None, now: datetime
) -> Portal:
    """Upsert a portal with its labels, as stored; `before` is the portal before the change."""
    known = [field.id for field in before.fields] if before is not None else []
    main = (await lock_languages(connection)).main
    stored = await store.find_stored(connection, portal_id) if before is not None else None
    content = merge(content, stored, old_main=main, new_main=main)
    await store.put_portal(connection, portal_id, content, _identify(content.fields, known))
    await uses.replace_labels(connection, _LABELLED, portal_id, content.labels, now)
    return await get_whole_portal(connection, portal_id)


async def _check(
    connection: Connection, content: PortalContent, before: Portal | None, *, logo_by_https: bool
) -> PortalContent:
    """Return a body as stored. Raises InvalidInput, ReferenceNotFound."""
    faults: list[Fault] = []
    content = read_page(content, before, faults, logo_by_https=logo_by_https)
    content = resolve_texts(content, before, await lock_languages(connection), faults)
    refuse([*faults, *_find_faults_of_fields(content.fields)])
    await require_existing(
        connection,
        [
            Reference(Kind.CUSTOMER_TYPE, content.customer_type_id, "/customerTypeId"),
            Reference(Kind.TOPIC, content.topic_id, "/topicId"),
        ],
    )
    return content


def _identify(fields: Sequence[GivenField], known: Iterable[UUID]) -> list[PortalField]:
    """Return the fields with the ids that they have in the portal, each used once; new fields get new ids."""
    left = set(known)
    return [
        copy_members(
            PortalField,
            field,
            id=_pop_id(left, field.id),
            validation=FieldValidation(field.validation.required, field.validation.pattern or None),
        )
        for field in fields
    ]


def _pop_id(left: set[UUID], wanted: UUID | None) -> UUID:
    """Remove an id from those left and return it; a new one when it is not among them."""
    if wanted is None or wanted not in left:
        return uuid4()
    left.remove(wanted)
    return wanted


def _find_faults_of_fields(fields: Sequence[GivenField]) -> list[Fault]:
    faults: list[Fault] = []
    places: dict[str, int] = {}
    for place, field in enumerate(fields):
        if (first := places.setdefault(field.name, place)) != place:
            faults.append(
                Fault(
                    f"/fields/{place}/name",
                    phrase("/fields/{first} has this name; customers' answers need one.", first=first),
                )
            )
        try:
            check_pattern(field.validation.pattern or "")
        except PatternError as error:
            faults.append(Fault(f"/fields/{place}/validation/pattern", str(error)))
        else:
            faults += _find_faults_of_choices(field, f"/fields/{place}")
    return faults


def _find_faults_of_choices(field: GivenField, at: str) -> list[Fault]:
    """Return the faults of a field's options and its default; its pattern is valid."""
    if field.options and field.type is not FieldType.DROPDOWN:
        return [Fault(f"{at}/options", phrase("A {value} has no options; make it a Dropdown.", value=field.type.value))]
    if len(set(field.options)) < len(field.options):
        return [Fault(f"{at}/options", "An option is repeated. Remove one.")]
    detail = find_fault_of_default(copy_members(PortalField, field, id=field.id or uuid4()))
    return [Fault(f"{at}/defaultValue", detail)] if detail else []
