-- name: list_templates()
-- Every template of the tenant at its current revision, by name.
select template_id, template.tenant_id, template.name, customer_type, owner_id, revision, updated_at, digest, outline,
       tenant.locale
from template
join template_revision using (tenant_id, template_id, revision)
join tenant using (tenant_id)
order by lower(template.name), template.name;

-- name: find_template(name)^
-- One template at its current revision.
select template_id, template.tenant_id, template.name, customer_type, owner_id, revision, updated_at, digest, outline,
       tenant.locale
from template
join template_revision using (tenant_id, template_id, revision)
join tenant using (tenant_id)
where template.name = :name;

-- name: list_template_names()
-- For the suggestion in an error.
select name from template order by name limit 1000;

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

-- name: add_revision(template_id, revision, digest, size_bytes, outline, findings, now, user_id)!
insert into template_revision (tenant_id, template_id, revision, digest, size_bytes, outline, findings, created_at, created_by)
values (current_tenant(), :template_id, :revision, :digest, :size_bytes, :outline, :findings, :now, :user_id);

-- name: delete_template(template_id)!
-- With its revisions. The files stay in storage until they are swept.
delete from template where template_id = :template_id;

-- name: forget_expired_contents(now)!
-- Nobody finds them any more; whoever adds one clears up.
delete from content where expires_at <= :now;

-- name: add_content(content_id, digest, file_name, content_type, size_bytes, now, expires_at, user_id)!
insert into content (tenant_id, content_id, digest, file_name, content_type, size_bytes, created_at, expires_at, created_by)
values (current_tenant(), :content_id, :digest, :file_name, :content_type, :size_bytes, :now, :expires_at, :user_id);

-- name: list_contents(content_ids, now)
-- Those of the contents that are there and have not expired.
select content_id, tenant_id, digest, file_name, content_type, size_bytes, created_at, expires_at
from content
where content_id = any (:content_ids::uuid[]) and expires_at > :now;
