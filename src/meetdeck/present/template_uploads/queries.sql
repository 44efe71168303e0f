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
