-- name: list_ids()
-- Called without a tenant.
select tenant_id from list_tenants() as known (tenant_id) order by tenant_id;

-- name: list_directory()
-- Called without a tenant.
select tenant_id from list_directory() order by tenant_id;

-- name: find_tenant()^
select
    tenant_id, name, case when disabled_at is null then 'enabled' else 'disabled' end as status, created_at, disabled_at,
    locale, quota_bytes, quota_templates, rate_limit, retention_days, cpr_retention_days, erases_meetings,
    event_days, outgoing_hosts,
    coalesce(stored_bytes, 0) as stored_bytes, coalesce(templates, 0) as templates,
    (select count(*) from subscription_key where revoked_at is null) as live_keys
from tenant
left join tenant_usage using (tenant_id);

-- name: lock_tenant()
-- Against other changes of it; whoever adds rows that refer to it goes on.
select 1 from tenant for no key update;

-- name: add_tenant(name, now)$
insert into tenant (tenant_id, name, created_at) values (current_tenant(), :name, :now)
on conflict do nothing
returning tenant_id;

-- name: count_tenants()
select cell, count(*) as tenants from list_directory() group by cell;

-- name: measure_database()$
select pg_database_size(current_database());

-- name: add_to_directory(name, now, cell)$
insert into tenant (tenant_id, name, created_at, cell) values (current_tenant(), :name, :now, :cell)
on conflict do nothing
returning tenant_id;

-- name: update_tenant(name, locale, quota_bytes, quota_templates, rate_limit, retention_days, cpr_retention_days, erases_meetings, event_days, outgoing_hosts, disabled_at)!
update tenant
set name = :name,
    locale = :locale,
    quota_bytes = :quota_bytes,
    quota_templates = :quota_templates,
    rate_limit = :rate_limit,
    retention_days = :retention_days,
    cpr_retention_days = :cpr_retention_days,
    erases_meetings = :erases_meetings,
    event_days = :event_days,
    outgoing_hosts = :outgoing_hosts,
    disabled_at = :disabled_at;

-- name: list_tables()
-- The tables with rows of tenants that this role may delete from; what is only added to goes by reference.
select relname as name
from pg_class as tables
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'tenant'
    and exists (select from pg_attribute where attrelid = tables.oid and attname = 'tenant_id' and not attisdropped)
    and has_table_privilege(oid, 'DELETE')
order by relname;

-- name: list_references()
select child.relname as child, parent.relname as parent
from pg_constraint
join pg_class as child on child.oid = conrelid
join pg_class as parent on parent.oid = confrelid
where contype = 'f' and child.relnamespace = 'public'::regnamespace and conrelid <> confrelid;

-- name: delete_tenant()!
-- Cascades to the remaining rows, which adds changes for searches (docs/decisions/0214).
delete from tenant;
delete from search_change;
