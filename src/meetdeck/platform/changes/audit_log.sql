-- name: add_entries(entries, changed_at, user_id, user_name, operator, command, request_id)!
insert into audit_entry (
    tenant_id, changed_at, action, kind, resource_id, resource_name, user_id, user_name, operator, command,
    request_id, changes
)
select
    current_tenant(), :changed_at, action, kind, resource_id, resource_name, :user_id, :user_name,
    :operator, :command, :request_id, changes
from jsonb_to_recordset(:entries) as given (
    action text, kind text, resource_id text, resource_name text, changes jsonb
);
