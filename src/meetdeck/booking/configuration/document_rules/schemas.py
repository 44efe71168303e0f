"""Document rules: the meetings that get a deck, its template, and its data (docs/documents.md)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking import examples
from meetdeck.booking.texts import Name
from meetdeck.platform.values import copy_members

MOST_HOURS_BEFORE = 366 * 24

HoursBefore = Annotated[
    int,
    Meta(
        ge=0,
        le=MOST_HOURS_BEFORE,
        description="The hours before the meeting at which they are created again, with current data; null: never.",
    ),
]


class DocumentRule(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A deck and its PDF are created for meetings about a topic, with a customer type."""

    id: UUID
    """The rule's id; it never changes."""
    topic_id: UUID | None
    """The topic of the meetings; null: any or none."""
    customer_type_id: UUID | None
    """The type of the meetings' customers; null: any or none."""
    template: str
    """The template's name, or its id."""
    slides: list[str]
    """The names of its slides, in the deck's order; empty: the whole template."""
    data_url: str | None
    """The address that returns the deck's data; null: the data is made of the meeting itself."""
    hours_before: int | None
    """The hours before the meeting at which the documents are created again; null: never."""


class DocumentRuleWithSecret(DocumentRule, frozen=True, rename="camel", kw_only=True):
    """A rule as its POST answers it."""

    secret: Annotated[str, Meta(description="Signs requests to `dataUrl`, by Standard Webhooks. Returned only once.")]

    def without_secret(self) -> DocumentRule:
        """Return the rule as reading it answers."""
        return copy_members(DocumentRule, self)


class DocumentSecret(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new secret of a rule; the previous one also signs for a day."""

    id: UUID
    """The rule's id."""
    secret: Annotated[str, Meta(description="Signs requests to `dataUrl`, by Standard Webhooks. Returned only once.")]
    former_until: datetime
    """Until when the previous secret also signs."""


class DocumentRuleContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of a document rule."""

    topic_id: Annotated[UUID | None, Meta(examples=[examples.TOPIC])] = None
    """The topic of the meetings; null: any or none."""
    customer_type_id: UUID | None = None
    """The type of the meetings' customers; null: any or none."""
    template: Annotated[Name, Meta(examples=[examples.TEMPLATE])]
    """The template's name, or its id, which is looked up when a deck is created."""
    slides: Annotated[list[Name], Meta(max_length=1_000)] = []
    """The names of its slides, in the deck's order; empty: the whole template."""
    data_url: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=2_000,
                description="An https address to which a signed POST is sent for the deck's data; null: the data is "
                "made from the meeting itself.",
            ),
        ]
        | None
    ) = None
    hours_before: HoursBefore | None = 24
