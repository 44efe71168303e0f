-- The firm's own directory writes its people and groups by SCIM: with which tokens, and what it wrote.

create table scim_token (
    tenant_id     uuid not null references tenant on delete cascade,
    scim_token_id uuid not null default gen_random_uuid(),
    digest        bytea not null unique check (length(digest) = 32), -- SHA-256; the token itself is kept nowhere
    name          text not null check (length(name) between 1 and 100),
    ending        text not null check (length(ending) <= 4), -- of the token itself, to tell two apart
    created_at    timestamptz not null default now(),
    revoked_at    timestamptz,
    last_used_at  timestamptz, -- to the hour
    primary key (tenant_id, scim_token_id)
);
call isolate_by_tenant('scim_token');

-- A token arrives before its tenant is known.
create policy identify on scim_token for select to current_user using (true);

-- Whose a token is, unless it was revoked.
create function identify_scim_token(token_digest bytea)
    returns table (tenant_id uuid, token_id uuid, name text, is_disabled boolean, last_used_at timestamptz)
    language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'tenant', true);
    return query
        select token.tenant_id, token.scim_token_id, token.name, tenant.disabled_at is not null, token.last_used_at
        from scim_token as token join tenant on tenant.tenant_id = token.tenant_id
        where token.digest = token_digest and token.revoked_at is null;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Whose token an id is: operators name tokens by it.
create function identify_scim_token_id(id uuid) returns uuid
    language sql stable security definer set search_path = public
    return (select tenant_id from scim_token where scim_token_id = id);

-- What the directory says of an employee, as SCIM spells it. `user_name` stays when the directory has ended the user: by
-- it the same employee is taken up again.
create table directory_user (
    tenant_id   uuid not null,
    employee_id uuid not null,
    user_name   text not null,
    attributes  jsonb not null, -- of the User; without id, schemas and meta
    created_at  timestamptz not null,
    changed_at  timestamptz not null,
    ended_at    timestamptz,
    primary key (tenant_id, employee_id),
    foreign key (tenant_id, employee_id) references employee on delete cascade
);
create index directory_users_by_name on directory_user (lower(user_name), tenant_id);
call isolate_by_tenant('directory_user');

-- Whether the directory owns the row, and the members that it knows of are changed there alone.
alter table employee add column provisioned boolean not null default false;
-- Neither begins with the tenant: without statistics, PostgreSQL would take it for statements about one employee, and read all
-- of a firm.
create index employees_by_email on employee (lower(email), tenant_id);
create index employees_by_external_id on employee (external_id, tenant_id);

alter table competence_group
    add column provisioned boolean not null default false,
    add column directory_id text not null default '', -- the group's `externalId` in SCIM
    add column changed_at timestamptz; -- by the directory; null: never
alter table service_group
    add column provisioned boolean not null default false,
    add column directory_id text not null default '',
    add column changed_at timestamptz;

alter table organization_setting
    add column scim_groups text not null default 'CompetenceGroups'
        check (scim_groups in ('CompetenceGroups', 'ServiceGroups'));
