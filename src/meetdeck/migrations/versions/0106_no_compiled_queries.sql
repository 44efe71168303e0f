-- PostgreSQL compiles no query of this database (`jit`, which Debian's packages have on): functions that forbid a plan, as
-- those of jobs do, seem costly to it, and compiling took two seconds of each call once many jobs were due. A role that does
-- not own the database may not say so; then the server's administrator does (docs/operations/database.md).
do $$
begin
    execute format('alter database %I set jit = off', current_database());
exception when insufficient_privilege then
    raise notice 'the database is not ours: its owner runs: alter database % set jit = off', current_database();
end
$$;
