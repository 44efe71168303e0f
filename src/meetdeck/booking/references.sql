-- The existing ones of some ids, for each kind that a request can refer to; with the name of an employee or a room that is
-- closed for booking.

-- name: list_employees(ids)
select 'employee' as kind, id, case when not is_open then name end as closed
from bookable where kind = 'employee' and id = any (:ids::uuid[]);

-- name: list_rooms(ids)
select 'room' as kind, id, case when not is_open then name end as closed
from bookable where kind = 'room' and id = any (:ids::uuid[]);

-- name: list_topics(ids)
select 'topic' as kind, topic_id as id, null as closed from meeting_topic where topic_id = any (:ids::uuid[]);

-- name: list_customer_types(ids)
select 'customer type' as kind, customer_type_id as id, null as closed
from customer_type where customer_type_id = any (:ids::uuid[]);

-- name: list_competence_groups(ids)
select 'competence group' as kind, competence_group_id as id, null as closed
from competence_group where competence_group_id = any (:ids::uuid[]);

-- name: list_service_groups(ids)
select 'service group' as kind, service_group_id as id, null as closed
from service_group where service_group_id = any (:ids::uuid[]);

-- name: list_portals(ids)
select 'portal' as kind, portal_id as id, null as closed from portal where portal_id = any (:ids::uuid[]);

-- name: list_meetings(ids)
select 'meeting' as kind, meeting_id as id, null as closed
from meeting where meeting_id = any (:ids::uuid[]) and cancelled_at is null;

-- name: list_time_slots(ids)
select 'time slot' as kind, time_slot_id as id, null as closed from time_slot where time_slot_id = any (:ids::uuid[])
union all
select 'time slot', time_slot_id, null from calendar_entry where time_slot_id = any (:ids::uuid[]);

-- name: lock_topic_and_type(topic_id, customer_type_id)!
-- Locks them against deletion. No foreign key does: past meetings outlive them.
select id from (select topic_id as id from meeting_topic where topic_id = :topic_id for key share) as topic
union all
select id from (
    select customer_type_id as id from customer_type where customer_type_id = :customer_type_id for key share
) as customer_type;
