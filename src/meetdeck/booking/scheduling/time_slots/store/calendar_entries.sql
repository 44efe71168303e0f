-- name: add_entries(series_id, recurrence, ids, employee_ids, room_ids, statuses, starts_at, ends_at, now, calendar_id)!
-- Of resources that are locked; one, a series, or those of a calendar.
insert into calendar_entry (
    tenant_id, time_slot_id, resource_key, employee_id, room_id, status, starts_at, ends_at, created_at, series_id,
    recurrence, calendar_id
)
select
    tenant_id, id, resource_key, employee_id, room_id, status, begin_at, end_at, :now, :series_id::uuid,
    :recurrence::text, :calendar_id::uuid
from unnest(
    :ids::uuid[], :employee_ids::uuid[], :room_ids::uuid[], :statuses::text[], :starts_at::timestamptz[], :ends_at::timestamptz[]
) as given (id, employee_id, room_id, status, begin_at, end_at)
join resource on resource_id = coalesce(employee_id, room_id);

-- name: list_met(employee_ids, room_ids, starts_at, ends_at, longest)
-- The first meeting at each of some times of an employee or a room; times without one are left out.
select
    given.begin_at as start_date, given.end_at as end_date, given.employee_id, given.room_id, met.meeting_id
from unnest(
    :employee_ids::uuid[], :room_ids::uuid[], :starts_at::timestamptz[], :ends_at::timestamptz[]
) as given (employee_id, room_id, begin_at, end_at)
join resource on resource_id = coalesce(given.employee_id, given.room_id)
cross join lateral (
    select meeting.meeting_id
    from occupancy
    join meeting using (time_slot_id)
    where occupancy.resource_key = resource.resource_key and occupancy.expires_at is null
        and occupancy.starts_at > given.begin_at - :longest::interval
        and occupancy.starts_at < given.end_at and occupancy.ends_at > given.begin_at
    order by occupancy.starts_at
    limit 1
) as met
order by given.begin_at, given.employee_id;

-- name: list_read_times(calendar_id)
select time_slot_id, status, starts_at, ends_at from calendar_entry where calendar_id = :calendar_id;

-- name: lock_series(series_id)
-- Locks and returns the entries of a series.
select time_slot_id, employee_id, room_id, status, starts_at, ends_at, series_id, recurrence
from calendar_entry where series_id = :series_id order by time_slot_id for update;

-- name: delete_entries(ids)!
delete from calendar_entry where time_slot_id = any (:ids::uuid[]);

-- name: list_employees_at(location)
-- The active employees who usually work at a location.
select employee_id from employee
where active and lower(btrim(location)) = lower(btrim(:location)) order by employee_id;

-- name: list_employees_in(service_group_id)
-- The active employees of a service group: its direct members, and those of its competence groups and the groups below.
select employee_id from employee
where active and employee_id in (
    select member.employee_id from service_group_employee as member where member.service_group_id = :service_group_id
    union all
    select member.employee_id
    from competence_groups_down(
        array(
            select competence_group_id from service_group_competence_group as through
            where through.service_group_id = :service_group_id
        )
    ) as below (competence_group_id)
    join competence_group_employee as member using (competence_group_id)
)
order by employee_id;

-- name: lock_entry(time_slot_id)!
select from calendar_entry where time_slot_id = :time_slot_id for update;

-- name: update_entry(time_slot_id, status, starts_at, ends_at)!
update calendar_entry set status = :status, starts_at = :starts_at, ends_at = :ends_at where time_slot_id = :time_slot_id;

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
