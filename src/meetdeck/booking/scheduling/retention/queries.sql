-- name: list_tenants()
-- Called without a tenant.
select tenant_id from list_tenants() as known (tenant_id) order by tenant_id;

-- name: find_periods(days, cpr_days)^
select coalesce(retention_days, :days), coalesce(cpr_retention_days, :cpr_days), erases_meetings from tenant;

-- name: erase_numbers(ended_before, most)!
-- Rows locked by others wait for the next run; so in all of these statements.
update meeting set cpr_encrypted = null
where meeting_id in (
    select meeting_id from meeting
    where cpr_encrypted is not null and ends_at < :ended_before
    limit :most
    for update skip locked
);

-- name: delete_cancelled(ended_before, most)!
-- Their history and additional employees go along; their slots are deleted here.
with gone as (
    delete from meeting
    where meeting_id in (
        select meeting_id from meeting
        where cancelled_at is not null and ends_at < :ended_before
        limit :most
        for update skip locked
    )
    returning tenant_id, meeting_id, time_slot_id
),
untold as (
    update event set data = null
    from gone
    where event.tenant_id = gone.tenant_id and subject = 'meetings/' || meeting_id
)
delete from time_slot using gone where time_slot.time_slot_id = gone.time_slot_id;

-- name: delete_reservations(expired_before, most)!
-- Expired reservations.
delete from time_slot
where time_slot_id in (
    select time_slot_id from time_slot
    where status = 'Reserved' and expires_at < :expired_before
    limit :most
    for update skip locked
);

-- name: delete_shared_slots(ended_before, most)!
-- Times that nobody shares any more.
delete from shared_slot
where (tenant_id, shared_slot_id) in (
    select tenant_id, shared_slot_id from shared_slot
    where ends_at < :ended_before
        and not exists (
            select from time_slot
            where time_slot.tenant_id = shared_slot.tenant_id and time_slot.shared_slot_id = shared_slot.shared_slot_id
        )
    limit :most
    for update skip locked
);

-- name: delete_entries(ended_before, most)!
-- Calendar entries; by their start, which an index has.
delete from calendar_entry
where time_slot_id in (
    select time_slot_id from calendar_entry
    where is_long in (false, true) and starts_at < :ended_before and ends_at < :ended_before
    limit :most
    for update skip locked
);

-- name: forget_search_changes()!
-- Those that no search needs any more.
select forget_search_changes();

-- name: delete_unused_names()!
-- Names kept of deleted resources, when no meeting refers to them any more.
delete from deletion
where (kind = 'employee'
    and not exists (select from meeting where employee_id = deleted_id)
    and not exists (select from meeting_additional_employee as additional where additional.employee_id = deleted_id))
    or (kind = 'room' and not exists (select from meeting where room_id = deleted_id))
    or (kind = 'topic' and not exists (select from meeting where topic_id = deleted_id))
    or (kind = 'customer type' and not exists (select from meeting where customer_type_id = deleted_id));
