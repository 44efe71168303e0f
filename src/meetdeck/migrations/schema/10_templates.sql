-- Templates of decks, contents, recipes, and how much of them a tenant has.

-- Each revision, and each content, names its own file in storage, under a key that is never chosen again: a file without a row
-- is needed by nobody. A row is written after its file.
create table template (
    tenant_id     uuid not null references tenant on delete cascade,
    template_id   uuid not null,
    name          text not null check (name <> ''),
    customer_type text not null default '',
    owner_id      uuid not null,
    revision      integer not null,
    updated_at    timestamptz not null,
    primary key (tenant_id, template_id),
    unique (tenant_id, name)
);
call isolate_by_tenant('template');

create table template_revision (
    tenant_id   uuid not null,
    template_id uuid not null,
    revision    integer not null,
    digest      bytea not null check (length(digest) = 32),
    size_bytes  bigint not null,
    outline     jsonb not null, -- tags and sections, as SlideTemplateDetails shows them
    findings    jsonb not null, -- warnings and infos of its validation
    created_at  timestamptz not null,
    created_by  uuid not null,
    file_key    text not null,
    primary key (tenant_id, template_id, revision),
    foreign key (tenant_id, template_id) references template on delete cascade
);
-- By which the sweeper asks; not unique, since rows of before 1.0 with the same content may share a file.
create index template_revision_file_key on template_revision (tenant_id, file_key);
call isolate_by_tenant('template_revision');

-- Stored files by id, for a while: what callers upload to use later, and what the service generates.
create table content (
    tenant_id    uuid not null references tenant on delete cascade,
    content_id   uuid not null,
    digest       bytea not null check (length(digest) = 32), -- SHA-256
    file_name    text not null check (file_name <> ''),
    content_type text not null,
    size_bytes   bigint not null,
    created_at   timestamptz not null,
    expires_at   timestamptz not null, -- by time, without any sweeper: an expired content is not found
    created_by   uuid, -- what the service makes by itself has none
    file_key     text not null,
    primary key (tenant_id, content_id)
);
create index content_expires_at on content (expires_at);
create index content_file_key on content (tenant_id, file_key);
call isolate_by_tenant('content');

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
create index recipe_by_name on recipe (tenant_id, lower(name), recipe_id);
call isolate_by_tenant('recipe');

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

-- How much a tenant has stored.
-- Beside `tenant`, which every row refers to: it changes with each upload. Whoever adds holds the row until the transaction
-- ends, and then knows what all before have stored: so a quota holds exactly, and no lock is held while a file is sent.
create table tenant_usage (
    tenant_id    uuid primary key references tenant on delete cascade,
    stored_bytes bigint not null default 0 check (stored_bytes >= 0), -- contents, and all revisions of templates
    templates    integer not null default 0 check (templates >= 0)
) with (fillfactor = 50);
call isolate_by_tenant('tenant_usage');

-- Each runs once for a statement that adds or deletes, cascades too; `changed` are the rows that came or went.
create function count_stored_bytes() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into tenant_usage (tenant_id, stored_bytes)
            select tenant_id, sum(size_bytes) from changed group by tenant_id
        on conflict (tenant_id) do update set stored_bytes = tenant_usage.stored_bytes + excluded.stored_bytes;
    else
        update tenant_usage set stored_bytes = stored_bytes - gone.size_bytes
        from (select tenant_id, sum(size_bytes) as size_bytes from changed group by tenant_id) as gone
        where tenant_usage.tenant_id = gone.tenant_id;
    end if;
    return null;
end
$$;

create trigger count_added after insert on content referencing new table as changed
    for each statement execute function count_stored_bytes();
create trigger count_removed after delete on content referencing old table as changed
    for each statement execute function count_stored_bytes();
create trigger count_added after insert on template_revision referencing new table as changed
    for each statement execute function count_stored_bytes();
create trigger count_removed after delete on template_revision referencing old table as changed
    for each statement execute function count_stored_bytes();

create function count_templates() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into tenant_usage (tenant_id, templates)
            select tenant_id, count(*) from changed group by tenant_id
        on conflict (tenant_id) do update set templates = tenant_usage.templates + excluded.templates;
    else
        update tenant_usage set templates = templates - gone.number
        from (select tenant_id, count(*) as number from changed group by tenant_id) as gone
        where tenant_usage.tenant_id = gone.tenant_id;
    end if;
    return null;
end
$$;
create trigger count_added after insert on template referencing new table as changed
    for each statement execute function count_templates();
create trigger count_removed after delete on template referencing old table as changed
    for each statement execute function count_templates();
