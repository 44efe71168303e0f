-- name: identify_client(client_id)$
-- Called without a tenant.
select tenant_id from identify_oauth_client(:client_id);

-- name: list_clients()
select client_id, tenant_id, tenant.name as tenant, coalesce(client.name, client_id) as name, roles, client.created_at
from oauth_client as client
join tenant using (tenant_id)
order by client.name, client_id;

-- name: add_client(client_id, secret_digest, name, roles, now)!
insert into oauth_client (tenant_id, client_id, secret_digest, name, roles, created_at)
values (current_tenant(), :client_id, :secret_digest, :name, :roles, :now);

-- name: delete_client(client_id)!
delete from oauth_client where client_id = :client_id;
