"""A tenant as one document: its applications, people, groups and events."""

from pathlib import Path

import msgspec

from graph_fake.directory import Application, Group, Person, Tenant, make_id
from graph_fake.events import Draft
from graph_fake.world import World


class SeedPerson(msgspec.Struct, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """A person to make; the id may be left out."""

    mail: str
    id: str = ""
    display_name: str = ""
    kind: str = "user"
    mailbox: str = "Cloud"
    account_enabled: bool = True
    schedule_problem: str = ""
    shows_subjects: bool = False
    has_teams: bool = True


class SeedGroup(msgspec.Struct, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """A group to make; its members are addresses of people or ids of people and groups."""

    id: str
    display_name: str = ""
    members: list[str] = []


class SeedEvent(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """An event to write into a mailbox, as its person would in Outlook."""

    mail: str
    event: Draft


class Seed(msgspec.Struct, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """A tenant to create or extend; resources with a known id or address are replaced."""

    id: str
    applications: list[Application] = []
    people: list[SeedPerson] = []
    groups: list[SeedGroup] = []
    events: list[SeedEvent] = []
    join_link_after_seconds: float = 0.0
    shows_schedules_out_of_scope: bool = True


def plant(world: World, seed: Seed) -> Tenant:
    """Make what a document names and return its tenant. Raises GraphProblem, msgspec.ValidationError."""
    tenant = world.add_tenant(seed.id)
    tenant.join_link_after_seconds = seed.join_link_after_seconds
    tenant.shows_schedules_out_of_scope = seed.shows_schedules_out_of_scope
    for application in seed.applications:
        tenant.applications[application.client_id] = application
    for each in seed.people:
        known = tenant.find_person(each.mail)
        id_ = each.id or (known.id if known is not None else make_id(seed.id, each.mail.lower()))
        tenant.put_person(msgspec.convert(msgspec.to_builtins(each) | {"id": id_}, Person))
    for group in seed.groups:
        members = [_resolve(tenant, each) for each in group.members]
        tenant.groups[group.id] = Group(id=group.id, display_name=group.display_name, members=members)
    calendars = world.get_calendars(tenant)
    for written in seed.events:
        calendars.create(tenant.get_person(written.mail), written.event)
    return tenant


def read_document(document: object) -> Seed:
    """Return a document of plain values as a Seed. Raises msgspec.ValidationError."""
    return msgspec.convert(document, Seed)


def read_seed(world: World, path: str) -> None:
    """Make the tenants of a file: one document or a list of them. Raises OSError, msgspec.MsgspecError."""
    read: Seed | list[Seed] = msgspec.json.decode(Path(path).read_bytes(), type=Seed | list[Seed])
    for seed in read if isinstance(read, list) else [read]:
        plant(world, seed)


def _resolve(tenant: Tenant, key: str) -> str:
    person = tenant.find_person(key)
    return person.id if person is not None else key
