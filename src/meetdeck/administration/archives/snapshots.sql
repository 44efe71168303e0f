-- name: switch_off_timeouts()!
-- The server may limit requests, but copying takes as long as it takes.
select set_config(name, '0', true) from pg_settings
where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'lock_timeout');

-- name: find_name(tenant_id)$
select name from tenant where tenant_id = :tenant_id;

-- name: list_files(tenant_id)
-- Rows from before each had a file of its own (0011) share one: it is listed once.
select distinct on (file_key) file_key, path, digest, size_bytes
from (
    select
        file_key, digest, size_bytes,
        format('files/%s/templates/%s/%s.pptx', tenant_id, template_id, revision) as path
    from template_revision
    where tenant_id = :tenant_id
    union all
    select file_key, digest, size_bytes, format('files/%s/contents/%s', tenant_id, content_id)
    from content
    where tenant_id = :tenant_id
) as named
order by file_key, path;
