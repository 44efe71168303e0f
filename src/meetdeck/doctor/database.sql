-- name: describe_server()^
select
    current_database() as name,
    current_setting('server_version') as version,
    current_setting('server_version_num')::int as version_number,
    pg_encoding_to_char(encoding) as encoding,
    datctype as ctype,
    coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as is_encrypted,
    array(
        select needed from unnest(array['btree_gist', 'pg_trgm']) as needed
        where not exists (select from pg_available_extensions where pg_available_extensions.name = needed)
    ) as missing_extensions
from pg_database
where datname = current_database();

-- name: count_connections()^
-- `most`: how many the server, the database and the role let us have; `others`: those of other roles.
select
    least(
        current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
        nullif(datconnlimit, -1),
        nullif(rolconnlimit, -1)
    ) as most,
    (select count(*)::int from pg_stat_activity where datid is not null and usename <> current_user) as others,
    pg_backend_pid() as process_id
from pg_database, pg_roles
where datname = current_database() and rolname = current_user;

-- name: list_tenants()
select tenant_id from list_tenants() as known (tenant_id) order by tenant_id;

-- name: follows()$
select pg_is_in_recovery();
