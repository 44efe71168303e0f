-- name: list_named(named)
-- The group of each id or name, null for none; of several of one name, the one of the highest priority.
select (
    select service_group_id from service_group
    where service_group_id::text = lower(asked.name) or service_group.name = asked.name
    order by service_group_id::text = lower(asked.name) desc, priority desc, service_group.name, service_group_id
    limit 1
) as service_group_id
from unnest(:named::text[]) with ordinality as asked (name, place)
order by place;

-- name: list_names(ids)
select service_group_id, name from service_group where service_group_id = any (:ids::uuid[]);

-- name: list_of_topic(topic_id)
select asked.service_group_id
from meeting_topic
cross join lateral unnest(also_service_groups) with ordinality as asked (service_group_id, place)
where topic_id = :topic_id and exists (
    select from service_group where service_group.service_group_id = asked.service_group_id
)
order by place;
