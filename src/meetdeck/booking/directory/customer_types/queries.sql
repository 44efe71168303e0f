-- name: list_uses(customer_type_id, now, most)
-- The uses of a customer type: all that names it, and the meetings with such a customer that are not over. Lists
-- are hashed: `is true` keeps them from becoming joins (docs/decisions/0036).
with used as (
    select 'topic' as kind, name, meeting_topic.topic_id as id, null::timestamptz as starts_at from meeting_topic
    where (
        topic_id in (select topic_id from meeting_topic_customer_type where customer_type_id = :customer_type_id)
    ) is true
    union all
    select 'employee', name, employee_id, null from employee
    where (
        employee_id in (select employee_id from employee_customer_type where customer_type_id = :customer_type_id)
    ) is true
    union all
    select 'competence group', name, competence_group_id, null from competence_group
    where (
        competence_group_id in (select competence_group_id from competence_group_customer_type where customer_type_id = :customer_type_id)
    ) is true
    union all
    select 'service group', name, service_group_id, null from service_group
    where (
        service_group_id in (select service_group_id from service_group_customer_type where customer_type_id = :customer_type_id)
    ) is true
    union all
    select 'portal', name, portal_id, null from portal where portal.customer_type_id = :customer_type_id
    union all
    select 'meeting', title, meeting_id, starts_at from meeting
    where meeting.customer_type_id = :customer_type_id and cancelled_at is null and ends_at > :now
)
select kind, name, id, starts_at, count(*) over () as total from used
order by starts_at nulls first, kind, name
limit :most;
