-- The statements of a table of resources. `tables.py` loads them for each table, with its name and its key.

-- name: list_{table}(ids)
-- Some, or all when null.
select {columns as members}{elsewhere}
from {table}
where :ids::uuid[] is null or {key} = any (:ids::uuid[])
order by {order};

-- name: find_{table}(id)^
select {columns as members}{elsewhere} from {table} where {key} = :id;

-- name: lock_{table}(id)!
-- Locks a row, which is read by a second statement: this one would show it as it was before the wait.
select from {table} where {key} = :id for update;

-- name: lock_all_{table}()!
-- Locks all rows against changes, all in one order. Reading and booking go on.
select from {table} order by {key} for no key update;

-- name: add_{table}(rows)
-- Inserts those whose ids are new.
insert into {table} (tenant_id, {columns})
select current_tenant(), {columns} from jsonb_populate_recordset(null::{table}, :rows::jsonb)
on conflict (tenant_id, {key}) do nothing
returning {key} as id;

-- name: update_{table}(rows)!
update {table} set ({columns}) = row({given.columns})
from jsonb_populate_recordset(null::{table}, :rows::jsonb) as given
where {table}.{key} = given.{key};

-- name: delete_{table}(id)!
delete from {table} where {key} = :id;
