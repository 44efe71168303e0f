-- name: lock_schedules(employee_ids)!
select from employee_schedule
where employee_id = any (:employee_ids::uuid[]) order by employee_schedule_id for no key update;

-- name: list_fingerprints(employee_ids)
-- The same values for all of these schedules.
select
    employee_id, employee_schedule_id as schedule_id,
    md5(
        concat_ws(
            ' ', row({columns}),
            (
                select string_agg(row({workdays})::text, ' ' order by position)
                from employee_workday as workday
                where workday.employee_schedule_id = employee_schedule.employee_schedule_id
            )
        )
    ) as fingerprint
from employee_schedule
where employee_id = any (:employee_ids::uuid[]);

-- name: put_schedules(schedules)
-- Upserts schedules by employee; returns their ids, which the workdays need.
insert into employee_schedule (tenant_id, employee_schedule_id, employee_id, {columns})
select current_tenant(), gen_random_uuid(), employee_id, {columns}
from jsonb_populate_recordset(null::employee_schedule, :schedules::jsonb)
order by employee_id
on conflict (tenant_id, employee_id) do update set ({columns}) = row({excluded.columns})
returning employee_id, employee_schedule_id;

-- name: drop_workdays(schedule_ids)!
delete from employee_workday where employee_schedule_id = any (:schedule_ids::uuid[]);

-- name: add_workdays(schedule_ids, weeks, workdays)!
-- Most weeks are equal to many others: each is sent once, and schedules refer to theirs by number, from 1.
insert into employee_workday (tenant_id, employee_schedule_id, position, {workdays})
select current_tenant(), schedule_id, position, {workdays}
from unnest(:schedule_ids::uuid[], :weeks::bigint[]) as of_schedule (schedule_id, week)
join (
    select week, workday.*
    from jsonb_array_elements(:workdays::jsonb) with ordinality as given (workdays, week)
    cross join lateral jsonb_populate_recordset(null::employee_workday, given.workdays) as workday
) as workday using (week);
