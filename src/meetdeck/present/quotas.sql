-- name: get_usage()^
select coalesce(stored_bytes, 0) as stored_bytes, coalesce(templates, 0) as templates, quota_bytes, quota_templates
from tenant
left join tenant_usage using (tenant_id);
