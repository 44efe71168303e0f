-- name: list_meetings(employee_id, begin_at, end_at, now, longest, most)
-- The meetings of an employee, also as an additional one, that touch a time and are not over, by start.
select meeting_id
from meeting
where cancelled_at is null and ends_at > :begin_at and ends_at > :now
    and starts_at > :begin_at::timestamptz - :longest::interval and starts_at < :end_at
    and meeting_id = any (
        array(
            select own.meeting_id from meeting as own where own.employee_id = :employee_id
            union all
            select additional.meeting_id from meeting_additional_employee as additional
            where additional.employee_id = :employee_id
        )
    )
order by starts_at, meeting_id
limit :most;

-- name: find_location(room_id)$
select location from room where room_id = :room_id;

-- name: list_unattended(now)
-- Employees who cannot be booked any more and have meetings that are not over, also as additional ones.
with kept as (
    select employee_id, starts_at
    from meeting
    where cancelled_at is null and ends_at > :now
        and employee_id in (select employee_id from employee where not active)
    union all
    select additional.employee_id, meeting.starts_at
    from meeting_additional_employee as additional
    join meeting using (tenant_id, meeting_id)
    where cancelled_at is null and ends_at > :now
        and additional.employee_id in (select employee_id from employee where not active)
)
select employee_id, name, count(*) as meetings, min(starts_at) as first_at
from kept
join employee using (employee_id)
group by employee_id, name
order by first_at, name, employee_id;
