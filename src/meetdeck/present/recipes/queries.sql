-- name: list_recipes(recipe_ids)
-- Some, or all when null, by name.
select {columns as members}
from recipe
where :recipe_ids::uuid[] is null or recipe_id = any (:recipe_ids::uuid[])
order by lower(name), recipe_id;

-- name: lock_recipe(recipe_id)!
select from recipe where recipe_id = :recipe_id for update;

-- name: add_recipe({columns as arguments})!
insert into recipe (tenant_id, {columns}) values (current_tenant(), {columns as parameters});

-- name: update_recipe({columns as arguments})!
update recipe set ({columns}) = row({columns as parameters}) where recipe_id = :recipe_id;

-- name: delete_recipe(recipe_id)!
delete from recipe where recipe_id = :recipe_id;
