"""Recipes' SQL."""

from collections.abc import Sequence
from uuid import UUID

from meetdeck.platform.database import Columns, Connection, load_queries
from meetdeck.present.recipes.schemas import Recipe

_COLUMNS = Columns(Recipe, id="recipe_id")
queries = load_queries(__file__, columns=_COLUMNS)


async def list_recipes(connection: Connection, recipe_ids: Sequence[UUID] | None) -> list[Recipe]:
    """Return some recipes, or all, by name."""
    return [_COLUMNS.read(row) async for row in queries.list_recipes(connection, recipe_ids=recipe_ids)]


async def lock_recipe(connection: Connection, recipe_id: UUID) -> None:
    """Lock a recipe until the transaction ends."""
    await queries.lock_recipe(connection, recipe_id=recipe_id)


async def add_recipe(connection: Connection, recipe: Recipe) -> None:
    """Insert a recipe."""
    await queries.add_recipe(connection, **_COLUMNS.write(recipe))


async def update_recipe(connection: Connection, recipe: Recipe) -> None:
    """Update a recipe."""
    await queries.update_recipe(connection, **_COLUMNS.write(recipe))


async def delete_recipe(connection: Connection, recipe_id: UUID) -> None:
    """Delete a recipe."""
    await queries.delete_recipe(connection, recipe_id=recipe_id)
