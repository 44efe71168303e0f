-- name: hold_files()!
select pg_advisory_xact_lock_shared(7350, 0);

-- name: are_files_held()$
-- Asked, not tried to lock: two who delete at the same time are not in each other's way.
select exists (
    select from pg_locks
    where locktype = 'advisory' and classid = 7350 and objid = 0 and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
);
