-- name: count_meetings(bounds, grouping)
-- The numbers of meetings that begin between the first and the last of some bounds, and of those that were booked between
-- them: of each group, and, with a null key, of all. Periods are numbered from 1, by the bounds. Quantiles are of the values
-- themselves, not between two of them. The place of a meeting is its room's, else its employee's home; of those that were
-- deleted, what it was then.
{counted_meetings}
select
    key,
    coalesce(min(place), '') as place,
    count(*) filter (where begins) as booked,
    count(*) filter (where not begins) as bookings_made,
    count(*) filter (where begins and not is_on) as cancelled,
    count(*) filter (where begins and is_moved) as moved,
    count(*) filter (where is_on and attendance = 'Attended') as attended,
    count(*) filter (where is_on and attendance = 'NoShow') as no_shows,
    count(*) filter (where begins and booked_by = 'Customer') as booked_by_customer,
    count(*) filter (where begins and booked_by = 'Employee') as booked_by_employee,
    count(*) filter (where begins and booked_by in ('PortalCustomer', 'PortalPartner')) as booked_by_portal,
    count(*) filter (where takes_time) as times_taken,
    coalesce(sum(length) filter (where takes_time), interval '0') as total_length,
    avg(length) filter (where is_on) as average_length,
    percentile_disc(0.5) within group (order by lead_time) filter (where is_on) as lead_time_median,
    percentile_disc(0.9) within group (order by lead_time) filter (where is_on) as lead_time_p90
from counted
group by grouping sets ((key), ());

-- name: list_counted(bounds, grouping, key, count, most)
-- The meetings that one of these numbers counts, of a group or, with a null key, of all, by their begin; and how many they are.
{counted_meetings}
select meeting_id as id, title, starts_at, ends_at, employee_id, customer_id, external_attendees, cancelled_at, attendance,
    count(*) over () as total
from counted
where (:key::text is null or key = :key)
    and case :count::text
        when 'booked' then begins
        when 'bookings_made' then not begins
        when 'cancelled' then begins and not is_on
        when 'moved' then begins and is_moved
        when 'attended' then is_on and attendance = 'Attended'
        when 'no_shows' then is_on and attendance = 'NoShow'
        when 'booked_by_customer' then begins and booked_by = 'Customer'
        when 'booked_by_employee' then begins and booked_by = 'Employee'
        when 'times_taken' then takes_time
        when 'booked_by_portal' then begins and booked_by in ('PortalCustomer', 'PortalPartner')
    end
order by starts_at, meeting_id
limit :most;

-- name: list_names(kind, ids)
-- The names of employees or topics, also of those that were deleted.
select employee_id as id, name from employee where :kind = 'employee' and employee_id = any (:ids::uuid[])
union all
select topic_id, name from meeting_topic where :kind = 'topic' and topic_id = any (:ids::uuid[])
union all
select deleted_id, name from deletion where kind = :kind and deleted_id = any (:ids::uuid[]);

-- name: list_advisors()
-- The employees who can be booked, with their hours as `read_week` reads them.
select
    employee.employee_id, employee.name, resource.resource_key, employee.time_zone, employee.location,
    array(
        select concat_ws(' ', day_of_week, from_time, to_time, meeting_types, workday.location)
        from employee_workday as workday
        where workday.employee_schedule_id = schedule.employee_schedule_id and workday.is_available
        order by position
    ) as workdays
from employee
join resource on resource.resource_id = employee.employee_id
join employee_schedule as schedule on schedule.employee_id = employee.employee_id
where employee.active and schedule.can_be_booked
order by employee.name, employee.employee_id;

-- name: list_topics(ids, most, skipped)
-- The topics in their order; only some, unless there are no ids. And how many there are.
select topic_id, name, count(*) over () as total
from meeting_topic
where :ids::uuid[] = '{}' or topic_id = any (:ids::uuid[])
order by "order", name, topic_id
limit :most offset :skipped;
