-- Time slots, and who or what is taken when.

create table time_slot (
    tenant_id           uuid not null references tenant on delete cascade,
    time_slot_id        uuid not null,
    starts_at           timestamptz not null,
    ends_at             timestamptz not null,
    employee_id         uuid,
    room_id             uuid,
    service_group       text,
    status              text not null check (status in ('Reserved', 'Booked', 'Released')), -- Expired is Reserved past its time
    token               uuid,
    expires_at          timestamptz,
    renewals            smallint not null default 0,
    existing_meeting_id uuid,
    created_at          timestamptz not null,
    is_expiry_written   boolean not null default false, -- whether the event of its expiry was written
    primary key (tenant_id, time_slot_id),
    check (starts_at < ends_at),
    check ((status = 'Reserved') = (expires_at is not null and token is not null))
);
-- At most one reservation a token.
create unique index time_slot_reserved_by_token on time_slot (tenant_id, token) where status = 'Reserved';
-- In the order of a list to the last, so that a page begins where the one before ended.
create index time_slot_by_start on time_slot (tenant_id, starts_at, time_slot_id);
-- Retention's. It begins with when they expired, so that no other search is like it: while a young database has no
-- statistics, PostgreSQL would read it through for each search by token.
create index time_slot_to_forget on time_slot (expires_at, tenant_id) where status = 'Reserved';
create index time_slot_by_employee on time_slot (tenant_id, employee_id, starts_at) where employee_id is not null;
create index time_slot_by_room on time_slot (tenant_id, room_id, starts_at) where room_id is not null;
create index time_slot_to_expire on time_slot (tenant_id, expires_at) where status = 'Reserved' and not is_expiry_written;
call isolate_by_tenant('time_slot');

-- The one place that says who or what is taken: employees, additional employees and rooms alike.
-- The exclusion constraint makes a double booking impossible, whatever the code does.
--
-- Its index serves the constraint, and no query. PostgreSQL (seen on 15 and 18) marks entries of a GiST index dead that are
-- not: a scan that ends early and begins again, as below EXISTS, takes what it has noted of one page along to another. A row
-- that the index does not find blocks nobody. The constraint's own scans never begin again. The condition always holds (it is
-- a check of the table), but no query says it, so the planner never chooses this index.
create table occupancy (
    tenant_id    uuid not null,
    occupancy_id bigint not null generated always as identity,
    resource_key integer not null,
    starts_at    timestamptz not null,
    ends_at      timestamptz not null,
    during       tstzrange not null generated always as (tstzrange(starts_at, ends_at)) stored,
    time_slot_id uuid not null,
    expires_at   timestamptz, -- of a reservation; past it the row blocks nobody and is removed by whoever needs the time
    primary key (tenant_id, occupancy_id),
    foreign key (tenant_id, resource_key) references resource (tenant_id, resource_key),
    foreign key (tenant_id, time_slot_id) references time_slot on delete cascade,
    check (starts_at < ends_at),
    constraint no_double_booking exclude using gist (tenant_id with =, resource_key with =, during with &&)
        where (starts_at < ends_at)
);
create index occupancy_by_slot on occupancy (tenant_id, time_slot_id);
-- Answers the slot search from the index alone.
create index occupancy_for_search on occupancy (tenant_id, starts_at) include (ends_at, resource_key, expires_at);
-- What one resource has taken.
create index occupancy_by_resource on occupancy (tenant_id, resource_key, starts_at);
-- Reservations past their time are in the way of who takes time of the resource: they are found by this alone.
create index occupancy_expiring on occupancy (tenant_id, resource_key, expires_at) where expires_at is not null;
call isolate_by_tenant('occupancy');

-- Which reservations visitors of portals hold, so that one network address holds few of them, and all of them not too many.
-- A hold is known for an hour, though its reservation was replaced, which deletes the time slot: what a visitor lets go is
-- not offered to the waiting list. So it does not refer to the time slot.
create table visitor_hold (
    tenant_id    uuid not null,
    time_slot_id uuid not null,
    holder       bytea not null check (length(holder) = 32), -- a keyed hash of the network address
    held_at      timestamptz not null default now(), -- or kept last
    primary key (tenant_id, time_slot_id)
);
call isolate_by_tenant('visitor_hold');

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
    -- Of entries that were made together. Each stays a row of its own, so that nothing that reads them has to know the
    -- series (docs/decisions/0134): it is what ends them together, and its rule is told to those who look at one.
    series_id    uuid,
    recurrence   text,
    primary key (tenant_id, time_slot_id),
    foreign key (tenant_id, resource_key) references resource (tenant_id, resource_key) on delete cascade,
    check (num_nonnulls(employee_id, room_id) = 1),
    check (room_id is null or status = 'Busy'),
    check (starts_at < ends_at and ends_at - starts_at <= interval '366 days')
);
-- Answers the slot search from the index alone.
create index calendar_entry_for_search on calendar_entry (tenant_id, status, is_long, starts_at) include (ends_at, packed);
create index calendar_entry_by_resource on calendar_entry (tenant_id, resource_key, is_long, starts_at);
-- In the order of a list.
create index calendar_entry_by_start on calendar_entry (tenant_id, is_long, starts_at, time_slot_id);
create index calendar_entry_by_series on calendar_entry (tenant_id, series_id) where series_id is not null;
call isolate_by_tenant('calendar_entry');

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

