-- name: list_templates(template_ids, tag)
-- Every template of the tenant by name, or those of some ids, or with a part of a tag's name.
select template_id, tenant_id, name, customer_type, owner_id, revision, updated_at
from template
where (:template_ids::uuid[] is null or template_id = any (:template_ids::uuid[]))
    and (
        :tag::text is null
        or exists (
            select
            from template_revision as current, jsonb_array_elements(current.outline -> 'tags') as tag
            where current.template_id = template.template_id
                and current.revision = template.revision
                and position(lower(:tag) in lower(tag ->> 'name')) > 0
        )
    )
order by lower(name), name;

-- name: find_template_name(template_id)$
select name from template where template_id = :template_id;

-- name: find_template(name)^
-- A template at its current revision.
select template_id, template.tenant_id, template.name, customer_type, owner_id, revision, updated_at, file_key,
       digest, outline, findings, tenant.locale
from template
join template_revision using (tenant_id, template_id, revision)
join tenant using (tenant_id)
where template.name = :name;

-- name: find_template_revision(template_id, revision)^
-- A template at a revision that it has or had.
select template_id, template.tenant_id, template.name, customer_type, owner_id, earlier.revision, updated_at, file_key,
       digest, outline, findings, tenant.locale
from template
join template_revision as earlier using (tenant_id, template_id)
join tenant using (tenant_id)
where template_id = :template_id and earlier.revision = :revision;

-- name: list_template_revisions(template_id)
-- The files that a template has and had, the newest first.
select revision, size_bytes as size, created_at, created_by, jsonb_array_length(findings) as findings
from template_revision
where template_id = :template_id
order by revision desc;

-- name: list_template_names()
-- For the suggestion in an error.
select name from template order by name limit 1000;

-- name: get_locale()$
select locale from tenant;

-- name: lock_template(name)$
select template_id from template where name = :name for update;

-- name: delete_template(template_id)!
-- With its revisions. The files stay in storage until they are swept.
delete from template where template_id = :template_id;
