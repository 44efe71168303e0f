-- name: list_powers()
-- The powers that this session's role has or may get, by which row-level security does not hold it to one tenant.
-- `in_test`: the test environment refuses it too. Own powers come before those of roles that it is a member of: it may
-- `set role` to them, or let itself. Of a server's first superuser, a member of all, some rows are enough.
with reachable as (
    select role.*, role.rolname in (current_user, session_user) as is_own
    from pg_roles as role
    where exists (
        select from pg_roles as own
        where own.rolname in (current_user, session_user)
            and (own.oid = role.oid or pg_has_role(own.oid, role.oid, 'MEMBER'))
    )
)
select session_user as connected_as, rolname as role, is_own, power, in_test
from reachable
cross join lateral (
    values
        (1, rolsuper, true, 'is a superuser'),
        (2, rolbypassrls, true, 'has BYPASSRLS'),
        (3, rolreplication, true, 'has REPLICATION, with which every row can be read'),
        (
            4,
            rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'),
            true,
            'may use the files and programs of the server'
        ),
        (5, rolcreaterole, false, 'may change other roles (CREATEROLE)'),
        (
            6,
            exists (select from pg_class where relowner = reachable.oid and relnamespace = to_regnamespace('public')),
            false,
            'owns tables, and so may switch row-level security off'
        ),
        (
            7,
            exists (select from pg_proc where proowner = reachable.oid and pronamespace = to_regnamespace('public'))
            or exists (select from pg_namespace where nspowner = reachable.oid and nspname = 'public'),
            false,
            'owns the schema or functions in it, and so may change what row-level security asks'
        ),
        (
            8,
            exists (select from pg_database where datdba = reachable.oid and datname = current_database()),
            false,
            'owns the database'
        )
) as powers (rank, has_it, in_test, power)
where has_it
order by not is_own, rank, rolname
limit 20;

-- name: list_open_tables()
-- Tables of tenants that do not keep them apart: row-level security is off, does not hold the owner, or has a policy for
-- this role that does not ask whose a row is. (The owner's own, `identify`, are for three functions: 0006.)
select relname
from pg_class as tables
where relnamespace = to_regnamespace('public') and relkind in ('r', 'p')
    and exists (select from pg_attribute where attrelid = tables.oid and attname = 'tenant_id' and not attisdropped)
    and (
        not relrowsecurity
        or not relforcerowsecurity
        or exists (
            select from pg_policy
            where polrelid = tables.oid and polpermissive and not pg_has_role(current_user, relowner, 'MEMBER')
                and (polroles = '{0}' or exists (
                    select from unnest(polroles) as granted where pg_has_role(current_user, granted, 'MEMBER')
                ))
                and pg_get_expr(coalesce(polqual, polwithcheck), polrelid) not like '%tenant_id = %current_tenant()%'
        )
    )
order by relname;
