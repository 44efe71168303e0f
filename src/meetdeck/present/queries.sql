-- name: list_templates(template_ids)
-- Every template of the tenant by name, or those of some ids.
select template_id, tenant_id, name, customer_type, owner_id, revision, updated_at
from template
where :template_ids::uuid[] is null or template_id = any (:template_ids::uuid[])
order by lower(name), name;

-- name: find_template_name(template_id)$
select name from template where template_id = :template_id;

-- name: find_template(name)^
-- One template at its current revision.
select template_id, template.tenant_id, template.name, customer_type, owner_id, revision, updated_at, file_key,
       digest, outline, findings, tenant.locale
from template
join template_revision using (tenant_id, template_id, revision)
join tenant using (tenant_id)
where template.name = :name;

-- name: find_template_revision(template_id, revision)^
-- One template at a revision that it has or had.
select template_id, template.tenant_id, template.name, customer_type, owner_id, earlier.revision, updated_at, file_key,
       digest, outline, findings, tenant.locale
from template
join template_revision as earlier using (tenant_id, template_id)
join tenant using (tenant_id)
where template_id = :template_id and earlier.revision = :revision;

-- name: list_template_names()
-- For the suggestion in an error.
select name from template order by name limit 1000;

-- name: get_locale()$
select locale from tenant;

-- name: lock_template(name)$
select template_id from template where name = :name for update;

-- name: put_template(template_id, name, customer_type, user_id, now, only_new)^
-- A new template, or the next revision of the one that has the name; the row lock keeps two uploads apart.
-- No row when the name is taken and only a new one was wanted.
insert into template (tenant_id, template_id, name, customer_type, owner_id, revision, updated_at)
values (current_tenant(), :template_id, :name, :customer_type, :user_id, 1, :now)
on conflict (tenant_id, name) do update
    set revision = template.revision + 1, customer_type = excluded.customer_type, updated_at = excluded.updated_at
    where not :only_new
returning template_id, revision;

-- name: add_revision(template_id, revision, file_key, digest, size_bytes, outline, findings, now, user_id)!
insert into template_revision
    (tenant_id, template_id, revision, file_key, digest, size_bytes, outline, findings, created_at, created_by)
values
    (current_tenant(), :template_id, :revision, :file_key, :digest, :size_bytes, :outline, :findings, :now, :user_id);

-- name: delete_template(template_id)!
-- With its revisions. The files stay in storage until they are swept.
delete from template where template_id = :template_id;

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

-- name: get_usage()^
select coalesce(stored_bytes, 0) as stored_bytes, coalesce(templates, 0) as templates, quota_bytes, quota_templates
from tenant
left join tenant_usage using (tenant_id);

-- name: delete_expired_contents(before)$
with expired as (delete from content where expires_at < :before returning 1)
select count(*) from expired;

-- name: count_expired_contents(before)$
select count(*) from content where expires_at < :before;

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

-- name: is_tenant_known()$
select exists (select from tenant);
