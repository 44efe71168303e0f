-- name: reserve_at_once$
-- Inserts the reservation of a new token, with its occupancy, its event and the answer of its `Idempotency-Key`, as a
-- transaction of its own; returns true, or nothing if it inserted nothing. Taking comes first: it sets the tenant.
with taken as materialized (
    select take_at_once(
        :tenant_id, null, null, :time_slot_id, :starts_at, :ends_at, :employee_id, :room_id, :service_group, :status,
        :token, :expires_at, :resource_ids, :now, :over_busy
    ) as is_taken
)
-- only kept
, kept as (
    insert into idempotent_answer (tenant_id, user_id, key, fingerprint, expires_at, status, location, body)
    select :tenant_id, :kept_user_id, :kept_key, :kept_fingerprint, :kept_until, 201, :kept_location, :kept_body
    from taken
    where is_taken
)
-- end
insert into event (tenant_id, type, happened_at, subject, sequence, data)
select :tenant_id, :event_type, :event_happened_at, :event_subject, :event_sequence, :event_data::text::json
from taken
where is_taken
returning true;
