-- name: identify_token(token_id)$
-- Called without a tenant.
select identify_scim_token_id(:token_id);

-- name: list_tokens()
select
    scim_token_id as token_id, tenant_id, tenant.name as tenant, token.name, ending,
    case when revoked_at is null then 'live' else 'revoked' end as status, token.created_at, last_used_at, revoked_at
from scim_token as token
join tenant using (tenant_id)
order by revoked_at is not null, token.name, token.created_at, scim_token_id;

-- name: add_token(token_id, digest, name, ending, now)!
insert into scim_token (tenant_id, scim_token_id, digest, name, ending, created_at)
values (current_tenant(), :token_id, :digest, :name, :ending, :now);

-- name: revoke_token(token_id, now)!
update scim_token set revoked_at = :now where scim_token_id = :token_id and revoked_at is null;

-- name: release_people()!
-- Resources of the directory become the firm's own: without a token, the directory cannot change them.
update employee set provisioned = false where provisioned;

-- name: release_competence_groups()!
update competence_group set provisioned = false where provisioned;

-- name: release_service_groups()!
update service_group set provisioned = false where provisioned;
