-- What most reservations and bookings are is one statement, a transaction of its own (docs/decisions/0089).

-- Employees and rooms, and whether they are open for booking.
create view bookable with (security_invoker = true) as
select
    employee.tenant_id, 'employee' as kind, employee_id as id, name,
    active and employee_schedule.can_be_booked is not false as is_open
from employee
left join employee_schedule using (tenant_id, employee_id)
union all
select tenant_id, 'room', room_id, name, available and can_be_booked
from room;

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
