-- Tenants, who may call for them, and the rule that keeps them apart.

create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- The tenant of the running transaction; null when nobody said whose it is, and then no row is visible.
create function current_tenant() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('meetdeck.tenant', true), '')::uuid;

-- Every table calls this once. Forced: the owner of the tables is held to it as well.
create procedure isolate_by_tenant(isolated regclass) language plpgsql as $$
begin
    execute format('alter table %s enable row level security', isolated);
    execute format('alter table %s force row level security', isolated);
    execute format(
        'create policy tenant on %s using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())',
        isolated
    );
end
$$;

-- The application's role owns nothing: it may touch rows, as far as the policies let it.
alter default privileges grant select, insert, update, delete on tables to meetdeck_app;
alter default privileges grant usage on sequences to meetdeck_app;
grant select on alembic_version to meetdeck_app; -- so that serving can tell whether the schema is the one it needs

create table tenant (
    tenant_id  uuid primary key,
    name       text not null check (name <> ''),
    created_at timestamptz not null default now()
);
call isolate_by_tenant('tenant');

create table subscription_key (
    tenant_id           uuid not null references tenant on delete cascade,
    subscription_key_id uuid not null default gen_random_uuid(),
    digest              bytea not null unique check (length(digest) = 32), -- SHA-256; the key itself is kept nowhere
    created_at          timestamptz not null default now(),
    revoked_at          timestamptz,
    primary key (tenant_id, subscription_key_id)
);
call isolate_by_tenant('subscription_key');

-- Clients of the built-in token issuer (test environment only).
create table oauth_client (
    tenant_id     uuid not null references tenant on delete cascade,
    client_id     text not null unique,
    secret_digest bytea not null check (length(secret_digest) = 32), -- SHA-256 of 256 random bits
    roles         text[] not null default '{}',
    created_at    timestamptz not null default now(),
    primary key (tenant_id, client_id)
);
call isolate_by_tenant('oauth_client');

-- A key or a client id arrives before its tenant is known. Two narrow functions, run as the owner, answer that and nothing else.
create policy identify on subscription_key for select to current_user using (true);
create policy identify on oauth_client for select to current_user using (true);

create function identify_subscription_key(key_digest bytea) returns uuid
    language sql stable security definer set search_path = public
    return (select tenant_id from subscription_key where digest = key_digest and revoked_at is null);

create function identify_oauth_client(id text)
    returns table (tenant_id uuid, secret_digest bytea, roles text[])
    language sql stable security definer set search_path = public
begin atomic
    select client.tenant_id, client.secret_digest, client.roles from oauth_client as client where client.client_id = id;
end;
