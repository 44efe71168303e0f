-- Sessions of staff at the console (docs/decisions/0120). The cookie holds the tenant and a secret; here is its hash.
create table console_session (
    tenant_id  uuid not null references tenant on delete cascade,
    digest     bytea not null,
    user_id    uuid not null,
    name       text not null,
    email      text not null default '',
    roles      text[] not null,
    language   text, -- null: what the browser asks for
    created_at timestamptz not null,
    seen_at    timestamptz not null,
    primary key (tenant_id, digest)
);
create index console_session_by_age on console_session (tenant_id, created_at);
call isolate_by_tenant('console_session');
