-- The statements of a table whose resources have texts in several languages, in the place of those of `tables.sql`. Its
-- `localized…` columns hold the texts of other languages than the main one; given are those that change, null to remove one.

-- name: add_{table}(rows)
-- Inserts those whose ids are new.
insert into {table} (tenant_id, {columns}, {localized})
select current_tenant(), {columns}, {given_localized} from jsonb_populate_recordset(null::{table}, :rows::jsonb)
on conflict (tenant_id, {key}) do nothing
returning {key} as id;

-- name: update_{table}(rows)!
update {table} set ({columns}) = row({given.columns}), {changed_localized}
from jsonb_populate_recordset(null::{table}, :rows::jsonb) as given
where {table}.{key} = given.{key};
