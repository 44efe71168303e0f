"""Tenants, their people, rooms, groups and applications."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, Literal
from uuid import NAMESPACE_URL, uuid5

import msgspec

from graph_fake.problems import GraphProblem, access_denied

_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


class Person(msgspec.Struct, rename="camel", kw_only=True):
    """A user or a room."""

    id: str
    mail: str
    display_name: str = ""
    kind: Literal["user", "room"] = "user"
    account_enabled: bool = True
    mailbox: Literal["Cloud", "OnPremises", "None"] = "Cloud"
    """`OnPremises`: of a hybrid Exchange; `None`: a user without a licence."""
    schedule_problem: str = ""
    """The code that getSchedule answers for this mailbox, inside a 200."""
    shows_subjects: bool = False
    """True if subject and place are in schedule items."""
    has_teams: bool = True

    def to_resource(self) -> dict[str, object]:
        """Return the person as Graph shows it."""
        return {
            "@odata.type": "#microsoft.graph.user",
            "id": self.id,
            "displayName": self.display_name or self.mail,
            "mail": self.mail,
            "userPrincipalName": self.mail,
            "accountEnabled": self.account_enabled,
        }


class Group(msgspec.Struct, rename="camel", kw_only=True):
    """A group: the ids of its members, people and groups."""

    id: str
    display_name: str = ""
    members: list[str] = []

    def to_resource(self) -> dict[str, object]:
        """Return the group as Graph shows it."""
        return {"@odata.type": "#microsoft.graph.group", "id": self.id, "displayName": self.display_name}


class Application(msgspec.Struct, rename="camel", kw_only=True):
    """An application: its credentials, and what it may do.

    `permissions` are those that an administrator consented to in Entra, for every mailbox; `scoped_permissions` those
    of RBAC for Applications, for the members of `scope_group`, from `in_force_at` on. They add up.
    """

    client_id: str
    secrets: list[str] = []
    certificates: list[str] = []
    permissions: list[str] = []
    scoped_permissions: list[str] = []
    scope_group: str = ""
    in_force_at: datetime = _LONG_AGO


class Tenant:
    """A tenant of Entra."""

    def __init__(self, id: str) -> None:  # noqa: A002 - its name everywhere
        self.id = id
        self.people: dict[str, Person] = {}
        self.groups: dict[str, Group] = {}
        self.applications: dict[str, Application] = {}
        self.join_link_after_seconds = 0.0
        """The time after which the event of a Teams meeting gets its link."""
        self.shows_schedules_out_of_scope = True
        """True if getSchedule reports mailboxes outside the application's scope in its body."""
        self._by_mail: dict[str, Person] = {}

    def put_person(self, person: Person) -> None:
        """Add a person, or replace the one of this id."""
        if (before := self.people.get(person.id)) is not None:
            self._by_mail.pop(before.mail.lower(), None)
        self.people[person.id] = person
        self._by_mail[person.mail.lower()] = person

    def remove_person(self, person: Person) -> None:
        """Remove a person from the directory and every group."""
        del self.people[person.id]
        self._by_mail.pop(person.mail.lower(), None)
        for group in self.groups.values():
            group.members = [each for each in group.members if each != person.id]

    def find_person(self, key: str) -> Person | None:
        """Return the person of an id or an address, in any case of letters."""
        return self.people.get(key) or self._by_mail.get(key.lower())

    def get_person(self, key: str) -> Person:
        """Return the person of an id or an address. Raises GraphProblem."""
        if (person := self.find_person(key)) is None:
            message = (
                f"Resource '{key}' does not exist or one of its queried reference-property objects is not present."
            )
            raise GraphProblem(404, "Request_ResourceNotFound", message)
        return person

    def get_group(self, id: str) -> Group:  # noqa: A002 - its name everywhere
        """Return a group. Raises GraphProblem."""
        if (group := self.groups.get(id)) is None:
            raise GraphProblem(404, "Request_ResourceNotFound", f"Resource '{id}' does not exist.")
        return group

    def list_members(self, group: Group) -> list[Person | Group]:
        """Return the direct members."""
        return [*self._find(group.members)]

    def list_transitive_members(self, group: Group) -> list[Person | Group]:
        """Return the members, and those of groups in it, each once; a circle of groups ends."""
        found: dict[str, Person | Group] = {}
        waiting = [*self._find(group.members)]
        while waiting:
            member = waiting.pop(0)
            if member.id not in found and member.id != group.id:
                found[member.id] = member
                if isinstance(member, Group):
                    waiting += self._find(member.members)
        return [*found.values()]

    def _find(self, ids: list[str]) -> Iterator[Person | Group]:
        for each in ids:
            if (member := self.people.get(each) or self.groups.get(each)) is not None:
                yield member


class Caller(msgspec.Struct):
    """The application that a token names, and the permissions that the token was issued with."""

    tenant: Tenant
    application: Application
    roles: frozenset[str]

    def require(self, *permissions: str) -> None:
        """Raise GraphProblem unless the token has one of these permissions."""
        if self.roles.isdisjoint(permissions):
            raise GraphProblem(403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.")

    def may_use(self, person: Person, permissions: tuple[str, ...], now: datetime) -> bool:
        """Return whether the mailbox of a person may be used: by consent, or by a scope that has it."""
        if not self.roles.isdisjoint(permissions):
            return True
        application = self.application
        if now < application.in_force_at or not set(permissions) & set(application.scoped_permissions):
            return False
        group = self.tenant.groups.get(application.scope_group)
        return group is not None and any(each.id == person.id for each in self.tenant.list_transitive_members(group))

    def require_mailbox(self, key: str, permissions: tuple[str, ...], now: datetime) -> Person:
        """Return the person whose mailbox may be used. Raises GraphProblem."""
        if not (self.roles or self.application.scoped_permissions):
            raise access_denied()
        person = self.tenant.get_person(key)
        if not self.may_use(person, permissions, now):
            raise access_denied()
        if person.mailbox != "Cloud":
            message = "The mailbox is either inactive, soft-deleted, or is hosted on-premise."
            raise GraphProblem(404, "MailboxNotEnabledForRESTAPI", message)
        return person


def make_id(*names: str) -> str:
    """Return the id that a thing of these names always has, so that a run can be repeated."""
    return str(uuid5(NAMESPACE_URL, "/".join(names)))
