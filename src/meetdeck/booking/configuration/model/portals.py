"""Portals, where customers book, and the fields that they fill in there (docs/api.md 34)."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from meetdeck.booking.configuration.patterns import LONGEST_PATTERN
from meetdeck.platform.wire import AnyCase


class AuthenticationType(AnyCase):
    """How customers say who they are."""

    IDENTITY_PROVIDER = "IdentityProvider"
    NATIONAL_ID = "NationalId"


class FieldType(AnyCase):
    """What is filled in."""

    TEXT = "Text"
    PHONE = "Phone"
    EMAIL = "Email"
    CHECKBOX = "Checkbox"
    DROPDOWN = "Dropdown"


class FieldValidation(msgspec.Struct, frozen=True):
    """What an answer must be: there, and matched by the pattern as a whole."""

    required: bool = False
    pattern: Annotated[str, Meta(max_length=LONGEST_PATTERN, description="RE2 syntax.")] | None = None


class PortalField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a portal; a meeting's `customFields` name it by its `name`."""

    id: UUID
    name: str
    label: str
    type: FieldType
    placeholder: str
    hidden: bool
    validation: FieldValidation

    @property
    def needs_answer(self) -> bool:
        """Tell whether a meeting must have an answer: to what customers do not see it need not."""
        return self.validation.required and not self.hidden


class Portal(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A page on which customers book: how it looks, what it asks, and what it is for."""

    id: UUID
    name: str
    location: str
    fields: list[PortalField]
    logo_url: str
    logo_height: int | None
    styling: str
    authentication_type: AuthenticationType
    customer_type_id: UUID | None
    topic_id: UUID | None
    crm_mapping_configuration_id: UUID | None
    ical_enabled: bool
    labels: list[str]

    def without_hidden_fields(self) -> "Portal":
        """Return what readers see who do not ask for more."""
        return replace(self, fields=[field for field in self.fields if not field.hidden])
