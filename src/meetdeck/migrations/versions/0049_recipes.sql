-- Recipes: slides of a template that are chosen again and again, perhaps with data.

create table recipe (
    tenant_id  uuid not null references tenant on delete cascade,
    recipe_id  uuid not null,
    name       text not null check (name <> ''),
    template   text not null check (template <> ''), -- a template's name; it need not exist
    slides     text[] not null, -- in the deck's order
    data       jsonb not null,
    created_at timestamptz not null,
    changed_at timestamptz not null,
    primary key (tenant_id, recipe_id)
);
call isolate_by_tenant('recipe');
create index recipe_by_name on recipe (tenant_id, lower(name), recipe_id);
