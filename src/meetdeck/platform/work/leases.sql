-- name: take(name, holder, length)$
-- Takes a lease that is free or has run out, or renews one's own; null when another holds it.
insert into lease (tenant_id, name, holder, expires_at)
values (current_tenant(), :name, :holder, clock_timestamp() + :length)
on conflict (tenant_id, name) do update
    set holder = excluded.holder, expires_at = excluded.expires_at
    where lease.holder = excluded.holder or lease.expires_at <= clock_timestamp()
returning name;

-- name: first_tenant()^
select min(tenant_id::text)::uuid as tenant_id from list_tenants() as known (tenant_id);

-- name: first_of_directory()^
-- With several databases: the first one may have the directory alone.
select min(tenant_id::text)::uuid as tenant_id from list_directory();

-- name: give_back(name, holder)!
delete from lease where name = :name and holder = :holder;

-- name: forget_expired()!
-- Deletes the expired leases of killed holders, whenever a lease is given back. Locked rows are skipped.
delete from lease
where name in (select name from lease where expires_at <= clock_timestamp() limit 100 for update skip locked);

-- name: is_held(name)$
select exists (select from lease where name = :name and expires_at > clock_timestamp());
