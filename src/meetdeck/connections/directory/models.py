"""SCIM's users and groups, with the attributes that are stored, and lenient parsing of both.

The schemas at `/Schemas` are made from these classes. Other attributes are accepted and ignored.
"""

from typing import Annotated, Any, ClassVar, Final

from pydantic import Field
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    ETag,
    ExtensibleStringEnum,
    External,
    Filter,
    Mutability,
    Name,
    Patch,
    PhoneNumber,
    Reference,
    Required,
    Resource,
    ResourceType,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
)

MOST_IN_A_PAGE: Final = 500
USER: Final = "User"
GROUP: Final = "Group"


class Email(ComplexAttribute):
    """An e-mail address; any that an employee may have, also in `.local` domains."""

    class Type(ExtensibleStringEnum):
        """The usual kinds of addresses."""

        work = "work"
        home = "home"
        other = "other"

    value: str | None = None
    """The address."""
    display: str | None = None
    """The address for people."""
    type: Type | None = None
    """The kind of the address: the one for work is the employee's."""
    primary: bool | None = None
    """True if it is the main address."""


class User(Resource[Any]):
    """An employee."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    """The name by which the directory knows the person, usually the e-mail address."""
    name: Name | None = None
    """The parts of the name."""
    Name: ClassVar[type[ComplexAttribute]] = Name
    display_name: str | None = None
    """The name, as customers see it."""
    title: str | None = None
    """The job title."""
    preferred_language: str | None = None
    """The language that the person prefers."""
    active: bool | None = None
    """True if the employee can be booked and is offered."""
    emails: list[Email] | None = None
    """The e-mail addresses."""
    Emails: ClassVar[type[ComplexAttribute]] = Email
    phone_numbers: list[PhoneNumber] | None = None
    """The telephone numbers."""
    PhoneNumbers: ClassVar[type[ComplexAttribute]] = PhoneNumber


class GroupMember(ComplexAttribute):
    """A member of a group."""

    value: Annotated[str | None, Mutability.immutable, CaseExact.true] = None
    """The id of the user."""
    ref: Annotated[Reference[User] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    """The address of the user."""


class Group(Resource[Any]):
    """A competence group or a service group."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    """The group's name."""
    members: list[GroupMember] | None = None
    """The group's members: the advisors of a competence group, the direct members of a service group."""
    Members: ClassVar[type[ComplexAttribute]] = GroupMember


POLICY: Final = ScimPolicy(
    unknown=ScimPolicy.Unknown.ignore,
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)
"""Deviations that Entra needs: unknown attributes, a `remove` with values, a filter in a path that creates the entry.
"""

_CONFIG: Final = ServiceProviderConfig(
    documentation_uri=Reference[External]("https://www.rfc-editor.org/rfc/rfc7644"),
    patch=Patch(supported=True),
    bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
    filter=Filter(supported=True, max_results=MOST_IN_A_PAGE),
    change_password=ChangePassword(supported=False),
    sort=Sort(supported=False),
    etag=ETag(supported=True),
    authentication_schemes=[
        AuthenticationScheme(
            type=AuthenticationScheme.Type.oauthbearertoken,
            name="SCIM token",
            description="A token made by `meetdeck scim-token create`, or at the console's settings.",
            spec_uri=Reference[External]("https://www.rfc-editor.org/rfc/rfc6750"),
            primary=True,
        )
    ],
)

PROVIDER: Final = ScimProvider(
    models=[User, Group],
    resource_types=[ResourceType.from_resource(User), ResourceType.from_resource(Group)],
    config=_CONFIG,
    policy=POLICY,
)
"""The service as it describes itself at its three discovery addresses."""
