-- name: lock_meetings_of_customer(customer_id)
-- All, cancelled ones too, locked: who changes one at the same moment is before or after.
select meeting_id from meeting where customer_id = :customer_id order by meeting_id for update;

-- name: list_former_meetings(customer_id)
-- Meetings that were the customer's once, and are another's now.
select distinct meeting_id
from meeting_history
where changes @> '[{"member": "customerId"}]'
    and (
        changes @> jsonb_build_array(jsonb_build_object('member', 'customerId', 'before', :customer_id::text))
        or changes @> jsonb_build_array(jsonb_build_object('member', 'customerId', 'after', :customer_id::text))
    )
    and meeting_id not in (select meeting_id from meeting where customer_id = :customer_id);

-- name: lock_meetings_over(ended_before, most)
-- Some of the meetings that took place and have personal data still, the oldest first; others' are left to them.
select meeting_id from meeting
where erased_at is null and cancelled_at is null and ends_at < :ended_before
order by ends_at
limit :most
for update skip locked;

-- name: erase_meetings(meeting_ids, customer_id, now)!
-- Readers of changes see it. Without a `customer_id`, each meeting gets one of its own: nothing shows that two were
-- the same customer's.
update meeting
set blank_columns,
    customer_id = coalesce(:customer_id::text, 'erased-' || gen_random_uuid()),
    cpr_encrypted = null,
    date_modified = :now,
    erased_at = :now,
    revision = revision + 1
where meeting_id = any (:meeting_ids::uuid[]);

-- name: add_events(meeting_ids, now)!
-- Adds the events of their erasure.
insert into event (tenant_id, type, happened_at, subject, sequence, data)
select tenant_id, 'meeting.erased', :now, 'meetings/' || meeting_id, revision, meeting_as_json::json
from meeting
where meeting_id = any (:meeting_ids::uuid[]);

-- name: erase_events(meeting_ids)!
-- Replaces the data of earlier events of meetings by their current state.
update event set data = shown
from (
    select tenant_id, 'meetings/' || meeting_id as subject, meeting_as_json::json as shown
    from meeting
    where meeting_id = any (:meeting_ids::uuid[])
) as erased
where event.tenant_id = erased.tenant_id and event.subject = erased.subject;

-- name: erase_history(meeting_ids, members, now, command)$
select erase_history(:meeting_ids::uuid[], :members::text[], :now, :command);

-- name: list_customers()
select distinct customer_id from meeting;