-- Wait for one's turn, and then look, in one round trip. A statement sees what was committed before it began to wait; each
-- statement of this function and the next sees what was committed when its turn came.
--
-- Let one transaction at a time take time of each resource, or give it back. Sorted, so that two transactions never wait
-- for each other. None of them is deleted before the transaction ends; one that is gone already has no row.
create function lock_resources(ids uuid[]) returns table (resource_id uuid, resource_key integer)
language plpgsql rows 2 as $$
begin
    for resource_id, resource_key in
        select known.resource_id, known.resource_key from resource as known where known.resource_id = any (ids)
        order by known.resource_key
        for key share
    loop
        perform pg_advisory_xact_lock(7349, resource_key);
        return next;
    end loop;
end
$$;

-- Let one transaction at a time work on a token, and find its reservation. The row is held until the transaction ends, so
-- that it is not made a meeting meanwhile. It may be referred to (no key): what a meeting gives back is handed over to it
-- by transactions that have the resources which this one waits for.
-- Its columns are named, and not `setof time_slot`: a step that adds one would fail the calls that wait for its locks.
create function find_reservation(of_token uuid) returns table (
    time_slot_id uuid, starts_at timestamptz, ends_at timestamptz, employee_id uuid, room_id uuid, service_group text,
    status text, token uuid, expires_at timestamptz, renewals smallint, existing_meeting_id uuid
)
language plpgsql rows 1 as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('reservation ' || of_token, 0));
    return query
        select
            slot.time_slot_id, slot.starts_at, slot.ends_at, slot.employee_id, slot.room_id, slot.service_group,
            slot.status, slot.token, slot.expires_at, slot.renewals, slot.existing_meeting_id
        from time_slot as slot
        where slot.token = of_token and slot.status = 'Reserved'
        for no key update;
end
$$;

-- What most reservations and bookings are is one statement, a transaction of its own (docs/decisions/0089): this and the next.
--
-- Insert a slot with its occupancy; return the resources that exist, and whether they are busy then. Locks them, purges
-- their expired reservations, which must block nobody, and then inserts: counting the purged rows makes the insert wait.
-- If one is busy the caller has to roll back: a true conflict is told first.
create function add_and_occupy(
    slot_id uuid, begin_at timestamptz, end_at timestamptz, of_employee uuid, in_room uuid, of_service_group text,
    with_status text, of_token uuid, until timestamptz, resource_ids uuid[], at timestamptz, over_busy boolean
) returns table (resource_id uuid, starts_at timestamptz, ends_at timestamptz, is_busy boolean)
language plpgsql rows 2 as $$
#variable_conflict use_column
begin
    return query
    with locked as materialized (
        select locked.resource_id, locked.resource_key from lock_resources(resource_ids) as locked
    ),
    expired as (
        delete from occupancy using locked
        where occupancy.resource_key = locked.resource_key and occupancy.expires_at <= at
        returning 1
    ),
    added as (
        insert into time_slot (
            tenant_id, time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at,
            created_at
        )
        values (
            current_tenant(), slot_id, begin_at, end_at, of_employee, in_room, of_service_group, with_status, of_token,
            until, at
        )
    ),
    taken as (
        insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id, expires_at)
        select current_tenant(), locked.resource_key, begin_at, end_at, slot_id, until
        from locked
        where (select count(*) from expired) >= 0
    )
    select
        locked.resource_id, begin_at, end_at, not over_busy and is_busy(locked.resource_key, begin_at, end_at)
    from locked;
end
$$;

-- Take a time for a reservation of a new token, or for a meeting (no token), as a statement of its own; return whether it
-- was taken. False when it needs a closer look: the token has a reservation, or an employee, a room, the topic or the
-- customer type does not exist or is closed. Raises an error, and so takes nothing, when one of them is taken or busy.
create function take_at_once(
    of_tenant uuid, of_topic uuid, of_customer_type uuid,
    slot_id uuid, begin_at timestamptz, end_at timestamptz, of_employee uuid, in_room uuid, of_service_group text,
    with_status text, of_token uuid, until timestamptz, resource_ids uuid[], at timestamptz, over_busy boolean
) returns boolean
language plpgsql as $$
begin
    perform set_config('meetdeck.tenant', of_tenant::text, true);
    if of_token is not null then
        perform from find_reservation(of_token);
        if found then return false; end if;
    end if;
    if of_topic is not null then
        perform from meeting_topic where topic_id = of_topic for key share;
        if not found then return false; end if;
    end if;
    if of_customer_type is not null then
        perform from customer_type where customer_type_id = of_customer_type for key share;
        if not found then return false; end if;
    end if;
    if (select count(*) from bookable where id = any (resource_ids) and is_open) < cardinality(resource_ids) then
        return false;
    end if;
    if (
        select count(*) filter (where not taken.is_busy)
        from add_and_occupy(
            slot_id, begin_at, end_at, of_employee, in_room, of_service_group, with_status, of_token, until,
            resource_ids, at, over_busy
        ) as taken
    ) < cardinality(resource_ids) then
        raise exclusion_violation using message = 'a resource is busy, or is gone';
    end if;
    return true;
end
$$;
