-- Memberships with their dates. Written for competence groups; `store` loads it again for service groups.

-- name: put_employees(group_id, employee_ids, now)!
-- Replaces the members, each once, in this order; those who stay keep their date.
with gone as (
    delete from competence_group_employee
    where competence_group_id = :group_id and employee_id <> all (:employee_ids::uuid[])
)
insert into competence_group_employee (tenant_id, competence_group_id, employee_id, position, date_assigned)
select current_tenant(), :group_id, employee_id, place, :now
from unnest(:employee_ids::uuid[]) with ordinality as given (employee_id, place)
on conflict (tenant_id, competence_group_id, employee_id) do update set position = excluded.position
where competence_group_employee.position <> excluded.position;

-- name: add_to_groups(employee_id, group_ids, now)!
-- Adds the employee as the last member of each; existing memberships keep position and date.
insert into competence_group_employee (tenant_id, competence_group_id, employee_id, position, date_assigned)
select
    current_tenant(), group_id, :employee_id,
    1 + coalesce(
        (select max(position) from competence_group_employee as member where member.competence_group_id = group_id), 0
    ),
    :now
from (select distinct group_id from unnest(:group_ids::uuid[]) as given (group_id)) as each
on conflict (tenant_id, competence_group_id, employee_id) do nothing;

-- name: remove_from_groups(employee_id, group_ids)!
delete from competence_group_employee
where employee_id = :employee_id and competence_group_id = any (:group_ids::uuid[]);

-- name: find_provisioned(group_ids)$
select name from competence_group
where competence_group_id = any (:group_ids::uuid[]) and provisioned
order by name
limit 1;
