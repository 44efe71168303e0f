"""The import's reading and writing of competence groups and service groups.

They refer to each other, and competence groups to one another, from both sides: so all rows are read before one is
written, each is written over the changes of the others, and in the end each must match its row.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from meetdeck.booking.configuration.competence_groups import store as competence_store
from meetdeck.booking.configuration.competence_groups.schemas import CompetenceGroup, CompetenceGroupContent
from meetdeck.booking.configuration.competence_groups.service import put_competence_group
from meetdeck.booking.configuration.errors import CircularGroups
from meetdeck.booking.configuration.memberships.store import lock_groups
from meetdeck.booking.configuration.service_groups import store as service_store
from meetdeck.booking.configuration.service_groups.schemas import ServiceGroupContent
from meetdeck.booking.configuration.service_groups.service import check_content, put_service_group
from meetdeck.booking.importing.lookup import NameIndex
from meetdeck.booking.importing.resources import Change, Resource, RowProblem, S
from meetdeck.booking.kinds import Kind
from meetdeck.labels.schemas import read_names
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Invalid
from meetdeck.platform.values import copy_members

G = TypeVar("G", CompetenceGroupContent, ServiceGroupContent)


class GroupResource(Resource[S]):
    """Base of both kinds of groups; `now` is when new members are assigned."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    @abstractmethod
    async def add_empty(self, connection: Connection, new: Mapping[UUID, str]) -> None:
        """Insert groups by id and name, so that others can refer to them."""

    @abstractmethod
    async def put(self, connection: Connection, group_id: UUID, content: S) -> None:
        """Upsert a group. Raises Invalid."""

    async def save(self, connection: Connection, changes: Sequence[Change[S]]) -> Iterable[RowProblem]:
        """Upsert the changed groups one by one: a firm has few."""
        refusals: list[RowProblem] = []
        for change in changes:
            try:
                await self.put(connection, change.id, change.after)
            except CircularGroups as error:
                refusals.append(RowProblem(change.row, "/parentGroupIds", error.detail))
            except Invalid as error:
                refusals += [RowProblem(change.row, fault.pointer, fault.detail) for fault in error.faults]
        return refusals


class CompetenceGroupResource(GroupResource[CompetenceGroupContent]):
    """Competence groups, with references as ids, as in the body of their POST."""

    kind = Kind.COMPETENCE_GROUP

    async def load(self, connection: Connection, register: NameIndex, *, for_update: bool) -> None:
        """Load all groups into the index."""
        if for_update:
            await lock_groups(connection)
        for group in await competence_store.list_competence_groups(connection, None):
            register.add(group.id, group.name, key=group.name, names=[group.name])

    async def find_current(self, connection: Connection, ids: Sequence[UUID]) -> Mapping[UUID, CompetenceGroupContent]:
        """Return the existing groups among some ids, as bodies."""
        return {group.id: _with_ids(group) for group in await competence_store.list_competence_groups(connection, ids)}

    def check(self, content: CompetenceGroupContent) -> CompetenceGroupContent:
        """Return a group as it will be stored, with members of unordered lists sorted. Raises Invalid."""
        return replace(
            content,
            child_group_ids=sorted(content.child_group_ids),
            customer_type_ids=content.customer_type_ids or [],
            topic_ids=content.topic_ids or [],
            service_group_ids=sorted(content.service_group_ids),
            labels=read_names(content.labels),
        )

    def is_same(self, before: CompetenceGroupContent, after: CompetenceGroupContent) -> bool:
        """Return whether a body changes nothing; labels are compared in any case of letters."""
        return _fold_labels(before) == _fold_labels(after)

    async def add_empty(self, connection: Connection, new: Mapping[UUID, str]) -> None:
        """Insert groups by id and name, so that others can refer to them."""
        for group_id, name in new.items():
            await competence_store.put_competence_group(connection, group_id, CompetenceGroupContent(name=name))

    async def put(self, connection: Connection, group_id: UUID, content: CompetenceGroupContent) -> None:
        """Upsert a group. Raises InvalidInput, CircularGroups."""
        await put_competence_group(connection, group_id, content, self._now)


class ServiceGroupResource(GroupResource[ServiceGroupContent]):
    """Service groups."""

    kind = Kind.SERVICE_GROUP

    async def load(self, connection: Connection, register: NameIndex, *, for_update: bool) -> None:
        """Load all groups into the index."""
        if for_update:
            await lock_groups(connection)
        for group in await service_store.list_service_groups(connection, None):
            register.add(group.id, group.name, key=group.name, names=[group.name])

    async def find_current(self, connection: Connection, ids: Sequence[UUID]) -> Mapping[UUID, ServiceGroupContent]:
        """Return the existing groups among some ids, as bodies."""
        return {
            group.id: copy_members(ServiceGroupContent, group)
            for group in await service_store.list_service_groups(connection, ids)
        }

    def check(self, content: ServiceGroupContent) -> ServiceGroupContent:
        """Return a group as it will be stored. Raises Invalid."""
        check_content(content)
        trigger = content.service_trigger
        once = replace(
            trigger,
            meeting_types=list(dict.fromkeys(trigger.meeting_types)),
            locations=list(dict.fromkeys(trigger.locations)),
        )
        return replace(content, service_trigger=once, labels=read_names(content.labels))

    def is_same(self, before: ServiceGroupContent, after: ServiceGroupContent) -> bool:
        """Return whether a body changes nothing; labels are compared in any case of letters."""
        return _fold_labels(before) == _fold_labels(after)

    async def add_empty(self, connection: Connection, new: Mapping[UUID, str]) -> None:
        """Insert groups by id and name, so that others can refer to them."""
        for group_id, name in new.items():
            await service_store.put_service_group(connection, group_id, ServiceGroupContent(name=name))

    async def put(self, connection: Connection, group_id: UUID, content: ServiceGroupContent) -> None:
        """Upsert a group. Raises InvalidInput."""
        await put_service_group(connection, group_id, content, self._now)


def _with_ids(group: CompetenceGroup) -> CompetenceGroupContent:
    return copy_members(
        CompetenceGroupContent,
        group,
        child_group_ids=sorted(group.child_group_ids),
        customer_type_ids=[one.id for one in group.customer_types],
        customer_types=UNSET,
        topic_ids=[one.id for one in group.topics],
        topics=UNSET,
        service_group_ids=sorted(group.service_group_ids),
    )


def _fold_labels(content: G) -> G:
    return replace(content, labels=list(dict.fromkeys(label.lower() for label in content.labels)))
