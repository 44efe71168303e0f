-- name: list_undecided(shared_slot_ids, now)
-- Those of some shared slots, or of all when null, that need several customers and are still to be decided.
select shared_slot_id, starts_at
from shared_slot
join meeting_topic using (tenant_id, topic_id)
where minimum_seats > 1 and decided_at is null and starts_at > :now
    and (:shared_slot_ids::uuid[] is null or shared_slot_id = any (:shared_slot_ids));

-- name: find_undecided(shared_slot_id, now)^
-- A shared slot that is still to be decided; `held_until`: when the first of the seats on hold is free again.
select starts_at, created_at as begun_at, minimum_seats as minimum, booked, held, held_until
from shared_slot
join meeting_topic using (tenant_id, topic_id)
cross join lateral (
    select count(*) as booked from meeting
    where meeting.shared_slot_id = shared_slot.shared_slot_id and cancelled_at is null
) as customers
cross join lateral (
    select count(*) as held, min(expires_at) as held_until from time_slot
    where time_slot.shared_slot_id = shared_slot.shared_slot_id and status = 'Reserved' and expires_at > :now
) as holds
where shared_slot_id = :shared_slot_id and decided_at is null and starts_at > :now;

-- name: record_decision(shared_slot_id, now)!
update shared_slot set decided_at = :now where shared_slot_id = :shared_slot_id;
