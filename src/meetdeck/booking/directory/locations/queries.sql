-- name: list_locations(location, search)
-- All, or the one of a name, or those with a part of a name; in any case.
select {columns as members}, {elsewhere}
from location
where (:location::text is null or lower(location) = lower(:location))
    and (
        :search::text is null
        or strpos(lower(location), lower(:search)) > 0
        or strpos(lower(display_name), lower(:search)) > 0
    )
order by location;

-- name: rename_everywhere(renamed, earlier)!
-- Renames the location wherever it is named.
with
rooms as (update room set location = :renamed where lower(location) = lower(:earlier)),
employees as (update employee set location = :renamed where lower(location) = lower(:earlier)),
workdays as (update employee_workday set location = :renamed where lower(location) = lower(:earlier)),
portals as (update portal set location = :renamed where lower(location) = lower(:earlier))
update service_group
set trigger_locations = array(
    select case when lower(place) = lower(:earlier) then :renamed else place end
    from unnest(trigger_locations) with ordinality as listed (place, position) order by position
)
where exists (select from unnest(trigger_locations) as place where lower(place) = lower(:earlier));

-- name: list_uses(location, most)
-- All that names a location. Lists are hashed: `is true` keeps them from becoming joins
-- (docs/decisions/0036).
with used as (
    select 'room' as kind, name from room where lower(location) = lower(:location)
    union all
    select 'employee', name from employee where lower(location) = lower(:location)
    union all
    select 'schedule of', name from employee
    where (
        employee_id in (
            select employee_id from employee_schedule
            where (
                employee_schedule_id in (
                    select employee_schedule_id from employee_workday where lower(location) = lower(:location)
                )
            ) is true
        )
    ) is true
    union all
    select 'portal', name from portal where lower(location) = lower(:location)
    union all
    select 'service group', name from service_group
    where exists (select from unnest(trigger_locations) as place where lower(place) = lower(:location))
)
select kind, name, null::timestamptz as starts_at, count(*) over () as total
from used order by kind, name limit :most;
