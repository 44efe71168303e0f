-- name: write_deliveries(webhook_id, statuses, after_start, after_id, most)
-- The tries of a webhook as JSON, the newest first: all, or `most` of those after a position in the list.
select at as starts_at, delivery_id as id, convert_to(delivery_as_json, 'UTF8') as item
from (
    select * from webhook_delivery
    where webhook_id = :webhook_id
        and (:statuses::text[] is null or status = any (:statuses))
        and (:after_start::timestamptz is null or (at, delivery_id) < (:after_start, :after_id::uuid))
    order by at desc, delivery_id desc
    limit :most
) as delivery;

-- name: is_awaited()$
-- True if there is an active webhook.
select exists (select from webhook where active);

-- name: deliver(events, now)
-- A first try of each event for each webhook that it concerns; none is told of itself.
insert into webhook_delivery (
    tenant_id, delivery_id, webhook_id, event_id, type, attempt, at, status, next_attempt_at
)
select current_tenant(), gen_random_uuid(), webhook_id, event.id, event.type, 1, :now, 'Waiting', :now
from jsonb_to_recordset(:events::jsonb) as event (id uuid, type text, subject text, position bigint)
join webhook on active and event.position > begins_after
    and event.subject not in ('webhooks/' || webhook_id, 'configuration/webhooks/' || webhook_id)
where types = '{}' or exists (
    select from unnest(types) as pattern
    where event.type = pattern or (pattern like '%.*' and starts_with(event.type, rtrim(pattern, '*')))
)
order by event.position
returning delivery_id, webhook_id;

-- name: replay(webhook_id, event_id, since, until, types, now, most)
-- A first try of events that were placed in the feed, the oldest first.
insert into webhook_delivery (
    tenant_id, delivery_id, webhook_id, event_id, type, attempt, at, status, next_attempt_at
)
select current_tenant(), gen_random_uuid(), :webhook_id, event_id, type, 1, :now, 'Waiting', :now
from event
where position is not null
    and (:event_id::uuid is null or event_id = :event_id)
    and (:since::timestamptz is null or happened_at >= :since)
    and (:until::timestamptz is null or happened_at < :until)
    and (cardinality(:types::text[]) = 0 or exists (
        select from unnest(:types) as pattern
        where type = pattern or (pattern like '%.*' and starts_with(type, rtrim(pattern, '*')))
    ))
order by position
limit :most
returning delivery_id, webhook_id;

-- name: add_try(webhook_id, event_id, type, example_of, attempt, at)$
insert into webhook_delivery (
    tenant_id, delivery_id, webhook_id, event_id, type, example_of, attempt, at, status, next_attempt_at
)
values (
    current_tenant(), gen_random_uuid(), :webhook_id, :event_id, :type, :example_of, :attempt, :at, 'Waiting', :at
)
returning delivery_id;

-- name: find_try(delivery_id, now)^
-- A try that waits, with what it takes: its event, and the webhook's secrets that are good, the newest first.
select
    delivery.webhook_id, delivery.event_id, delivery.type, example_of, delivery.attempt, delivery.at, url, active,
    position, event.happened_at, event.subject, event.sequence, event.data::text,
    array(
        select secret_encrypted from webhook_secret as secret
        where secret.webhook_id = delivery.webhook_id and (expires_at is null or expires_at > :now)
        order by created_at desc
    ) as secrets,
    (select outgoing_hosts from tenant)
from webhook_delivery as delivery
join webhook using (tenant_id, webhook_id)
left join event using (tenant_id, event_id)
where delivery_id = :delivery_id and status = 'Waiting';

-- name: settle(delivery_id, at, status, answer_status, answer_body, problem, next_attempt_at)$
-- Null when another has settled it, or it is gone.
update webhook_delivery
set at = :at, status = :status, answer_status = :answer_status, answer_body = :answer_body, problem = :problem,
    next_attempt_at = :next_attempt_at
where delivery_id = :delivery_id and status = 'Waiting'
returning webhook_id;

-- name: settle_delivered(tenant_id, delivery_id, at, answer_status, answer_body)$
-- Called without a tenant.
select settle_delivered(:tenant_id, :delivery_id, :at, :answer_status, :answer_body);

-- name: end_waiting(webhook_id, at, problem)!
update webhook_delivery set status = 'Ended', at = :at, problem = :problem, next_attempt_at = null
where webhook_id = :webhook_id and status = 'Waiting';

-- name: forget_tests(webhook_id, before)!
delete from webhook_delivery where webhook_id = :webhook_id and type = 'webhook.test' and at < :before;
