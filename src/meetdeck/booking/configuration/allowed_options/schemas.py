"""The choices for a meeting: the answer, and its query (docs/api/organization.md#allowed-options)."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking.configuration.organization_settings.schemas import DisplayLabel
from meetdeck.booking.localization.languages import LanguageQuery


class AllowedOptions(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The choices for a meeting by configuration, without a search; there may be no free time."""

    meeting_types: list[DisplayLabel]
    """The possible meeting types, in the order of pages; no search finds other types."""
    advisor_selection: list[DisplayLabel]
    """The advisors whose times can be shown: the customer's own (PrimaryEmployee), or others (OtherEmployees)."""


class AllowedOptionsQuery(LanguageQuery, frozen=True, rename="camel", kw_only=True):
    """GET /config/allowed-options."""

    topic_id: Annotated[UUID | None, Meta(description="The meeting's topic.")] = None
    customer_type_id: Annotated[UUID | None, Meta(description="The customer's type.")] = None
    location: Annotated[str | None, Meta(description="The location of the meeting, by name, in any case.")] = None
    is_customer_initiated: Annotated[bool, Meta(description="true: for a customer's own booking.")] = False
