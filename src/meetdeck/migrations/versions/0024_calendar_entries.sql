-- Time slots that are no meetings: an employee's or room's busy time, more hours of an employee, hours at another place.

-- They take nothing: they may overlap one another and meetings, and `no_double_booking` does not see them
-- (docs/decisions/0069). A booking asks for Busy alone (`is_busy`); what the other two mean is the search's to say.
--
-- How to read those that touch a time: by `starts_at`, in two parts. None is longer than 366 days (`LONGEST_ENTRY` in
-- booking/defaults.py), and most end within a day (`SHORT_ENTRY`): so what touches begin…end is
--     not is_long and starts_at > begin - 1 day    and starts_at < end and ends_at > begin
--     is_long     and starts_at > begin - 366 days and starts_at < end and ends_at > begin
-- one `union all` of both. In one part, every day's search would go through the entries of a year before it.
create table calendar_entry (
    tenant_id    uuid not null references tenant on delete cascade,
    time_slot_id uuid not null,
    resource_key integer not null,
    employee_id  uuid,
    room_id      uuid,
    status       text not null check (status in ('Busy', 'ExtraOpen', 'WorkingFromElsewhere')),
    starts_at    timestamptz not null,
    ends_at      timestamptz not null,
    is_long      boolean not null generated always as (ends_at - starts_at > interval '1 day') stored,
    -- For the search, which reads many thousands: key (int4), start and end (int8, microseconds since 2000), big-endian.
    packed       bytea not null generated always as (
        int4send(resource_key) || timestamptz_send(starts_at) || timestamptz_send(ends_at)
    ) stored,
    created_at   timestamptz not null,
    primary key (tenant_id, time_slot_id),
    foreign key (tenant_id, resource_key) references resource (tenant_id, resource_key) on delete cascade,
    check (num_nonnulls(employee_id, room_id) = 1),
    check (room_id is null or status = 'Busy'),
    check (starts_at < ends_at and ends_at - starts_at <= interval '366 days')
);
call isolate_by_tenant('calendar_entry');
-- Answers the slot search from the index alone.
create index calendar_entry_for_search on calendar_entry (tenant_id, status, is_long, starts_at) include (ends_at, packed);
create index calendar_entry_by_resource on calendar_entry (tenant_id, resource_key, is_long, starts_at);
-- In the order of a list.
create index calendar_entry_by_start on calendar_entry (tenant_id, is_long, starts_at, time_slot_id);

-- Whether a resource has Busy time between two moments. Volatile: called behind `lock_resources` in one statement, it sees
-- what was committed when the turn came.
create function is_busy(of_resource integer, begin_at timestamptz, end_at timestamptz) returns boolean
language plpgsql volatile as $$
begin
    return exists (
        select from calendar_entry
        where resource_key = of_resource and not is_long
            and starts_at > begin_at - interval '1 day' and starts_at < end_at and ends_at > begin_at
            and (status = 'Busy') is true
    ) or exists (
        select from calendar_entry
        where resource_key = of_resource and is_long
            and starts_at > begin_at - interval '366 days' and starts_at < end_at and ends_at > begin_at
            and (status = 'Busy') is true
    );
end
$$;
