-- name: list_employees(bookable_only)
-- All, or those that the search can offer: active, and with a bookable schedule.
select
    employee_id as id, name, email, phone, title, location, time_zone, active,
    array(
        select customer_type_id from employee_customer_type as narrowed
        where narrowed.employee_id = employee.employee_id order by position, customer_type_id
    ) as customer_type_ids
from employee
where not :bookable_only or (active and employee_id in (select employee_id from employee_schedule where can_be_booked))
order by name, employee_id;

-- name: find_employee(employee_id)^
select
    employee_id as id, name, email, phone, title, location, time_zone, active,
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
insert into employee (tenant_id, employee_id, name, email, phone, title, location, time_zone, active)
select current_tenant(), id, name, email, phone, title, location, time_zone, active
from jsonb_to_recordset(:employees::jsonb) as given (
    id uuid, name text, email text, phone text, title text, location text, time_zone text, active boolean
);

-- name: update_employees(employees)!
update employee
set
    name = given.name, email = given.email, phone = given.phone, title = given.title, location = given.location,
    time_zone = given.time_zone, active = given.active
from jsonb_to_recordset(:employees::jsonb) as given (
    id uuid, name text, email text, phone text, title text, location text, time_zone text, active boolean
)
where employee_id = given.id;

-- name: drop_customer_types(employees)!
-- Deletes those that are not given.
delete from employee_customer_type as narrowed
using jsonb_to_recordset(:employees::jsonb) as given (id uuid, customer_type_ids uuid[])
where narrowed.employee_id = given.id and not narrowed.customer_type_id = any (given.customer_type_ids);

-- name: put_customer_types(employees)!
-- Upserts those that are given, in their order.
insert into employee_customer_type (tenant_id, employee_id, customer_type_id, position)
select current_tenant(), given.id, customer_type_id, min(position)
from jsonb_to_recordset(:employees::jsonb) as given (id uuid, customer_type_ids uuid[])
cross join lateral unnest(given.customer_type_ids) with ordinality as listed (customer_type_id, position)
group by given.id, customer_type_id
on conflict (tenant_id, employee_id, customer_type_id) do update
    set position = excluded.position
    where employee_customer_type.position <> excluded.position;

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
