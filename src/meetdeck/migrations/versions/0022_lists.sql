-- Lists of a large firm are read in one pass, and by customer, employee or room from an index.

-- A meeting names its additional employees itself: a list need not look them up for each. The table of them is the way from
-- an employee to the meetings.
alter table meeting add column additional_employees uuid[] not null default '{}';
alter table meeting no force row level security;
alter table meeting_additional_employee no force row level security;
update meeting set additional_employees = named.employee_ids
from (
    select tenant_id, meeting_id, array_agg(employee_id order by position) as employee_ids
    from meeting_additional_employee
    group by tenant_id, meeting_id
) as named
where named.tenant_id = meeting.tenant_id and named.meeting_id = meeting.meeting_id;
alter table meeting force row level security;
alter table meeting_additional_employee force row level security;

create index meeting_by_customer on meeting (tenant_id, customer_id, starts_at);

-- In the order of a list to the last, so that a page begins where the one before ended.
drop index time_slot_by_start;
create index time_slot_by_start on time_slot (tenant_id, starts_at, time_slot_id);
create index time_slot_by_employee on time_slot (tenant_id, employee_id, starts_at) where employee_id is not null;
create index time_slot_by_room on time_slot (tenant_id, room_id, starts_at) where room_id is not null;

-- A time as JSON, as the rest of the application writes it: in UTC, with microseconds when there are any.
create function json_time(moment timestamptz) returns text language sql stable return
    case
        when moment = date_trunc('second', moment) then rtrim(to_json(moment at time zone 'UTC')::text, '"') || 'Z"'
        else '"' || to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || 'Z"'
    end;
