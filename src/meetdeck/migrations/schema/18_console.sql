-- Sessions of staff at the console (docs/decisions/0120, 0165).

-- The cookie holds the tenant and a secret; here is its hash.
create table console_session (
    tenant_id           uuid not null references tenant on delete cascade,
    digest              bytea not null,
    user_id             uuid not null,
    name                text not null,
    email               text not null default '',
    roles               text[] not null,
    language            text, -- null: what the browser asks for
    created_at          timestamptz not null,
    seen_at             timestamptz not null,
    -- The last change of somebody at the console, which they can take back while their session lasts.
    undo                jsonb,
    -- Of the provider where its person signed in. A session that was begun before 1.0 may have none of it: it ends when its
    -- roles are due to be asked for.
    subject             text, -- the claim `sub`
    provider_session    text, -- the claim `sid`
    authenticated_at    timestamptz, -- the claim `auth_time`; null: the provider did not say
    checked_at          timestamptz, -- when the provider last gave the roles; null: when the session began
    tokens_encrypted    bytea,
    kept_form_encrypted bytea, -- a form that waits until its sender has signed in anew
    primary key (tenant_id, digest)
);
create index console_session_by_age on console_session (tenant_id, created_at);
create index console_session_by_subject on console_session (subject);
create index console_session_by_provider_session on console_session (provider_session);
call isolate_by_tenant('console_session');

-- Which sessions a logout token of the provider is about: it names no tenant. Read inside the function below
-- alone.
create policy identify on console_session for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'console_session');

create function identify_console_sessions(given_session text, given_subject text)
    returns table (tenant_id uuid, digest bytea)
language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'console_session', true);
    return query
        select one.tenant_id, one.digest from console_session as one
        where one.provider_session = given_session and (given_subject is null or one.subject = given_subject)
        union
        select one.tenant_id, one.digest from console_session as one
        where given_session is null and one.subject = given_subject;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Logout tokens that were received, for as long as they are valid: none is accepted twice. The first tenant keeps them.
create table console_logout (
    tenant_id   uuid not null references tenant on delete cascade,
    digest      bytea not null check (length(digest) = 32), -- SHA-256 of `jti`
    received_at timestamptz not null,
    primary key (tenant_id, digest)
);
call isolate_by_tenant('console_logout');
