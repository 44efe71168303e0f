"""Meeting topics; a meeting may be about one of them."""

from functools import partial
from typing import Final
from uuid import UUID

from msgspec import UnsetType

from meetdeck.booking.asked_groups import find_groups
from meetdeck.booking.directory.identity import choose_id, complete
from meetdeck.booking.directory.meeting_topics import store
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic, Topic, TopicsQuery
from meetdeck.booking.directory.resources import Resource
from meetdeck.booking.kinds import Kind
from meetdeck.booking.lengths import LONGEST_BUFFER, find_too_long
from meetdeck.booking.localization.languages import lock_languages
from meetdeck.booking.localization.patches import rewrite as rewrite_translations
from meetdeck.booking.localization.texts import resolve_texts
from meetdeck.booking.references import Reference, ReferenceNotFound, refer, require_existing
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import copy_members, refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch


async def list_topics_for(connection: Connection, query: TopicsQuery) -> list[Topic]:
    """Return the topics that the caller may book, by name. Raises ReferenceNotFound for an unknown customer type."""
    customer_type_id = query.customer_type_id or query.customer_category_id
    await require_existing(
        connection,
        [
            Reference(Kind.CUSTOMER_TYPE, query.customer_type_id, "/query/customerTypeId"),
            Reference(Kind.CUSTOMER_TYPE, query.customer_category_id, "/query/customerCategoryId"),
        ],
    )
    return await store.list_topics(connection, customers_only=query.is_customer, customer_type_id=customer_type_id)


class _Topics(Resource[Topic, SaveTopic]):
    """Topics, with texts in several languages, in a hierarchy."""

    async def add(self, connection: Connection, body: SaveTopic) -> Topic:
        """Add a topic. Raises InvalidInput, ReferenceNotFound, ResourceExists."""
        return await self.get(connection, (await super().add(connection, body)).id)

    async def replace(self, connection: Connection, current: Topic, body: SaveTopic) -> Topic:
        """Replace a topic that was read for update. Raises InvalidInput, ReferenceNotFound."""
        await super().replace(connection, current, body)
        return await self.get(connection, current.id)

    async def update(self, connection: Connection, current: Topic, patch: JsonPatch) -> Topic:
        """Apply a JSON Patch to a topic that was read for update.

        Raises InvalidPatch, PatchTestFailed, InvalidInput, ReferenceNotFound.
        """
        rewrite = partial(rewrite_translations, (await lock_languages(connection)).main)
        body = apply_patch(current, patch, SaveTopic, read_only=("id",), rewrite=rewrite)
        return await self.replace(connection, current, body)

    async def compose(self, connection: Connection, body: SaveTopic, current: Topic | None) -> Topic:
        """Return the topic to store that a body describes; its `localized…` hold the changes.

        Raises InvalidInput, ReferenceNotFound.
        """
        topic_id = choose_id(body.id, current.id if current is not None else None)
        faults: list[Fault] = []
        settled = resolve_texts(complete(body, current), current, await lock_languages(connection), faults)
        faults += find_topic_faults(settled)
        refuse(faults)
        parent_id = None if isinstance(settled.parent_id, UnsetType) else settled.parent_id
        parent = Reference(Kind.TOPIC, parent_id, "/parentId")
        await require_existing(
            connection, [*refer(Kind.CUSTOMER_TYPE, settled.customer_type_ids, "/customerTypeIds"), parent]
        )
        if parent_id is not None and (current is None or parent_id != current.parent_id):
            await _refuse_circle(connection, topic_id, parent_id)
        return copy_members(
            Topic,
            settled,
            id=topic_id,
            meeting_types=list(dict.fromkeys(settled.meeting_types)),
            also_service_groups=await _find_also(connection, settled),
            customer_type_ids=list(dict.fromkeys(settled.customer_type_ids)),
        )


TOPICS: Final = _Topics(Kind.TOPIC, SaveTopic, store.table, list_uses=store.list_uses, kept=("name",))


async def _find_also(connection: Connection, body: SaveTopic) -> list[UUID]:
    """Return the service groups that come along, in the order written. Raises ReferenceNotFound."""
    named = [] if isinstance(body.also_service_groups, UnsetType) else [str(one) for one in body.also_service_groups]
    found = await find_groups(connection, named)
    faults = tuple(
        Fault(f"/alsoServiceGroups/{place}", phrase("There is no {kind} {id}.", kind=Kind.SERVICE_GROUP, id=one))
        for place, (one, group_id) in enumerate(zip(named, found, strict=True))
        if group_id is None
    )
    if faults:
        raise ReferenceNotFound(" ".join(fault.detail for fault in faults), faults=faults)
    return [one for one in found if one is not None]


async def _refuse_circle(connection: Connection, topic_id: UUID, parent_id: UUID) -> None:
    """Raise InvalidInput for a parent that is the topic itself, or below it; locks all topics."""
    await store.table.lock_all(connection)
    above = await store.list_ancestors(connection, parent_id)
    if topic_id in above:
        refuse(
            [
                Fault(
                    "/parentId",
                    phrase("{above} is below this topic; choose another parent.", above=above[parent_id]),
                )
            ]
        )


def find_topic_faults(body: SaveTopic) -> list[Fault]:
    """Return the faults of a topic's own members: its buffers, its seats and its service groups."""
    return [*_refuse_long_buffers(body), *_refuse_company(body), *_refuse_minimum(body)]


def _refuse_long_buffers(body: SaveTopic) -> list[Fault]:
    """Return a fault for each buffer that is too long."""
    lengths = (("/preparationTime", body.preparation_time), ("/followUpTime", body.follow_up_time))
    return find_too_long(*((at, one, LONGEST_BUFFER) for at, one in lengths if not isinstance(one, UnsetType)))


def _refuse_company(body: SaveTopic) -> list[Fault]:
    """Return a fault for a topic that has both seats for several customers and service groups."""
    if isinstance(body.seats, UnsetType) or body.seats == 1 or not body.also_service_groups:
        return []
    return [
        Fault(
            "/seats",
            "A topic has seats or alsoServiceGroups: name a specialist in each booking's additionalEmployees.",
        )
    ]


def _refuse_minimum(body: SaveTopic) -> list[Fault]:
    """Return a fault for a topic whose minimum of customers is above its seats."""
    if (
        isinstance(body.seats, UnsetType)
        or isinstance(body.minimum_seats, UnsetType)
        or body.minimum_seats <= body.seats
    ):
        return []
    return [Fault("/minimumSeats", phrase("At most the topic's seats: {seats}.", seats=body.seats))]
