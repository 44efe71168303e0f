-- name: add_entries(entries, changed_at, user_id, user_name, client, operator, command, request_id)!
-- A client is recorded by its name at the built-in issuer, else by its id.
insert into audit_entry (
    tenant_id, changed_at, action, kind, resource_id, resource_name, user_id, user_name, operator, command,
    request_id, changes
)
select
    current_tenant(), :changed_at, action, kind, resource_id, resource_name, :user_id,
    coalesce(:user_name, (select name from oauth_client where client_id = :client::text), :client::text),
    :operator, :command, :request_id, changes
from jsonb_to_recordset(:entries) as given (
    action text, kind text, resource_id text, resource_name text, changes jsonb
);
