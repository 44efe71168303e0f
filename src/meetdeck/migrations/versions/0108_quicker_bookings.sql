-- Reserving and booking at once (docs/decisions/0089) run fewer statements inside the functions.
--
-- PL/pgSQL evaluates a call that is assigned, or that a condition consists of, by itself; PERFORM is a statement, which is
-- prepared, begun and ended.

create function reservation_lock(of_token uuid) returns bigint language sql immutable
    return hashtextextended('reservation ' || of_token, 0);

create or replace function find_reservation(of_token uuid) returns table (
    time_slot_id uuid, starts_at timestamptz, ends_at timestamptz, employee_id uuid, room_id uuid, service_group text,
    status text, token uuid, expires_at timestamptz, renewals smallint, existing_meeting_id uuid,
    also_service_groups text[], additional_employees uuid[], shared_slot_id uuid, seat integer
)
language plpgsql rows 1 as $$
begin
    perform pg_advisory_xact_lock(reservation_lock(of_token));
    return query
        select
            slot.time_slot_id, slot.starts_at, slot.ends_at, slot.employee_id, slot.room_id, slot.service_group,
            slot.status, slot.token, slot.expires_at, slot.renewals, slot.existing_meeting_id,
            slot.also_service_groups, slot.additional_employees, slot.shared_slot_id, slot.seat
        from time_slot as slot
        where slot.token = of_token and slot.status = 'Reserved'
        for no key update;
end
$$;

create or replace function lock_resources(ids uuid[]) returns table (resource_id uuid, resource_key integer)
language plpgsql rows 2 as $$
declare
    nothing text;
begin
    for resource_id, resource_key in
        select known.resource_id, known.resource_key from resource as known where known.resource_id = any (ids)
        order by known.resource_key
        for key share
    loop
        nothing := pg_advisory_xact_lock(7349, resource_key)::text;
        return next;
    end loop;
end
$$;

-- Whether resources exist and are open: employees, and the one room among them if there is one.
create function are_open(wanted uuid[], in_room uuid) returns boolean language plpgsql stable as $$
begin
    if in_room is not null then
        if not exists (select from bookable where kind = 'room' and id = in_room and is_open) then return false; end if;
        wanted := array_remove(wanted, in_room);
    end if;
    return (select count(*) from bookable where kind = 'employee' and id = any (wanted) and is_open) = cardinality(wanted);
end
$$;

-- Take a new time slot for a reservation or a meeting, as a part of a statement of its own; return whether it was taken. False
-- when it needs a closer look: an employee or a room does not exist or is closed. Raises an error, and so takes nothing, when
-- one of them is taken or busy. Expired reservations of that time are in the way, too: the closer look deletes them.
--
-- Each statement sees what was committed when `lock_resources` had its turn.
create function take_new_slot(
    of_tenant uuid, slot_id uuid, begin_at timestamptz, end_at timestamptz, of_employee uuid, in_room uuid,
    of_service_group text, with_status text, of_token uuid, until timestamptz, wanted uuid[], at timestamptz,
    over_busy boolean
) returns boolean
language plpgsql as $$
declare
    taken_count integer;
begin
    if not are_open(wanted, in_room) then return false; end if;
    with locked as materialized (
        select locked.resource_key from lock_resources(wanted) as locked
    ),
    added as (
        insert into time_slot (
            tenant_id, time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at,
            created_at
        )
        values (
            of_tenant, slot_id, begin_at, end_at, of_employee, in_room, of_service_group, with_status, of_token, until, at
        )
    )
    insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id, expires_at)
    select of_tenant, resource_key, begin_at, end_at, slot_id, until
    from locked
    where over_busy or not is_busy(resource_key, begin_at, end_at);
    get diagnostics taken_count = row_count;
    if taken_count < cardinality(wanted) then
        raise exclusion_violation using message = 'a resource is busy, or is gone';
    end if;
    return true;
end
$$;

create or replace function take_at_once(
    of_tenant uuid, of_topic uuid, of_customer_type uuid,
    slot_id uuid, begin_at timestamptz, end_at timestamptz, of_employee uuid, in_room uuid, of_service_group text,
    with_status text, of_token uuid, until timestamptz, resource_ids uuid[], at timestamptz, over_busy boolean
) returns boolean
language plpgsql as $$
declare
    nothing text := set_config('meetdeck.tenant', of_tenant::text, true);
