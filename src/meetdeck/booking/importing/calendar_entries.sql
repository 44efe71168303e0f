-- name: list_equal(resource_ids, statuses, starts_at, ends_at)
-- The existing entries that are equal to those wanted, with the places of these.
select wanted.place, time_slot_id, employee_id, room_id, entry.status, starts_at, ends_at
from unnest(:resource_ids::uuid[], :statuses::text[], :starts_at::timestamptz[], :ends_at::timestamptz[])
    with ordinality as wanted (resource_id, status, begin_at, end_at, place)
join resource using (resource_id)
join calendar_entry as entry
    on entry.resource_key = resource.resource_key and is_long = (end_at - begin_at > interval '1 day')
    and starts_at = begin_at and ends_at = end_at and entry.status = wanted.status;

-- name: lock_entries(ids)
select time_slot_id, employee_id, room_id, status, starts_at, ends_at
from calendar_entry where time_slot_id = any (:ids::uuid[]) order by time_slot_id for update;

-- name: list_taken(ids)
-- Those of some ids that are reservations' or meetings' time slots.
select time_slot_id from time_slot where time_slot_id = any (:ids::uuid[]);

-- name: add_entries(ids, employee_ids, room_ids, statuses, starts_at, ends_at, now)
-- Returns the ids of those whose employee or room is there.
insert into calendar_entry (
    tenant_id, time_slot_id, resource_key, employee_id, room_id, status, starts_at, ends_at, created_at
)
select current_tenant(), id, resource_key, employee_id, room_id, status, begin_at, end_at, :now
from unnest(
    :ids::uuid[], :employee_ids::uuid[], :room_ids::uuid[], :statuses::text[], :starts_at::timestamptz[], :ends_at::timestamptz[]
) as given (id, employee_id, room_id, status, begin_at, end_at)
join resource on resource_id = coalesce(employee_id, room_id)
returning time_slot_id;

-- name: update_entries(ids, employee_ids, room_ids, statuses, starts_at, ends_at)!
-- Of entries that are locked; whose they are stays.
update calendar_entry set status = given.status, starts_at = begin_at, ends_at = end_at
from unnest(
    :ids::uuid[], :employee_ids::uuid[], :room_ids::uuid[], :statuses::text[], :starts_at::timestamptz[], :ends_at::timestamptz[]
) as given (id, employee_id, room_id, status, begin_at, end_at)
where time_slot_id = id;

-- name: analyze_entries()!
select analyze_calendar_entries();
