-- name: list_schedules(schedule_ids, employee_ids)
-- Some, or all when both are null, by the employee's name; their workdays in their order, as texts, which are read once for all
-- equal ones: a unit separator stands between the columns.
select
    employee_schedule_id as id, employee_id, {columns as members},
    array(
        select concat_ws(e'\x1f', {workdays})
        from employee_workday as workday
        where workday.employee_schedule_id = employee_schedule.employee_schedule_id
        order by position
    ) as workdays
from employee_schedule
where
    (:schedule_ids::uuid[] is null or employee_schedule_id = any (:schedule_ids))
    and (:employee_ids::uuid[] is null or employee_id = any (:employee_ids))
order by (select name from employee where employee.employee_id = employee_schedule.employee_id), employee_id;

-- name: find_home(schedule_id)$
-- The location of the schedule's employee, which workdays may override.
select employee.location
from employee_schedule
join employee using (tenant_id, employee_id)
where employee_schedule_id = :schedule_id;

-- name: lock_schedule(schedule_id)!
-- Locks the schedule, which is read by a second statement: this one would show it as it was before the wait.
select from employee_schedule where employee_schedule_id = :schedule_id for update;

-- name: add_schedule(employee_id, schedule_id)$
-- Returns no row when the employee has one.
insert into employee_schedule (tenant_id, employee_schedule_id, employee_id)
values (current_tenant(), :schedule_id, :employee_id)
on conflict (tenant_id, employee_id) do nothing
returning employee_schedule_id;

-- name: update_schedule(schedule_id, schedule)!
update employee_schedule set ({columns}) = row({given.columns})
from jsonb_populate_record(null::employee_schedule, :schedule::jsonb) as given
where employee_schedule.employee_schedule_id = :schedule_id;

-- name: drop_workdays(schedule_id)!
delete from employee_workday where employee_schedule_id = :schedule_id;

-- name: add_workdays(schedule_id, workdays)!
insert into employee_workday (tenant_id, employee_schedule_id, position, {workdays})
select current_tenant(), :schedule_id, position, {workdays}
from jsonb_populate_recordset(null::employee_workday, :workdays::jsonb);

-- name: delete_schedule(schedule_id)!
delete from employee_schedule where employee_schedule_id = :schedule_id;
