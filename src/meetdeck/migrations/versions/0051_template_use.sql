-- How many decks were made of each template on each day (UTC), counted by name: a template may be deleted since.

create table template_use (
    tenant_id     uuid not null references tenant on delete cascade,
    day           date not null,
    template      text not null check (template <> ''),
    decks         bigint not null check (decks > 0),
    last_built_at timestamptz not null,
    primary key (tenant_id, day, template)
);
call isolate_by_tenant('template_use');
