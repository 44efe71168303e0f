-- name: identify_key(key_id)$
-- Called without a tenant.
select identify_key_id(:key_id);

-- name: list_keys()
select
    subscription_key_id as key_id, tenant_id, tenant.name as tenant, key.name, ending,
    case when revoked_at is null then 'live' else 'revoked' end as status, key.created_at, last_used_at, revoked_at
from subscription_key as key
join tenant using (tenant_id)
order by revoked_at is not null, key.name, key.created_at, subscription_key_id;

-- name: add_key(key_id, digest, name, ending, now)!
insert into subscription_key (tenant_id, subscription_key_id, digest, name, ending, created_at)
values (current_tenant(), :key_id, :digest, :name, :ending, :now);

-- name: revoke_key(key_id, now)!
update subscription_key set revoked_at = :now where subscription_key_id = :key_id and revoked_at is null;

-- name: find_key(digest)$
select subscription_key_id from subscription_key where digest = :digest;
