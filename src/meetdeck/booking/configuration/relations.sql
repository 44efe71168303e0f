-- Written for the topics of competence groups; `relations` loads it again for each other relation, with its names.

-- name: put_members(owner_id, member_ids)!
-- Replaces the members, each once, in this order.
with gone as (
    delete from competence_group_topic
    where competence_group_id = :owner_id and topic_id <> all (:member_ids::uuid[])
)
insert into competence_group_topic (tenant_id, competence_group_id, topic_id, position)
select current_tenant(), :owner_id, topic_id, place
from unnest(:member_ids::uuid[]) with ordinality as given (topic_id, place)
on conflict (tenant_id, competence_group_id, topic_id) do update set position = excluded.position
where competence_group_topic.position <> excluded.position;

-- name: put_owners(member_id, owner_ids)!
-- The same from the other side: existing rows keep their position, new ones come last.
with gone as (
    delete from competence_group_topic
    where topic_id = :member_id and competence_group_id <> all (:owner_ids::uuid[])
)
insert into competence_group_topic (tenant_id, competence_group_id, topic_id, position)
select
    current_tenant(), owner_id, :member_id,
    1 + coalesce(
        (select max(position) from competence_group_topic as named where named.competence_group_id = owner_id), 0
    )
from unnest(:owner_ids::uuid[]) as given (owner_id)
on conflict (tenant_id, competence_group_id, topic_id) do nothing;
