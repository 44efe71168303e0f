"""The query for lists of groups."""

from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.labels.schemas import LabelMatch
from meetdeck.platform.values import NotEmpty


class GroupsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET of a list of groups: those with all of the labels, or with any."""

    labels: Annotated[
        list[str], NotEmpty, Meta(description="Only groups with these labels, in any case of their letters.")
    ] = []
    label_match: Annotated[LabelMatch, Meta(description="All of the labels, or any of them.")] = LabelMatch.ALL
