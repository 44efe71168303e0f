-- name: keep_name(kind, id, now)!
-- Keeps what past meetings show of a deleted resource. `resources.py` loads it for each kind, with its columns.
insert into deletion (tenant_id, kind, deleted_id, {kept}, deleted_at)
select current_tenant(), :kind, {key}, {kept}, :now
from {table}
where {key} = :id and ({is_named})
on conflict (tenant_id, kind, deleted_id) do update set ({kept}, deleted_at) = row({excluded}, excluded.deleted_at);