begin
    if of_token is not null then
        nothing := pg_advisory_xact_lock(reservation_lock(of_token))::text;
        perform from time_slot where token = of_token and status = 'Reserved';
        if found then return false; end if;
    end if;
    if of_topic is not null then
        perform from meeting_topic
        where topic_id = of_topic and also_service_groups = '{}' and seats = 1
        for key share;
        if not found then return false; end if;
    end if;
    if of_customer_type is not null then
        perform from customer_type where customer_type_id = of_customer_type for key share;
        if not found then return false; end if;
    end if;
    return take_new_slot(
        of_tenant, slot_id, begin_at, end_at, of_employee, in_room, of_service_group, with_status, of_token, until,
        resource_ids, at, over_busy
    );
end
$$;

create or replace function take_for_meeting(
    of_tenant uuid, of_hold uuid, new_slot uuid, of_topic uuid, of_customer_type uuid,
    begin_at timestamptz, end_at timestamptz, of_employee uuid, in_room uuid, others uuid[],
    needs_room boolean, seats integer, at timestamptz, over_busy boolean
) returns table (time_slot_id uuid, starts_at timestamptz, ends_at timestamptz, room_id uuid, calendar_unverified boolean)
language plpgsql rows 1 as $$
#variable_conflict use_column
declare
    held record;
    wanted uuid[];
    is_unverified boolean := false;
    taken_count integer;
    nothing text := set_config('meetdeck.tenant', of_tenant::text, true);
begin
    if of_hold is not null then
        select
            slot.starts_at, slot.ends_at, slot.employee_id, slot.room_id, slot.status, slot.expires_at,
            slot.calendar_unverified, slot.existing_meeting_id, slot.shared_slot_id, slot.also_service_groups,
            slot.additional_employees
        into held
        from time_slot as slot
        where slot.time_slot_id = of_hold
        for no key update;
        if not found or held.status <> 'Reserved' or held.expires_at <= at or held.employee_id <> of_employee
            or begin_at <> held.starts_at or end_at <> held.ends_at
            or held.existing_meeting_id is not null or held.shared_slot_id is not null
            or held.also_service_groups <> '{}' or held.additional_employees <> '{}'
        then
            return;
        end if;
        begin_at := held.starts_at;
        end_at := held.ends_at;
        in_room := coalesce(in_room, held.room_id);
        is_unverified := held.calendar_unverified;
    end if;
    if needs_room and in_room is null then return; end if;
    if of_topic is not null then
        perform from meeting_topic
        where topic_id = of_topic and also_service_groups = '{}' and meeting_topic.seats = 1
        for key share;
        if not found then return; end if;
    end if;
    if of_customer_type is not null then
        perform from customer_type where customer_type_id = of_customer_type for key share;
        if not found then return; end if;
    end if;
    wanted := array_remove(of_employee || others || in_room, null);
    if in_room is not null then
        if (select capacity from room where room.room_id = in_room) < take_for_meeting.seats then return; end if;
    end if;
    if of_hold is null then
        if not take_new_slot(
            of_tenant, new_slot, begin_at, end_at, of_employee, in_room, null, 'Booked', null, null, wanted, at, over_busy
        ) then
            return;
        end if;
    else
        if not are_open(wanted, in_room) then return; end if;
        -- Those whom the reservation names give time back, and are locked with those who come: never one after the other.
        perform from lock_resources(array_remove(wanted || held.employee_id || held.room_id, null));
        if not over_busy and exists (
            select from resource as one
            where one.resource_id = any (wanted)
                and not exists (
                    select from occupancy as own
                    where own.time_slot_id = of_hold and own.resource_key = one.resource_key
                )
                and is_busy(one.resource_key, begin_at, end_at)
        ) then
            return;
        end if;
        delete from occupancy as old
        where old.time_slot_id = of_hold
            or (
                old.expires_at <= at
                and old.resource_key = any (array(select resource_key from resource where resource_id = any (wanted)))
            );
        insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id)
        select of_tenant, one.resource_key, begin_at, end_at, of_hold
        from resource as one
        where one.resource_id = any (wanted);
        get diagnostics taken_count = row_count;
        update time_slot as slot
        set status = 'Booked', token = null, expires_at = null, employee_id = of_employee, room_id = in_room
        where slot.time_slot_id = of_hold;
        if taken_count < cardinality(wanted) then
            raise exclusion_violation using message = 'a resource is busy, or is gone';
        end if;
    end if;
    return query select coalesce(of_hold, new_slot), begin_at, end_at, in_room, is_unverified;
end
$$;
