-- name: add_default_schedules(employee_ids, opening_time, closing_time)!
-- Monday to Friday, in the opening hours; in the given ones for an organization that has set nothing yet.
with hours as (
    select opening_time, closing_time from organization_setting
    union all
    select :opening_time::time, :closing_time::time where not exists (select from organization_setting)
),
made as (
    insert into employee_schedule (tenant_id, employee_schedule_id, employee_id)
    select current_tenant(), gen_random_uuid(), employee_id from unnest(:employee_ids::uuid[]) as given (employee_id)
    on conflict (tenant_id, employee_id) do nothing
    returning employee_schedule_id
)
insert into employee_workday (
    tenant_id, employee_schedule_id, position, day_of_week, from_time, to_time, meeting_types
)
select
    current_tenant(), employee_schedule_id, weekday, weekday, opening_time, closing_time,
    array['Physical', 'Online', 'Telephone']
from made
cross join generate_series(0, 4) as weekday
cross join hours;
