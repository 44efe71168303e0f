-- name: list_rooms(patterns, location, ids, most, skipped)
-- All, narrowed by what is not null. The first row is there also when no room is: it has the total.
with wanted as materialized (
    select *
    from room
    where
        (:patterns::text[] is null or lower(concat_ws(' ', name, email, location)) like all (:patterns))
        and (:location::text is null or lower(location) = lower(:location))
        and (:ids::uuid[] is null or room_id = any (:ids))
),

shown as (select * from wanted order by location, name, room_id limit :most offset :skipped)

select (select count(*) from wanted) as total, {columns as members}
from (values (0)) as always
left join shown on true
order by location, name, room_id;

-- name: find_seating(time_slot_id)^
-- The time of a slot, and of its meeting, or the one that it moves: the own slot, who takes part, and how. Nobody from outside
-- but the customer where there is no meeting.
select
    slot.starts_at, slot.ends_at, meeting.time_slot_id as moved_slot_id,
    array_remove(coalesce(meeting.additional_employees, '{}'), coalesce(slot.employee_id, meeting.employee_id))
        as additional_employees,
    coalesce(jsonb_array_length(meeting.external_attendees), 0) as external_attendees,
    meeting.portal_id is not null or coalesce(meeting.external_attendees @> '[{"isCustomer": true}]', false)
        as is_customer_among,
    coalesce(meeting.type = 'Physical', true) as is_physical
from time_slot as slot
left join lateral (
    select time_slot_id, employee_id, additional_employees, external_attendees, portal_id, type
    from meeting
    where meeting_id = coalesce(
        slot.existing_meeting_id, (select own.meeting_id from meeting as own where own.time_slot_id = slot.time_slot_id)
    )
    limit 1 -- looked up, never joined
) as meeting on true
where slot.time_slot_id = :time_slot_id;

-- name: list_vacant_rooms(location, seats, starts_at, ends_at, now, own_slot_ids, longest)
-- The time of the slot itself, or of the meeting that it moves, counts as free. Occupancy is looked up for each room, and
-- not joined (docs/decisions/0036).
select {columns as members}
from room
cross join lateral (select resource_key from resource where resource.resource_id = room.room_id limit 1) as own
where room.available and room.can_be_booked
    and lower(room.location) = lower(:location)
    and room.capacity >= :seats
    and not coalesce(
        (
            select true from occupancy as taken
            where taken.resource_key = own.resource_key
                and taken.starts_at < :ends_at and taken.ends_at > :starts_at
                and taken.starts_at > :starts_at::timestamptz - :longest::interval
                and (taken.expires_at is null or taken.expires_at > :now)
                and not taken.time_slot_id = any (:own_slot_ids::uuid[])
            limit 1
        ),
        false
    )
    and not is_busy(own.resource_key, :starts_at, :ends_at)
order by name, room_id;
