-- name: list_existing(ids)
-- Which of some ids exist, of any kind that a request can name; of whom and what can be closed for booking, the name.
select 'employee' as kind, employee_id as id, case when not active or schedule.can_be_booked is false then name end as closed
from employee
left join employee_schedule as schedule using (tenant_id, employee_id)
where employee_id = any (:ids::uuid[])
union all select 'room', room_id, case when not available then name end from room where room_id = any (:ids::uuid[])
union all select 'topic', topic_id, null from meeting_topic where topic_id = any (:ids::uuid[])
union all select 'customer type', customer_type_id, null from customer_type where customer_type_id = any (:ids::uuid[])
union all select 'competence group', competence_group_id, null from competence_group where competence_group_id = any (:ids::uuid[])
union all select 'service group', service_group_id, null from service_group where service_group_id = any (:ids::uuid[])
union all select 'portal', portal_id, null from portal where portal_id = any (:ids::uuid[])
union all select 'meeting', meeting_id, null from meeting where meeting_id = any (:ids::uuid[]) and cancelled_at is null
union all select 'time slot', time_slot_id, null from time_slot where time_slot_id = any (:ids::uuid[]);

-- name: hold_offers(topic_id, customer_type_id)!
-- Keeps them from being deleted until the transaction ends. No foreign key does: meetings that are over outlive them.
select id from (select topic_id as id from meeting_topic where topic_id = :topic_id for key share) as topic
union all
select id from (
    select customer_type_id as id from customer_type where customer_type_id = :customer_type_id for key share
) as customer_type;
