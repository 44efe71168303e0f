-- name: add_entry(time_slot_id, employee_id, room_id, status, starts_at, ends_at, now)!
-- Of a resource that is locked.
insert into calendar_entry (
    tenant_id, time_slot_id, resource_key, employee_id, room_id, status, starts_at, ends_at, created_at
)
select
    tenant_id, :time_slot_id, resource_key, :employee_id::uuid, :room_id::uuid, :status, :starts_at, :ends_at, :now
from resource
where resource_id = coalesce(:employee_id::uuid, :room_id::uuid);

-- name: lock_entry(time_slot_id)!
select from calendar_entry where time_slot_id = :time_slot_id for update;

-- name: update_entry(time_slot_id, status, starts_at, ends_at)!
update calendar_entry set status = :status, starts_at = :starts_at, ends_at = :ends_at where time_slot_id = :time_slot_id;

-- name: delete_entry(time_slot_id)!
delete from calendar_entry where time_slot_id = :time_slot_id;

-- name: list_busy(resource_ids, starts_at, ends_at, longest_entry, short_entry, most)
-- The Busy time of some resources at a time of each, with their names: for saying what is in the way.
select coalesce(employee.name, room.name) as name, found.starts_at, found.ends_at
from unnest(:resource_ids::uuid[], :starts_at::timestamptz[], :ends_at::timestamptz[]) as wanted (id, begin_at, end_at)
join resource on resource.resource_id = wanted.id
cross join lateral (
    select starts_at, ends_at from calendar_entry
    where resource_key = resource.resource_key and not is_long and (status = 'Busy') is true
        and starts_at > begin_at - :short_entry::interval and starts_at < end_at and ends_at > begin_at
    union all
    select starts_at, ends_at from calendar_entry
    where resource_key = resource.resource_key and is_long and (status = 'Busy') is true
        and starts_at > begin_at - :longest_entry::interval and starts_at < end_at and ends_at > begin_at
) as found
left join employee on employee.employee_id = wanted.id
left join room on room.room_id = wanted.id
order by found.starts_at, name
limit :most;
