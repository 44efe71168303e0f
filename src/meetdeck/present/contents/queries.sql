-- name: add_content(content_id, file_key, digest, file_name, content_type, size_bytes, now, expires_at, user_id)!
insert into content
    (tenant_id, content_id, file_key, digest, file_name, content_type, size_bytes, created_at, expires_at, created_by)
values
    (current_tenant(), :content_id, :file_key, :digest, :file_name, :content_type, :size_bytes, :now, :expires_at,
     :user_id);

-- name: list_contents(content_ids, now)
-- Those of the contents that are there and have not expired.
select content_id, tenant_id, file_key, digest, file_name, content_type, size_bytes, created_at, expires_at
from content
where content_id = any (:content_ids::uuid[]) and expires_at > :now;

-- name: delete_content(content_id, now)$
-- Its file's key; the file is deleted when the row is gone for good.
delete from content where content_id = :content_id and expires_at > :now returning file_key;

-- name: list_file_names()
-- Expired ones too.
select content_id, file_name from content;

-- name: delete_contents(content_ids)
delete from content
where content_id = any (:content_ids::uuid[])
returning content_id, tenant_id, file_key, digest, file_name, content_type, size_bytes, created_at, expires_at;

-- name: keep_contents(content_ids, until)!
update content set expires_at = :until where content_id = any (:content_ids::uuid[]) and expires_at < :until;
