-- What operators know of tenants, keys and clients: which tenant is disabled, what a key is called and when it was used.

alter table tenant add column disabled_at timestamptz;

alter table subscription_key
    add column name text not null default 'unnamed' check (length(name) between 1 and 100),
    add column ending text not null default '' check (length(ending) <= 4), -- of the key itself, to tell two apart
    add column last_used_at timestamptz; -- to the hour

alter table oauth_client add column name text check (length(name) between 1 and 100); -- null: the client's id

-- Read inside the functions below alone, as portals are (0028).
create policy identify on tenant for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'tenant');

-- Now of the tenants themselves: a new one has no key yet.
create or replace function list_tenants() returns setof uuid
    language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'tenant', true);
    return query select tenant.tenant_id from tenant;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- `identify_subscription_key` stays for the processes of the version before.
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
