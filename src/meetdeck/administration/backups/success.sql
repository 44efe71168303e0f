-- name: set_success(succeeded_at)!
insert into backup_success (succeeded_at) values (:succeeded_at)
on conflict (is_last) do update set succeeded_at = greatest(backup_success.succeeded_at, excluded.succeeded_at);

-- name: has_table()$
-- The schema of an older version, which is backed up before it is migrated, has no such table.
select to_regclass('public.backup_success') is not null;

-- name: get_success()$
select succeeded_at from backup_success;
