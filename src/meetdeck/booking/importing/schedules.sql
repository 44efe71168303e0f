-- name: lock_schedules(employee_ids)!
select from employee_schedule
where employee_id = any (:employee_ids::uuid[]) order by employee_schedule_id for no key update;

-- name: list_fingerprints(employee_ids)
-- The same values for all of these schedules.
select
    employee_id, employee_schedule_id as schedule_id,
    md5(
        concat_ws(
            ' ', is_only_explicitly_available, can_be_booked, max_meeting_time_per_day,
            (
                select string_agg(
                    row(is_available, day_of_week, from_time, to_time, meeting_types, location)::text, ' '
                    order by position
                )
                from employee_workday as workday
                where workday.employee_schedule_id = employee_schedule.employee_schedule_id
            )
        )
    ) as fingerprint
from employee_schedule
where employee_id = any (:employee_ids::uuid[]);

-- name: put_schedules(schedules)
-- Upserts schedules by employee; returns their ids, which the workdays need.
insert into employee_schedule (
    tenant_id, employee_schedule_id, employee_id, is_only_explicitly_available, can_be_booked, max_meeting_time_per_day
)
select
    current_tenant(), gen_random_uuid(), employee_id, is_only_explicitly_available, can_be_booked,
    make_interval(secs => max_meeting_seconds)
from jsonb_to_recordset(:schedules::jsonb) as given (
    employee_id uuid, is_only_explicitly_available boolean, can_be_booked boolean, max_meeting_seconds integer
)
order by employee_id
on conflict (tenant_id, employee_id) do update set
    is_only_explicitly_available = excluded.is_only_explicitly_available,
    can_be_booked = excluded.can_be_booked,
    max_meeting_time_per_day = excluded.max_meeting_time_per_day
returning employee_id, employee_schedule_id;

-- name: drop_workdays(schedule_ids)!
delete from employee_workday where employee_schedule_id = any (:schedule_ids::uuid[]);

-- name: add_workdays(schedule_ids, weeks, workdays)!
-- Most weeks are equal to many others: each is sent once, and schedules refer to theirs by number.
insert into employee_workday (
    tenant_id, employee_schedule_id, position, is_available, day_of_week, from_time, to_time, meeting_types, location
)
select
    current_tenant(), schedule_id, position, is_available, day_of_week, from_time, to_time, meeting_types, location
from unnest(:schedule_ids::uuid[], :weeks::integer[]) as of_schedule (schedule_id, week)
join jsonb_to_recordset(:workdays::jsonb) as given (
    week integer, position integer, is_available boolean, day_of_week smallint, from_time time, to_time time,
    meeting_types text[], location text
) using (week);
