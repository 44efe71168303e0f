-- name: list_service_groups(group_ids)
-- Some, or all when null, by name. Members of a group come in their order.
select
    {columns as members}, {trigger}, {level}, provisioned,
    array(
        select employee_id from service_group_employee as member
        where member.service_group_id = service_group.service_group_id
        order by position, employee_id
    ) as employee_ids,
    array(
        select competence_group_id from service_group_competence_group as through
        where through.service_group_id = service_group.service_group_id
        order by position, competence_group_id
    ) as competence_group_ids,
    array(
        select customer_type_id from service_group_customer_type as served
        where served.service_group_id = service_group.service_group_id
        order by position, customer_type_id
    ) as customer_type_ids,
    array(
        select topic_id from service_group_topic as served
        where served.service_group_id = service_group.service_group_id
        order by position, topic_id
    ) as topic_ids
from service_group
where :group_ids::uuid[] is null or service_group_id = any (:group_ids::uuid[])
order by name, service_group_id;

-- name: put_service_group(service_group)!
-- Upserts a group; its relations are in tables of their own.
insert into service_group (tenant_id, {columns}, {trigger}, {level})
select current_tenant(), {columns}, {trigger}, {level}
from jsonb_populate_record(null::service_group, :service_group::jsonb)
on conflict (tenant_id, service_group_id) do update set
    ({columns}, {trigger}, {level}) = row({excluded.columns}, {excluded.trigger}, {excluded.level});

-- name: delete_service_group(group_id)!
delete from service_group where service_group_id = :group_id;

-- name: leave_topics(group_id)!
-- Nobody of the group comes along to meetings about any topic.
update meeting_topic set also_service_groups = array_remove(also_service_groups, :group_id::uuid)
where also_service_groups @> array[:group_id::uuid];

-- name: list_groups_of_employee(employee_id)
select found.service_group_id as id, found.name, found.membership_email, date_assigned
from service_group_employee as member
cross join lateral (
    select service_group_id, name, membership_email
    from service_group
    where service_group.service_group_id = member.service_group_id
    limit 1 -- looked up for each, never joined
) as found
where employee_id = :employee_id
order by found.name, found.service_group_id;

-- name: find_advisors(group_id)^
-- By skill: employees who serve a topic of the group's competence groups, through any group that names it or none. Groups
-- below a competence group belong to it.
-- Names are looked up for the employees found: a join may be repeated for each (docs/decisions/0036).
with through as (
    select competence_group_id
    from competence_groups_down(
        array(select competence_group_id from service_group_competence_group where service_group_id = :group_id)
    ) as below (competence_group_id)
),
skill as (
    select distinct topic_id from competence_group_topic
    where competence_group_id = any (array(select competence_group_id from through))
),
skilled_group as (
    select competence_group_id from competence_group_topic where topic_id = any (array(select topic_id from skill))
    union
    select competence_group_id from competence_group
    where exists (select from skill)
        and (competence_group_id not in (select competence_group_id from competence_group_topic)) is true
)
select
    array(
        select employee_id
        from (
            select distinct employee_id from competence_group_employee
            where competence_group_id in (
                select competence_groups_down(array(select competence_group_id from skilled_group))
            )
        ) as member
        order by (select name from employee where employee.employee_id = member.employee_id), employee_id
    ) as skill_based,
    array(
        select employee_id from service_group_employee as member
        where service_group_id = :group_id
        order by (select name from employee where employee.employee_id = member.employee_id), employee_id
    ) as assigned,
    array(
        select employee_id
        from (
            select distinct employee_id from competence_group_employee
            where competence_group_id = any (array(select competence_group_id from through))
        ) as member
        order by (select name from employee where employee.employee_id = member.employee_id), employee_id
    ) as competence_group_advisors;
