-- name: list_competence_groups(group_ids)
-- Some, or all when null, by name. Members of a group come in their order there; groups that refer to it, by name.
select
    {columns as members}, provisioned,
    array(
        select child.competence_group_id
        from competence_group_parent as child
        where child.parent_group_id = competence_group.competence_group_id
        order by
            (select named.name from competence_group as named where named.competence_group_id = child.competence_group_id),
            child.competence_group_id
    ) as child_group_ids,
    array(
        select parent_group_id from competence_group_parent as parent
        where parent.competence_group_id = competence_group.competence_group_id
        order by position, parent_group_id
    ) as parent_group_ids,
    coalesce(
        (
            select jsonb_agg(
                jsonb_build_object(
                    'id', customer_type_id,
                    'name', (
                        select name from customer_type
                        where customer_type.customer_type_id = served.customer_type_id
                    )
                )
                order by position, customer_type_id
            )
            from competence_group_customer_type as served
            where served.competence_group_id = competence_group.competence_group_id
        ),
        '[]'
    ) as customer_types,
    array(
        select employee_id from competence_group_employee as member
        where member.competence_group_id = competence_group.competence_group_id
        order by position, employee_id
    ) as employee_ids,
    coalesce(
        (
            select jsonb_agg(
                jsonb_build_object(
                    'id', topic_id,
                    'name', (select name from meeting_topic where meeting_topic.topic_id = served.topic_id)
                )
                order by position, topic_id
            )
            from competence_group_topic as served
            where served.competence_group_id = competence_group.competence_group_id
        ),
        '[]'
    ) as topics,
    array(
        select service_group_id
        from service_group_competence_group as through
        where through.competence_group_id = competence_group.competence_group_id
        order by
            (select named.name from service_group as named where named.service_group_id = through.service_group_id),
            service_group_id
    ) as service_group_ids
from competence_group
where :group_ids::uuid[] is null or competence_group_id = any (:group_ids::uuid[])
order by name, competence_group_id;

-- name: put_competence_group(competence_group)!
-- Upserts a group; its relations are in tables of their own.
insert into competence_group (tenant_id, {columns})
select current_tenant(), {columns} from jsonb_populate_record(null::competence_group, :competence_group::jsonb)
on conflict (tenant_id, competence_group_id) do update set ({columns}) = row({excluded.columns});

-- name: delete_competence_group(group_id)!
delete from competence_group where competence_group_id = :group_id;

-- name: list_lineage(parent_ids, child_ids)
-- Each group above a new child of the parents, and each below a new parent of the children, with its parents there.
select competence_group_id, parent_group_id from competence_group_parent
where competence_group_id in (select competence_groups_up(:parent_ids))
union
select competence_group_id, parent_group_id from competence_group_parent
where parent_group_id in (select competence_groups_down(:child_ids));

-- name: list_names(group_ids)
select competence_group_id, name from competence_group where competence_group_id = any (:group_ids::uuid[]);

-- name: list_groups_of_employee(employee_id)
select
    competence_group_id as id, date_assigned,
    (select name from competence_group where competence_group.competence_group_id = member.competence_group_id) as name
from competence_group_employee as member
where employee_id = :employee_id
order by name, competence_group_id;
