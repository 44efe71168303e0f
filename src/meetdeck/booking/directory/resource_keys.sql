-- name: claim(ids)
-- Inserts keys for employees or rooms, and locks existing ones, so that an id becomes an employee or a room only once.
insert into resource (tenant_id, resource_id)
select current_tenant(), id from unnest(:ids::uuid[]) as given (id) order by id
on conflict (tenant_id, resource_id) do update set resource_id = excluded.resource_id
returning resource_id;

-- name: list_taken(ids)
-- Those of some ids that are an employee or a room already.
select employee_id as id from employee where employee_id = any (:ids::uuid[])
union all
select room_id from room where room_id = any (:ids::uuid[]);

-- name: lock_for_deletion(id)!
-- Waits for running bookings; later ones wait, and then find it deleted.
select from resource where resource_id = :id for update;

-- name: list_bookings(id, now, most)
-- Its future meetings and live reservations.
select
    case when meeting.meeting_id is null then 'reservation' else 'meeting' end as kind,
    coalesce(meeting.title, '') as name,
    meeting.meeting_id as id,
    occupancy.starts_at,
    count(*) over () as total
from occupancy
join resource using (tenant_id, resource_key)
left join meeting using (tenant_id, time_slot_id)
where resource.resource_id = :id
    and occupancy.ends_at > :now
    and (occupancy.expires_at is null or occupancy.expires_at > :now)
order by occupancy.starts_at
limit :most;

-- name: delete_key(id, now)!
-- Deletes the key and its past occupancy. The foreign key of any other occupancy refuses it.
with past as (
    delete from occupancy using resource
    where occupancy.tenant_id = resource.tenant_id and occupancy.resource_key = resource.resource_key
        and resource.resource_id = :id
        and (occupancy.ends_at <= :now or occupancy.expires_at <= :now)
)
delete from resource where resource_id = :id;
