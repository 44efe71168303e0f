-- name: list_schedules(schedule_ids)
-- Some, or all when null, by the employee's name; their workdays in their order, as texts, which are parsed once for all
-- equal ones.
select
    employee_schedule_id as id, employee_id, is_only_explicitly_available, can_be_booked, max_meeting_time_per_day,
    array(
        select concat_ws(' ', is_available, day_of_week, from_time, to_time, meeting_types, location)
        from employee_workday as workday
        where workday.employee_schedule_id = employee_schedule.employee_schedule_id
        order by position
    ) as workdays
from employee_schedule
where :schedule_ids::uuid[] is null or employee_schedule_id = any (:schedule_ids::uuid[])
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

-- name: update_schedule(is_only_explicitly_available, can_be_booked, max_meeting_time_per_day, schedule_id)!
update employee_schedule
set
    is_only_explicitly_available = :is_only_explicitly_available, can_be_booked = :can_be_booked,
    max_meeting_time_per_day = :max_meeting_time_per_day
where employee_schedule_id = :schedule_id;

-- name: drop_workdays(schedule_id)!
delete from employee_workday where employee_schedule_id = :schedule_id;

-- name: add_workdays(schedule_id, workdays)!
insert into employee_workday (
    tenant_id, employee_schedule_id, position, is_available, day_of_week, from_time, to_time, meeting_types, location
)
select
    current_tenant(), :schedule_id, position, is_available, day_of_week, from_time, to_time, meeting_types, location
from jsonb_to_recordset(:workdays::jsonb) as given (
    position integer, is_available boolean, day_of_week smallint, from_time time, to_time time,
    meeting_types text[], location text
);

-- name: delete_schedule(schedule_id)!
delete from employee_schedule where employee_schedule_id = :schedule_id;
