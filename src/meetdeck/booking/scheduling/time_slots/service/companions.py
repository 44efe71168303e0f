"""The additional employees of a hold or a meeting as customers see them, each with its service group."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from meetdeck.booking.asked_groups import list_names, list_places
from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.scheduling.time_slots.store import time_slots as store
from meetdeck.platform.database import Connection


class Companion(msgspec.Struct, frozen=True):
    """An additional employee; `group` is empty without a service group."""

    id: UUID
    name: str
    group: str = ""
    picture_id: UUID | None = None


def write_people(advisor: str, companions: Sequence[Companion]) -> str:
    """Return the names of the people whom a customer meets: Anna Holm, Bo Lind (Mortgage)."""
    return ", ".join([advisor, *(f"{one.name} ({one.group})" if one.group else one.name for one in companions)])


async def list_companions(
    connection: Connection, employee_ids: Sequence[UUID], came: tuple[Sequence[UUID | None], Sequence[UUID]]
) -> list[Companion]:
    """Return some employees in their order, each with the name of the service group for which they come, if any.

    `came` are groups and the person of each, in the same order. Deleted employees are left out.
    """
    if not employee_ids:
        return []
    groups = {one: group for group, one in zip(*came, strict=True) if group is not None}
    faces = await employees.list_faces(connection, employee_ids)
    names = await list_names(connection, list(set(groups.values()))) if groups else {}
    return [
        Companion(one, faces[one].name, names.get(groups[one], "") if one in groups else "", faces[one].picture_id)
        for one in employee_ids
        if one in faces
    ]


async def list_held_companions(connection: Connection, time_slot_id: UUID) -> list[Companion]:
    """Return the additional employees of a hold, each with the service group that provides them, if any."""
    people, named = await store.list_held(connection, time_slot_id)
    places = await list_places(connection, named)
    return await list_companions(connection, people, (places, people[: len(places)]))
