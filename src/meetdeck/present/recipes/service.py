"""Recipes (docs/api/templates.md#recipes)."""

from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from meetdeck.platform.database import Connection
from meetdeck.platform.values import copy_members
from meetdeck.present.errors import RecipeNotFound
from meetdeck.present.recipes import store
from meetdeck.present.recipes.schemas import Recipe, RecipeContent

KIND: Final = "recipes"
"""The kind of recipes in the audit log, and the last step of their address."""


async def get_recipe(connection: Connection, recipe_id: UUID, *, for_update: bool = False) -> Recipe:
    """Return a recipe, locked when `for_update`. Raises RecipeNotFound."""
    found = await store.table.find(connection, recipe_id, for_update=for_update)
    if found is None:
        raise RecipeNotFound(recipe_id)
    return found


async def create_recipe(connection: Connection, content: RecipeContent, now: datetime) -> Recipe:
    """Insert a recipe, and return it."""
    recipe = copy_members(Recipe, content, id=uuid4(), created_at=now, changed_at=now)
    await store.table.add(connection, [recipe])
    return recipe


async def update_recipe(connection: Connection, recipe: Recipe, content: RecipeContent, now: datetime) -> Recipe:
    """Replace the content of a recipe read for update, and return it."""
    changed = copy_members(Recipe, content, id=recipe.id, created_at=recipe.created_at, changed_at=now)
    await store.table.update(connection, [changed])
    return changed
