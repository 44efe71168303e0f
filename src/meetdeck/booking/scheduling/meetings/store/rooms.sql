-- name: find_place(organization_zone, starts_at, employee_id)^
-- The location of an employee at a moment: of the workday at that hour, else of another of the day, else the employee's own;
-- with its rules for rooms of physical meetings.
select
    coalesce(location.location, place.location) as location,
    coalesce(location.add_rooms_to_booked_meetings, false) as adds_rooms,
    coalesce(location.require_available_room, false) as requires_room
from (
    select coalesce(nullif(workday.location, ''), employee.location) as location
    from employee
    cross join lateral (
        select :starts_at at time zone coalesce(employee.time_zone, :organization_zone) as starts_at
    ) as wall_clock
    left join employee_schedule as schedule on schedule.employee_id = employee.employee_id
    left join employee_workday as workday
        on workday.employee_schedule_id = schedule.employee_schedule_id
        and workday.is_available
        and workday.day_of_week = extract(isodow from wall_clock.starts_at) - 1
    where employee.employee_id = :employee_id
    order by
        workday.from_time <= wall_clock.starts_at::time
            and (wall_clock.starts_at::time < workday.to_time or workday.to_time = '00:00') desc nulls last,
        workday.position
    limit 1
) as place
left join location on lower(location.location) = lower(place.location);

-- name: find_room(room_id)^
select name, capacity from room where room_id = :room_id;

-- name: list_free_rooms(location, seats, starts_at, ends_at, now, among, most, own_slot_id, longest)
-- Rooms of a location that are large enough, free and not busy, the smallest first; only those of `among`, unless it is null. The
-- meeting's own slot counts as free.
select room.room_id
from room
join resource on resource.resource_id = room.room_id
where room.available and room.can_be_booked
    and lower(room.location) = lower(:location)
    and room.capacity >= :seats
    and (:among::uuid[] is null or room.room_id = any (:among::uuid[]))
    and not exists (
        select from occupancy as taken
        where taken.resource_key = resource.resource_key
            and taken.starts_at < :ends_at and taken.ends_at > :starts_at
            and taken.starts_at > :starts_at::timestamptz - :longest::interval
            and (taken.expires_at is null or taken.expires_at > :now)
            and taken.time_slot_id is distinct from :own_slot_id
    )
    and not is_busy(resource.resource_key, :starts_at, :ends_at)
order by room.capacity, room.name, room.room_id
limit :most;
