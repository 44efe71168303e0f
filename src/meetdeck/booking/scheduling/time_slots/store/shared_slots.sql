-- name: find_terms(topic_id)$
-- The seats of a topic; null without it.
select seats from meeting_topic where topic_id = :topic_id;

-- name: find_terms_of(shared_slot_id)^
-- The purpose of a shared slot, and the seats that its topic has now, one if it is gone.
select topic_id, meeting_type, coalesce(seats, 1) as seats
from shared_slot
left join meeting_topic using (tenant_id, topic_id)
where shared_slot_id = :shared_slot_id;

-- name: list_meeting_types(topic_id)$
select meeting_types from meeting_topic where topic_id = :topic_id;

-- name: list_begun(employee_ids, topic_id, meeting_type, starts_at, ends_at, seats, now)
-- The advisors among some whose time is shared and has a seat left, also in its room, the fullest first.
select employee_id
from shared_slot
left join room using (tenant_id, room_id)
cross join lateral (
    select
        count(distinct seat) as taken,
        count(distinct resource_key) filter (
            where resource_key is distinct from (
                select resource.resource_key from resource where resource_id = shared_slot.room_id
            )
        ) as employees
    from occupancy
    where occupancy.shared_slot_id = shared_slot.shared_slot_id and (expires_at is null or expires_at > :now)
) as counted
where employee_id = any (:employee_ids::uuid[]) and topic_id = :topic_id and meeting_type = :meeting_type
    and starts_at = :starts_at and ends_at = :ends_at and taken > 0
    and taken < least(:seats::bigint, case when meeting_type = 'Physical' then capacity - employees end)
order by taken desc, employee_id;

-- name: find_shared_slot(employee_id, topic_id, meeting_type, starts_at, ends_at, now, own_slot_ids)^
-- A shared slot, the capacity of its room if they meet there, and what others than some of its time slots have: seats,
-- and the employees who take part.
select
    shared_slot_id, room_id, is_placed,
    (select capacity from room where room.room_id = shared_slot.room_id and meeting_type = 'Physical') as capacity,
    array(
        select distinct resource_id from occupancy
        join resource using (tenant_id, resource_key)
        where occupancy.shared_slot_id = shared_slot.shared_slot_id
            and resource_id is distinct from shared_slot.room_id
            and (expires_at is null or expires_at > :now)
            and time_slot_id <> all (:own_slot_ids::uuid[])
    ) as employee_ids,
    array(
        select distinct seat from occupancy
        where occupancy.shared_slot_id = shared_slot.shared_slot_id
            and (expires_at is null or expires_at > :now)
            and time_slot_id <> all (:own_slot_ids::uuid[])
    ) as taken
from shared_slot
where employee_id = :employee_id and starts_at = :starts_at and ends_at = :ends_at
    and topic_id = :topic_id and meeting_type = :meeting_type;

-- name: list_holds(shared_slot_id, now)
select time_slot_id from time_slot
where shared_slot_id = :shared_slot_id and status = 'Reserved' and expires_at > :now
order by time_slot_id;

-- name: begin_shared_slot(shared_slot_id, employee_id, topic_id, meeting_type, starts_at, ends_at, room_id, is_placed, now)$
-- Inserts a shared slot, or begins one again that everybody has left; returns its id. Its customers are counted anew.
insert into shared_slot (
    tenant_id, shared_slot_id, employee_id, topic_id, meeting_type, starts_at, ends_at, room_id, is_placed, created_at
)
values (
    current_tenant(), :shared_slot_id, :employee_id, :topic_id, :meeting_type, :starts_at, :ends_at, :room_id, :is_placed,
    :now
)
on conflict (tenant_id, employee_id, starts_at, ends_at, topic_id, meeting_type)
do update set
    room_id = excluded.room_id, is_placed = excluded.is_placed, created_at = excluded.created_at, decided_at = null
returning shared_slot_id;

-- name: place_shared_slot(shared_slot_id, room_id)!
update shared_slot set room_id = :room_id, is_placed = true where shared_slot_id = :shared_slot_id;
