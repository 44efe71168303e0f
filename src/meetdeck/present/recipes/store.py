"""Recipes' SQL."""

from typing import Final

from meetdeck.platform.database import Columns, Table
from meetdeck.present.recipes.schemas import Recipe

table: Final = Table("recipe", Columns(Recipe, id="recipe_id"), order_by="lower(name), recipe_id")
