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
