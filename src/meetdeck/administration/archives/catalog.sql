-- name: list_columns()
-- Columns that can be written, of all tables that outlive a crash. Generated ones come by themselves.
select
    tables.relname as table_name,
    attname as name,
    format_type(atttypid, atttypmod) as type,
    not attnotnull as is_nullable,
    pg_get_serial_sequence(format('%I.%I', nspname, relname), attname) as sequence
from pg_attribute
join pg_class as tables on tables.oid = attrelid
join pg_namespace on pg_namespace.oid = relnamespace
where nspname = 'public' and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
    and relname <> 'alembic_version' and attnum > 0 and not attisdropped and attgenerated = ''
order by relname, attnum;

-- name: list_keys()
select relname as table_name, array_agg(attname::text order by place) as columns
from pg_index
join pg_class on pg_class.oid = indrelid
cross join lateral unnest(indkey::smallint[]) with ordinality as keys (attnum, place)
join pg_attribute on pg_attribute.attrelid = indrelid and pg_attribute.attnum = keys.attnum
where relnamespace = 'public'::regnamespace and indisprimary
group by relname;

-- name: list_references()
select distinct referring.relname as table_name, referred.relname as referred
from pg_constraint
join pg_class as referring on referring.oid = conrelid
join pg_class as referred on referred.oid = confrelid
where contype = 'f' and connamespace = 'public'::regnamespace and referring.relpersistence = 'p';

-- name: get_revision()$
select max(version_num) from alembic_version;

-- name: list_sequences()
-- The last number of each sequence; unused sequences are left out.
select schemaname || '.' || sequencename as name, last_value from pg_sequences
where schemaname = 'public' and last_value is not null;

-- name: list_tenants()
select tenant_id from list_tenants() as tenant_id order by tenant_id;
