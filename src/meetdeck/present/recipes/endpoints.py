"""Recipes' addresses."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, delete, get, post, put
from litestar.params import PathParameter

from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, accepts
from meetdeck.present import examples
from meetdeck.present.recipes import service, store
from meetdeck.present.recipes.schemas import Recipe, RecipeContent
from meetdeck.present.recipes.service import KIND

_AREA = "present/recipes"
RecipeId = Annotated[UUID, PathParameter(description="The recipe's `id`.")]


class Recipes(Controller):
    """Saved choices of a template's slides for new decks; only in v3, not part of the contract."""

    path = "/recipes"
    tags = ("Recipes",)
    opt = audits(KIND)

    @get(summary="List recipes")
    async def list_recipes(self, call: CurrentCall) -> list[Recipe]:
        """Return the recipes by name."""
        async with call.transaction() as connection:
            return await store.table.list(connection)

    @get("/{recipe_id:uuid}", summary="Read a recipe")
    async def get_recipe(self, call: CurrentCall, recipe_id: RecipeId) -> Response[Recipe]:
        """Return a recipe."""
        async with call.reading() as connection:
            return call.answer(await service.get_recipe(connection, recipe_id))

    @post(status_code=201, summary="Create a recipe", **accepts(body=RecipeContent, example=examples.RECIPE))
    async def create_recipe(self, call: CurrentCall, payload: Body[RecipeContent]) -> Response[Recipe]:
        """Save a choice of slides under a name."""
        return await call.create(
            payload, _AREA, lambda connection: service.create_recipe(connection, payload, call.now)
        )

    @put("/{recipe_id:uuid}", summary="Replace a recipe", **accepts(body=RecipeContent, example=examples.RECIPE))
    async def update_recipe(
        self, call: CurrentCall, recipe_id: RecipeId, payload: Body[RecipeContent]
    ) -> Response[Recipe]:
        """Replace a recipe's name, template, slides and data."""
        return await call.change(
            service.get_recipe,
            recipe_id,
            lambda connection, recipe: service.update_recipe(connection, recipe, payload, call.now),
        )

    @delete("/{recipe_id:uuid}", summary="Delete a recipe")
    async def delete_recipe(self, call: CurrentCall, recipe_id: RecipeId) -> None:
        """Delete a recipe; decks made of it do not change."""
        await call.delete(
            service.get_recipe, recipe_id, lambda connection, recipe: store.table.delete(connection, recipe.id)
        )
