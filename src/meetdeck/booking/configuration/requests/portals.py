"""What portals are made of. A POST's body, and what a PATCH must come to, are one: both are checked alike."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking.configuration.model.portals import AuthenticationType, FieldType, FieldValidation
from meetdeck.booking.texts import Line, Name
from meetdeck.labels.model import LabelMatch


class PortalQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET of a portal."""

    include_hidden_fields: Annotated[bool, Meta(description="true: also the fields that are hidden.")] = False


class PortalsQuery(PortalQuery, frozen=True, rename="camel", kw_only=True):
    """GET of the list: those that carry all of the labels, or any."""

    labels: Annotated[list[str], Meta(description="Only what carries these labels, in any case of their letters.")] = []
    label_match: Annotated[LabelMatch, Meta(description="All of the labels, or any of them.")] = LabelMatch.ALL


class GivenField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a portal. It keeps the id that it has there; any other is not taken: new fields get one."""

    id: UUID | None = None
    """The id that the field has already; new fields get one."""
    name: Name
    """The name by which a meeting's `customFields` mean it; unique in the portal."""
    label: Line = ""
    """The text that people see."""
    type: FieldType = FieldType.TEXT
    """The kind of value that is filled in."""
    placeholder: Line = ""
    """The text in the empty field."""
    hidden: bool = False
    """Whether it is left out for customers; hidden fields may be answered, and need not."""
    validation: FieldValidation = FieldValidation()
    """The rules that an answer must meet."""


class PortalContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What a portal is made of."""

    name: Name
    """The name, as customers see it."""
    location: Line = ""
    """Where meetings of the portal are: a location's name; empty: anywhere."""
    fields: Annotated[list[GivenField], Meta(max_length=200)] = []
    """The fields that customers fill in."""
    logo_url: Annotated[str, Meta(max_length=2_000, description="http or https, or empty.")] = ""
    logo_height: Annotated[int, Meta(ge=1, le=2_000, description="In pixels.")] | None = None
    styling: Annotated[str, Meta(max_length=100_000, description="CSS, kept as it is.")] = ""
    authentication_type: AuthenticationType = AuthenticationType.IDENTITY_PROVIDER
    """How customers say who they are."""
    customer_type_id: UUID | None = None
    """For which customer type it is; null: for all."""
    topic_id: UUID | None = None
    """The topic of its meetings; null: the customer chooses."""
    crm_mapping_configuration_id: UUID | None = None
    """For your CRM: kept, and given back."""
    ical_enabled: bool = True
    """Whether customers are given a calendar file."""
    labels: list[str] = []
    """The labels that it carries; those that are new are registered."""
