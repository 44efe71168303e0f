-- name: add_requests(requests)!
-- Requests of the tenant's keys; the given key is its digest in hexadecimal.
insert into recent_request (
    tenant_id, answered_at, subscription_key_id, method, path, status, ms, request_id, faults
)
select
    current_tenant(), answered_at, subscription_key_id, method, path, status, ms, request_id, faults
from jsonb_to_recordset(:requests) as given (
    answered_at timestamptz, key text, method text, path text, status smallint, ms real, request_id text, faults text[]
)
join subscription_key on digest = decode(given.key, 'hex');

-- name: list_requests(since, key_id, status, after_time, after_number, most)
-- The newest first, behind a position.
select
    number, answered_at as "at", method, path, status, ms, request_id as "requestId", subscription_key_id as "keyId",
    faults
from recent_request
where answered_at >= :since
    and (:key_id::uuid is null or subscription_key_id = :key_id)
    and (:status::smallint is null or status = :status)
    and (:after_time::timestamptz is null or (answered_at, number) < (:after_time, :after_number::bigint))
order by answered_at desc, number desc
limit :most;

-- name: forget(answered_before, most)$
with forgotten as (
    delete from recent_request
    where (answered_at, number) in (
        select answered_at, number from recent_request where answered_at < :answered_before limit :most
    )
    returning 1
)
select count(*) from forgotten;
