"""Recipes on the pages: choices of slides that are stored, used again, renamed and deleted."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlencode
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.decks.draft import Draft
from meetdeck.pages.console.kit import Api, ConsoleController, CurrentForm, CurrentPage, keep_id
from meetdeck.pages.console.slide_templates import listing as slide_templates

PATH: Final = "present/recipes"


class Recipe(msgspec.Struct, frozen=True):
    """A recipe as the API answers it."""

    id: UUID
    name: str
    template: str
    slides: list[str]
    data: dict[str, Any]


class Recipes(ConsoleController):
    """Opening and deleting recipes."""

    path = "/console/decks/recipes"

    @get("/{recipe_id:uuid}")
    async def open_recipe(self, page: CurrentPage, recipe_id: FromPath[UUID]) -> Response[bytes]:
        """Redirect to the form for the data of a recipe's slides, or show which slides no longer exist."""
        recipe = await page.api.get(f"{PATH}/{recipe_id}", Recipe)
        entries = await slide_templates.list_templates(page.api)
        template = next((one for one in entries if one.name == recipe.template), None)
        if template is None:
            return page.show("recipe.html", HTTPStatus.NOT_FOUND, recipe=recipe, missing=[], template=None)
        slides = await slide_templates.list_slides(page.api, template.name, width=160)
        missing = [name for name in recipe.slides if name not in {slide.name for slide in slides}]
        meeting = keep_id(page.request.query_params.get("meeting", ""))
        return page.show("recipe.html", recipe=recipe, missing=missing, template=template, meeting=meeting)

    @post("/{recipe_id:uuid}/delete", status_code=HTTPStatus.SEE_OTHER)
    async def delete(self, form: CurrentForm, recipe_id: FromPath[UUID]) -> Response[bytes]:
        """Delete a recipe, after a question on its page."""
        page = form.page
        recipe = await page.api.get(f"{PATH}/{recipe_id}", Recipe)
        await page.api.send("DELETE", f"{PATH}/{recipe_id}")
        return page.lead_to(f"decks?{urlencode({'deleted': recipe.name})}")


async def list_recipes(api: Api) -> list[Recipe]:
    """Return the recipes by name."""
    return await api.get(PATH, list[Recipe])


async def save_recipe(api: Api, draft: Draft, name: str, *, with_data: bool) -> Recipe:
    """Store the slides of a draft with a name, and its data if that is wanted. Raises ApiRefusal, ValueError."""
    content = {
        "name": name,
        "template": draft.template.name,
        "slides": draft.wanted.slides,
        "data": draft.data if with_data else {},
    }
    return (await api.send("POST", PATH, content)).read(Recipe)


async def find_data(api: Api, recipe_id: str) -> dict[str, Any]:
    """Return the data of a recipe. Raises ApiRefusal."""
    return (await api.get(f"{PATH}/{quote(recipe_id, safe='')}", Recipe)).data
