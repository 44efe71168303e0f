-- name: list_employees(bookable_only, patterns, location, competence_group_id, ids, most, skipped)
-- All, or those that the search can offer (active, and with a bookable schedule), narrowed by what is not null.
-- The first row is there also when nobody is: it has the total.
with wanted as materialized (
    select *
    from employee
    where
        (
            not :bookable_only
            or (active and employee_id in (select employee_id from employee_schedule where can_be_booked))
        )
        and (
            :patterns::text[] is null
            or lower(concat_ws(' ', name, email, initials, title, location)) like all (:patterns)
        )
        and (:location::text is null or lower(location) = lower(:location))
        and (:ids::uuid[] is null or employee_id = any (:ids))
        and (
            :competence_group_id::uuid is null
            or employee_id in (
                select employee_id from competence_group_employee
                where competence_group_id in (select competence_groups_down(array[:competence_group_id]))
            )
        )
),

shown as (select * from wanted order by name, employee_id limit :most offset :skipped)

select
    (select count(*) from wanted) as total,
    {columns as members},
    array(
        select customer_type_id from employee_customer_type as narrowed
        where narrowed.employee_id = shown.employee_id order by position, customer_type_id
    ) as customer_type_ids
from (values (0)) as always
left join shown on true
order by name, employee_id;

-- name: find_employee(employee_id)^
select
    {columns as members},
    array(
        select customer_type_id from employee_customer_type as narrowed
        where narrowed.employee_id = employee.employee_id order by position, customer_type_id
    ) as customer_type_ids
from employee
where employee_id = :employee_id;

-- name: lock_employee(employee_id)!
-- Locks the employee, who is read by a second statement: this one would show them as they were before the wait.
select from employee where employee_id = :employee_id for update;

-- name: add_employees(employees)!
insert into employee (tenant_id, {columns})
select current_tenant(), {columns} from jsonb_populate_recordset(null::employee, :employees::jsonb);

-- name: update_employees(employees)!
update employee set ({columns}) = row({given.columns})
from jsonb_populate_recordset(null::employee, :employees::jsonb) as given
where employee.employee_id = given.employee_id;

-- name: remember_employee(employee_id, now)!
-- The name is kept for past meetings.
insert into deletion (tenant_id, kind, deleted_id, name, email, location, deleted_at)
select current_tenant(), 'employee', employee_id, name, email, location, :now
from employee
where employee_id = :employee_id and (
    exists (select from meeting where meeting.employee_id = :employee_id)
    or exists (select from meeting_additional_employee as additional where additional.employee_id = :employee_id)
)
on conflict (tenant_id, kind, deleted_id) do update
    set name = excluded.name, email = excluded.email, location = excluded.location, deleted_at = excluded.deleted_at;

-- name: delete_employee(employee_id)!
delete from employee where employee_id = :employee_id;

-- name: list_names(ids)
select employee_id, name from employee where employee_id = any (:ids::uuid[]);
