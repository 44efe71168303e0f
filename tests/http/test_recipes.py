"""Recipes: choices of slides that are kept (docs/api/templates.md#recipes)."""

from typing import Any

from meetdeck.demo.firm import FJORD
from support.factories import Api

RECIPES = "v3/present/recipes"
SHORT: dict[str, Any] = {"name": "In short", "template": "Annual review", "slides": ["Agenda", "Cover"]}


async def test_a_recipe_reads_back_as_it_was_written_is_changed_and_deleted(api: Api) -> None:
    made = await api.post(RECIPES, SHORT | {"data": {"review": {"year": 2026}}})
    assert made.status_code == 201, made.text
    recipe = made.json()
    assert set(recipe) == {"id", "name", "template", "slides", "data", "createdAt", "changedAt"}
    assert (recipe["slides"], recipe["data"]) == (["Agenda", "Cover"], {"review": {"year": 2026}})
    path = f"{RECIPES}/{recipe['id']}"
    read = await api.get(path)
    assert read.json() == recipe
    stale = await api.request("PUT", path, json=SHORT, headers={"If-Match": '"another"'})
    assert stale.status_code == 412
    changed = await api.request(
        "PUT", path, json=SHORT | {"name": "Shorter"}, headers={"If-Match": read.headers["ETag"]}
    )
    assert (changed.status_code, changed.json()["name"], changed.json()["data"]) == (200, "Shorter", {})
    assert (await api.request("DELETE", path)).status_code == 204
    gone = await api.get(path)
    assert (gone.status_code, gone.json()["code"]) == (404, "recipe_not_found")


async def test_recipes_are_listed_by_name_and_a_firm_sees_its_own_alone(api: Api) -> None:
    for name in ("b", "A", "c"):
        await api.post(RECIPES, SHORT | {"name": name})
    assert [one["name"] for one in (await api.get(RECIPES)).json()] == ["A", "b", "c"]
    other = await api.of(FJORD)
    assert (await other.get(RECIPES)).json() == []


async def test_a_recipe_that_cannot_be_is_refused_where_it_is_wrong(api: Api) -> None:
    faults: list[tuple[dict[str, Any], str]] = [
        ({"slides": []}, "/slides"),
        ({"name": ""}, "/name"),
        ({"data": 1}, "/data"),
    ]
    for wrong, pointer in faults:
        refused = await api.post(RECIPES, SHORT | wrong)
        assert (refused.status_code, [one["pointer"] for one in refused.json()["errors"]]) == (400, [pointer])
    assert (await api.get("v2/present/recipes")).status_code == 404


async def test_changes_of_recipes_are_in_the_audit_log(api: Api) -> None:
    made = (await api.post(RECIPES, SHORT)).json()
    elevated = await api.of(api.firm, elevated=True)
    (entry,) = (await elevated.get("v3/audit-log?kind=recipes")).json()["items"]
    assert (entry["action"], entry["resourceId"], entry["resourceName"]) == ("created", made["id"], "In short")
