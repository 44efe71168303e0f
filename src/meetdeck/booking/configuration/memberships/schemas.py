"""The kinds of groups that an employee can be a member of, and the query for their lists."""

from enum import Enum
from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.labels.schemas import LabelMatch


class GroupKind(Enum):
    """The two kinds of groups; the value is the name of the table."""

    COMPETENCE = "competence_group"
    SERVICE = "service_group"

    @property
    def words(self) -> str:
        """Return the kind as people write it: `competence group`."""
        return self.value.replace("_", " ")


class GroupsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET of a list of groups: those that carry all of the labels, or any."""

    labels: Annotated[list[str], Meta(description="Only what carries these labels, in any case of their letters.")] = []
    label_match: Annotated[LabelMatch, Meta(description="All of the labels, or any of them.")] = LabelMatch.ALL
