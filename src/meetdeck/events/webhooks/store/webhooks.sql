-- name: list_webhooks(webhook_id)
-- All by their age, or one; the newest public key of each.
select {columns as members},
    (
        select public_key from webhook_secret as secret
        where secret.webhook_id = webhook.webhook_id and expires_at is null
    ) as public_key
from webhook
where :webhook_id::uuid is null or webhook_id = :webhook_id
order by created_at, webhook_id;

-- name: lock_webhook(webhook_id)!
select from webhook where webhook_id = :webhook_id for no key update;

-- name: identify_webhook(webhook_id)$
-- Called without a tenant.
select identify_webhook(:webhook_id);

-- name: count_webhooks()$
select count(*) from webhook;

-- name: add_webhook(webhook_id, url, types, description, active, signature, now, begins_after)!
insert into webhook (
    tenant_id, webhook_id, url, types, description, active, signature, created_at, begins_after
)
values (
    current_tenant(), :webhook_id, :url, :types, :description, :active, :signature, :now, :begins_after
);

-- name: update_webhook(webhook_id, url, types, description, active)!
-- With another address, or active again, it is not failing any more.
update webhook
set url = :url, types = :types, description = :description, active = :active,
    failing_since = case when url = :url and (active or not :active) then failing_since end,
    is_failing_told = is_failing_told and url = :url and (active or not :active)
where webhook_id = :webhook_id;

-- name: delete_webhook(webhook_id)!
delete from webhook where webhook_id = :webhook_id;

-- name: replace_secret(webhook_id, secret_id, secret_encrypted, public_key, now, old_until)!
-- The current secret is good until then, and any before it ends at once.
with ended as (
    delete from webhook_secret where webhook_id = :webhook_id and expires_at is not null
),
old as (
    update webhook_secret set expires_at = :old_until where webhook_id = :webhook_id and expires_at is null
)
insert into webhook_secret (tenant_id, webhook_id, secret_id, secret_encrypted, public_key, created_at)
values (current_tenant(), :webhook_id, :secret_id, :secret_encrypted, :public_key, :now);

-- name: mark_failing(webhook_id, at, long_ago)$
-- True when the webhook fails for long now, and this was not told before.
update webhook
set failing_since = coalesce(failing_since, :at), is_failing_told = coalesce(failing_since <= :long_ago, false)
where webhook_id = :webhook_id
    and (failing_since is null or (not is_failing_told and failing_since <= :long_ago))
returning is_failing_told;

-- name: deactivate(webhook_id, at)$
-- True when it was active.
update webhook
set active = false, failing_since = coalesce(failing_since, :at), is_failing_told = true
where webhook_id = :webhook_id and active
returning true;
