-- name: prepare_session(tenant_id)!
-- Moving takes as long as it takes. A connection whose other end is gone ends soon, and gives its locks back.
select
    set_config('meetdeck.tenant', :tenant_id::uuid::text, false), set_config('timezone', 'UTC', false),
    set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false), set_config('client_connection_check_interval', '1s', false),
    (
        select count(set_config(name, '0', false)) from pg_settings
        where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'lock_timeout')
    );

-- name: claim(tenant_id)$
-- Of the session: moving a tenant out of this database or into it.
select pg_try_advisory_lock(move_lock(:tenant_id::uuid::text));

-- name: find_home(tenant_id)^
select name, cell from tenant where tenant_id = :tenant_id;

-- name: set_home(tenant_id, cell)!
update tenant set cell = :cell where tenant_id = :tenant_id and cell is distinct from :cell;

-- name: list_watched()
-- Columns whose updates fire triggers, whether they change or not.
select relname as table_name, array_agg(distinct attname::text) as columns
from pg_trigger
join pg_class on pg_class.oid = tgrelid
join pg_attribute on attrelid = tgrelid and attnum = any (tgattr::smallint[])
where not tgisinternal and relnamespace = 'public'::regnamespace
group by relname;

-- name: list_unlogged()
select relname as name from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'u'
    and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id' and not attisdropped);

-- name: find_oldest()$
-- The oldest transaction that this snapshot may not see.
select pg_snapshot_xmin(pg_current_snapshot())::text;

-- name: measure_age(xid)$
-- By the clock of `age(xmin)` in the same transaction.
select age(:xid::text::xid8::xid);

-- name: list_sequences()
select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value
from pg_sequences where schemaname = 'public' and last_value is not null;

-- name: stop_jobs(holder, length)!
-- No process takes jobs of a tenant with this lease (`list_due_jobs`).
insert into lease (tenant_id, name, holder, expires_at)
values (current_tenant(), 'move', :holder, clock_timestamp() + :length)
on conflict (tenant_id, name) do update set holder = excluded.holder, expires_at = excluded.expires_at;

-- name: start_jobs()!
delete from lease where tenant_id = current_tenant() and name = 'move';

-- name: wait_for_takers()
-- Whoever takes jobs now may not have seen the lease.
select pg_advisory_xact_lock(hashtext('take_jobs'));

-- name: count_jobs_in_work(now)$
select count(*) from job
where tenant_id = current_tenant() and taken_by is not null and taken_until > :now;

-- name: close(tenant_id)!
-- Wait for the tenant's transactions, and let none begin (`enter_cell`).
select pg_advisory_xact_lock(cell_lock(:tenant_id::uuid::text));

-- name: forget_readings()!
-- Invalidates what searches read when the tenant lived in this cell before (docs/decisions/0214).
insert into search_change (tenant_id, resource_key) values (current_tenant(), -1);
