"""The queries that the directory's lists take."""

from uuid import UUID

import msgspec


class TopicsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /meeting-topics: `isCustomer=true` lists what customers may book themselves."""

    is_customer: bool
    customer_type_id: UUID | None = None
    customer_category_id: UUID | None = None
    """The booking flow's name for customerTypeId."""
