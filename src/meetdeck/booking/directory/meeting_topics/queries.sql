-- name: list_topics(customers_only, customer_type_id)
-- Filtered to those for customers, and to those for one customer type, when asked.
select
    {columns as members},
    {elsewhere}
from meeting_topic
where (customer_bookable or not :customers_only) and (
    :customer_type_id::uuid is null
    or not exists (select from meeting_topic_customer_type as any_type where any_type.topic_id = meeting_topic.topic_id)
    or exists (
        select from meeting_topic_customer_type as this_type
        where this_type.topic_id = meeting_topic.topic_id and this_type.customer_type_id = :customer_type_id
    )
)
order by "order", name, topic_id;

-- name: list_ancestors(topic_id)
-- The topics above a topic, itself first.
with recursive above (topic_id, name, parent_id) as (
    select topic_id, name, parent_id from meeting_topic where topic_id = :topic_id
    union
    select parent.topic_id, parent.name, parent.parent_id
    from above join meeting_topic as parent on parent.topic_id = above.parent_id
)
select topic_id, name from above;

-- name: list_uses(topic_id, now, most)
-- The uses of a topic: groups, portals, and the meetings about it that are not over. Lists are hashed: `is true` keeps
-- them from becoming joins (docs/decisions/0036).
with used as (
    select 'competence group' as kind, name, competence_group_id as id, null::timestamptz as starts_at from competence_group
    where (
        competence_group_id in (select competence_group_id from competence_group_topic where topic_id = :topic_id)
    ) is true
    union all
    select 'service group', name, service_group_id, null from service_group
    where (
        service_group_id in (select service_group_id from service_group_topic where topic_id = :topic_id)
    ) is true
    union all
    select 'portal', name, portal_id, null from portal where portal.topic_id = :topic_id
    union all
    select 'topic', name, meeting_topic.topic_id, null from meeting_topic where meeting_topic.parent_id = :topic_id
    union all
    select 'meeting', title, meeting_id, starts_at from meeting
    where meeting.topic_id = :topic_id and cancelled_at is null and ends_at > :now
)
select kind, name, id, starts_at, count(*) over () as total from used
order by starts_at nulls first, kind, name
limit :most;
