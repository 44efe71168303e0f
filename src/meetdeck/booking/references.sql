-- name: list_existing(ids)
-- Which of some ids exist, of any kind that a request can name.
select 'employee' as kind, employee_id as id from employee where employee_id = any (:ids::uuid[])
union all select 'room', room_id from room where room_id = any (:ids::uuid[])
union all select 'topic', topic_id from meeting_topic where topic_id = any (:ids::uuid[])
union all select 'customer type', customer_type_id from customer_type where customer_type_id = any (:ids::uuid[])
union all select 'competence group', competence_group_id from competence_group where competence_group_id = any (:ids::uuid[])
union all select 'service group', service_group_id from service_group where service_group_id = any (:ids::uuid[])
union all select 'portal', portal_id from portal where portal_id = any (:ids::uuid[])
union all select 'meeting', meeting_id from meeting where meeting_id = any (:ids::uuid[]) and cancelled_at is null
union all select 'time slot', time_slot_id from time_slot where time_slot_id = any (:ids::uuid[]);

-- name: hold_offers(topic_id, customer_type_id)!
-- Keeps them from being deleted until the transaction ends. No foreign key does: meetings that are over outlive them.
select id from (select topic_id as id from meeting_topic where topic_id = :topic_id for key share) as topic
union all
select id from (
    select customer_type_id as id from customer_type where customer_type_id = :customer_type_id for key share
) as customer_type;
