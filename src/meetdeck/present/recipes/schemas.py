"""Recipes: the resource and its body (docs/api/templates.md#recipes)."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.platform.values import SingleLine
from meetdeck.present import examples

_MOST_SLIDES = 1_000
_LONGEST_NAME = 200
_Text = Annotated[str, Meta(min_length=1, max_length=_LONGEST_NAME)]


class Recipe(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A saved choice of a template's slides, perhaps with data for every deck made of it."""

    id: UUID
    """The recipe's id; it never changes."""
    name: str
    """The name; several recipes may share it."""
    template: str
    """The template's name."""
    slides: list[str]
    """The names of its slides, in the deck's order."""
    data: dict[str, Any]
    """Data for all slides; a deck's own data takes precedence."""
    created_at: datetime
    """When the recipe was created."""
    changed_at: datetime
    """When the recipe was last changed."""


class RecipeContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /recipes, PUT /recipes/{id}."""

    name: Annotated[
        _Text,
        SingleLine(1, _LONGEST_NAME, keeps_spaces=True),
        Meta(description="The name, which need not be unique.", examples=["Annual review in short"]),
    ]
    template: Annotated[
        _Text,
        Meta(description="The template's name; it need not exist yet.", examples=[examples.TEMPLATE]),
    ]
    slides: Annotated[
        list[_Text],
        Meta(min_length=1, max_length=_MOST_SLIDES, description="In the deck's order.", examples=[["Cover", "Agenda"]]),
    ]
    data: Annotated[
        dict[str, Any],
        Meta(description="Data for all slides. Leave out customers' data: a recipe is kept until it is deleted."),
    ] = {}
