-- Who may call for a tenant: subscription keys, and the clients and people of the built-in token issuer.

create table subscription_key (
    tenant_id           uuid not null references tenant on delete cascade,
    subscription_key_id uuid not null default gen_random_uuid(),
    digest              bytea not null unique check (length(digest) = 32), -- SHA-256; the key itself is kept nowhere
    created_at          timestamptz not null default now(),
    revoked_at          timestamptz,
    name                text not null default 'unnamed' check (length(name) between 1 and 100),
    ending              text not null default '' check (length(ending) <= 4), -- of the key itself, to tell two apart
    last_used_at        timestamptz, -- to the hour
    primary key (tenant_id, subscription_key_id)
);
call isolate_by_tenant('subscription_key');

-- A key arrives before its tenant is known.
create policy identify on subscription_key for select to current_user using (true);

-- Whose a key is, unless it was revoked.
create function identify_key(key_digest bytea)
    returns table (tenant_id uuid, key_id uuid, is_disabled boolean, rate_limit integer, last_used_at timestamptz)
    language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'tenant', true);
    return query
        select key.tenant_id, key.subscription_key_id, tenant.disabled_at is not null, tenant.rate_limit,
            key.last_used_at
        from subscription_key as key join tenant on tenant.tenant_id = key.tenant_id
        where key.digest = key_digest and key.revoked_at is null;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Whose key an id is: operators name keys by it.
create function identify_key_id(id uuid) returns uuid
    language sql stable security definer set search_path = public
    return (select tenant_id from subscription_key where subscription_key_id = id);

-- Clients of the built-in token issuer (test environment only).
create table oauth_client (
    tenant_id     uuid not null references tenant on delete cascade,
    client_id     text not null unique,
    secret_digest bytea not null check (length(secret_digest) = 32), -- SHA-256 of 256 random bits
    roles         text[] not null default '{}',
    created_at    timestamptz not null default now(),
    name          text check (length(name) between 1 and 100), -- null: the client's id
    primary key (tenant_id, client_id)
);
call isolate_by_tenant('oauth_client');

-- A client id, too, arrives before its tenant is known.
create policy identify on oauth_client for select to current_user using (true);

create function identify_oauth_client(id text)
    returns table (tenant_id uuid, secret_digest bytea, roles text[])
    language sql stable security definer set search_path = public
begin atomic
    select client.tenant_id, client.secret_digest, client.roles from oauth_client as client where client.client_id = id;
end;

-- People of the built-in token issuer (test environment only): they choose who they are, and have no passwords.
create table oauth_user (
    tenant_id uuid not null references tenant on delete cascade,
    user_name text not null unique check (user_name <> ''), -- of the installation: a token's `sub`
    user_id   uuid not null,
    kind      text not null check (kind in ('Staff', 'Customer')),
    name      text not null check (name <> ''),
    email     text not null,
    roles     text[] not null default '{}',
    position  integer not null default 0, -- on the page where they sign in
    primary key (tenant_id, user_name)
);
call isolate_by_tenant('oauth_user');

-- The authorization codes that were redeemed, until they have long expired: none is redeemed twice, by any process.
create table oauth_used_code (
    tenant_id uuid not null references tenant on delete cascade,
    digest    bytea not null check (length(digest) = 32), -- SHA-256
    used_at   timestamptz not null,
    primary key (tenant_id, digest)
);
call isolate_by_tenant('oauth_used_code');

-- Sessions at the built-in token issuer (test environment only), each with the one refresh token that is valid.
create table oauth_session (
    tenant_id    uuid not null references tenant on delete cascade,
    session_id   uuid not null,
    digest       bytea not null check (length(digest) = 32), -- SHA-256 of the refresh token
    signed_in_at timestamptz not null,
    primary key (tenant_id, session_id)
);
call isolate_by_tenant('oauth_session');
