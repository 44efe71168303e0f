-- Bookings prepare less of their statement (docs/decisions/0217).

-- A time as JSON, as the rest of the application writes it: in UTC, with microseconds when there are any. It is inlined, so
-- that each function in it is prepared for each time that a statement writes.
create or replace function json_time(moment timestamptz) returns text language sql stable return
    '"' || replace(to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '.000000', '') || 'Z"';

-- Objects as JSON, with these members, in this order; members that an object does not have are left out.
create function json_objects(items jsonb, members text[]) returns text language sql immutable as $$
    select concat('[', string_agg(written, ',' order by place), ']')
    from jsonb_array_elements(items) with ordinality as each (item, place)
    cross join lateral (
        select concat('{', string_agg(concat('"', member, '":', item -> member), ',' order by rank), '}') as written
        from unnest(members) with ordinality as named (member, rank)
        where item ->> member is not null
    ) as object
$$;

-- Take a new time slot for a reservation or a meeting, as a part of a statement of its own; return whether it was taken. False
-- when it needs a closer look: an employee or a room does not exist or is closed. Raises an error, and so takes nothing, when
-- one of them is taken or busy. Expired reservations of that time are in the way, too: the closer look deletes them.
--
-- The locks are those of `lock_resources`, in the same order; each statement behind them sees what was committed when the
-- turn came. The rows of the resources need no lock: the foreign key refuses one that is gone.
create or replace function take_new_slot(
    of_tenant uuid, slot_id uuid, begin_at timestamptz, end_at timestamptz, of_employee uuid, in_room uuid,
    of_service_group text, with_status text, of_token uuid, until timestamptz, wanted uuid[], at timestamptz,
    over_busy boolean
) returns boolean
language plpgsql as $$
declare
    keys integer[];
    key integer;
    nothing text;
begin
    if in_room is null then
        keys := array(
            select resource_key from bookable join resource on resource_id = id
            where kind = 'employee' and id = any (wanted) and is_open
            order by resource_key
        );
    else
        keys := array(
            select resource_key from bookable join resource on resource_id = id
            where kind = case id when in_room then 'room' else 'employee' end and id = any (wanted) and is_open
            order by resource_key
        );
    end if;
    if cardinality(keys) < cardinality(wanted) then return false; end if;
    foreach key in array keys loop
        nothing := pg_advisory_xact_lock(7349, key)::text;
    end loop;
    if not over_busy then
        foreach key in array keys loop
            if is_busy(key, begin_at, end_at) then
                raise exclusion_violation using message = 'a resource is busy';
            end if;
        end loop;
    end if;
    insert into time_slot (
        tenant_id, time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, created_at
    )
    values (
        of_tenant, slot_id, begin_at, end_at, of_employee, in_room, of_service_group, with_status, of_token, until, at
    );
    insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id, expires_at)
    select of_tenant, taken.resource_key, begin_at, end_at, slot_id, until
    from unnest(keys) as taken (resource_key);
    return true;
end
$$;
