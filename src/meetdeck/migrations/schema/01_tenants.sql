-- Tenants, and the rule that keeps them apart.
--
-- Every table has `tenant_id` first in its primary key, and its references carry it (tests/integration/test_distribution.py).
-- A row is seen by its tenant alone. What has to be found before the tenant is known, or in all tenants, is answered by narrow
-- functions that run as the owner (`security definer`): each sets `meetdeck.identifying` for itself, and a policy lets it, and
-- nobody else, read.

create extension if not exists btree_gist; -- tenants in the index of `no_double_booking`
create extension if not exists pg_trgm; -- labels with a similar name

-- The tenant of the running transaction; null when nobody said whose it is, and then no row is visible.
create function current_tenant() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('meetdeck.tenant', true), '')::uuid;

-- Every table calls this once. Forced: the owner of the tables is held to it as well.
--
-- Statements of one tenant are planned alike, whichever it is and whatever was analyzed.
-- No statistics are kept of `tenant_id`: what the last ANALYZE saw of other tenants says nothing of this one. With them
-- the planner expects one row of a tenant that came later, in every table. Then an index by `tenant_id` alone looks as
-- good as one by the whole key, below a loop as well: a search of 1,000 advisors took seconds. Without them it takes any
-- tenant for 1/200 of a table. `(select …)`: asked once for each statement, not for each row or look into an index.
create procedure isolate_by_tenant(isolated regclass) language plpgsql as $$
begin
    execute format('alter table %s enable row level security', isolated);
    execute format('alter table %s force row level security', isolated);
    execute format(
        'create policy tenant on %s'
        ' using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))',
        isolated
    );
    execute format('alter table %s alter column tenant_id set statistics 0', isolated);
end
$$;

-- The revision of the schema, in its one row. The application reads it, to know whether the schema is the one it needs. It is
-- made before the default privileges are set, and so gets no others. Its name is from before 1.0: what was made by alembic then
-- is read by it, in databases and in backups.
create table alembic_version (
    version_num varchar(32) not null,
    constraint alembic_version_pkc primary key (version_num)
);
insert into alembic_version values ('0066');
grant select on alembic_version to meetdeck_app;

-- The application's role owns nothing: it may touch rows, as far as the policies let it.
alter default privileges grant select, insert, update, delete on tables to meetdeck_app;
alter default privileges grant usage on sequences to meetdeck_app;

create table tenant (
    tenant_id          uuid primary key,
    name               text not null check (name <> ''),
    created_at         timestamptz not null default now(),
    -- The language in which a tenant's decks write numbers and dates, unless the data says otherwise (BCP 47).
    locale             text not null default 'en' check (locale ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
    -- How much a tenant may store; null: as the settings say, 0: no limit. How much it has stored is in `tenant_usage`.
    quota_bytes        bigint check (quota_bytes >= 0),
    quota_templates    integer check (quota_templates >= 0),
    rate_limit         integer check (rate_limit >= 0), -- requests a minute of each key; null: as the settings say, 0: no limit
    disabled_at        timestamptz,
    -- How long personal data is kept; null: as the settings say. `cpr` never longer than the rest.
    retention_days     integer check (retention_days between 0 and 36500),
    cpr_retention_days integer check (cpr_retention_days between 0 and 36500),
    erases_meetings    boolean not null default true, -- false: personal data of meetings that took place stays
    event_days         integer check (event_days between 7 and 3650), -- null: as the settings say
    -- The hosts that a firm may name for webhooks and data services; null: those of the installation.
    outgoing_hosts     text[]
);
call isolate_by_tenant('tenant');

-- Read inside `list_tenants` and `identify_key` alone.
create policy identify on tenant for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'tenant');

-- For work that goes through all tenants, one after another.
create function list_tenants() returns setof uuid
    language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'tenant', true);
    return query select tenant.tenant_id from tenant;
    perform set_config('meetdeck.identifying', '', true);
end
$$;
