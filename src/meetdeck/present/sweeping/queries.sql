-- name: is_tenant_known()$
select exists (select from tenant);

-- name: count_expired_contents(before)$
select count(*) from content where expires_at < :before;

-- name: delete_expired_contents(before)$
with expired as (delete from content where expires_at < :before returning 1)
select count(*) from expired;

-- name: list_named_files(keys, expired_before)
-- Earlier revisions are kept, and so are their files.
select file_key from template_revision where file_key = any (:keys::text[])
union
select file_key from content where file_key = any (:keys::text[]) and expires_at >= :expired_before;

-- name: list_current_digests(digests)
select distinct digest
from template
join template_revision using (tenant_id, template_id, revision)
where digest = any (:digests::bytea[]);
