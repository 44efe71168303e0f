-- What a session of the console keeps of the provider where its person signed in (docs/decisions/0165).
-- Sessions of the version before have none of it: they end when their roles are due to be asked for.

alter table console_session
    add column subject text, -- the claim `sub`
    add column provider_session text, -- the claim `sid`
    add column authenticated_at timestamptz, -- the claim `auth_time`; null: the provider did not say
    add column checked_at timestamptz, -- when the provider last gave the roles; null: when the session began
    add column tokens_encrypted bytea,
    add column kept_form_encrypted bytea; -- a form that waits until its sender has signed in anew

create index console_session_by_subject on console_session (subject);
create index console_session_by_provider_session on console_session (provider_session);

-- Which sessions a logout token of the provider is about: it names no tenant. Read inside the function below alone, as
-- portals are (0028).
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

-- Sessions at the built-in token issuer (test environment only), each with the one refresh token that is valid.
create table oauth_session (
    tenant_id    uuid not null references tenant on delete cascade,
    session_id   uuid not null,
    digest       bytea not null check (length(digest) = 32), -- SHA-256 of the refresh token
    signed_in_at timestamptz not null,
    primary key (tenant_id, session_id)
);
call isolate_by_tenant('oauth_session');
