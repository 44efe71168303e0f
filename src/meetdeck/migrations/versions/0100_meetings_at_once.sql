-- A meeting is booked in one statement, from a reservation too, with a room and with additional employees
-- (docs/decisions/0089).
--
-- Takes the time of a meeting, as a statement of its own: that of the reservation `of_hold`, or else `begin_at` to
-- `end_at` in a new slot. No row when it needs a closer look: the reservation is of another, has ended, or is of people of
-- service groups or of a shared time; a resource, the topic or the customer type does not exist or is closed; the room
-- is missing or too small. Raises an error, and so takes nothing, when a resource is taken or busy.
create function take_for_meeting(
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
begin
    perform set_config('meetdeck.tenant', of_tenant::text, true);
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
    if (select count(*) from bookable where id = any (wanted) and is_open) < cardinality(wanted)
        or (select capacity from room where room.room_id = in_room) < take_for_meeting.seats
    then
        return;
    end if;
    if of_hold is null then
        select count(*) filter (where not taken.is_busy) into taken_count
        from add_and_occupy(
            new_slot, begin_at, end_at, of_employee, in_room, null, 'Booked', null, null, wanted, at, over_busy
        ) as taken;
    else
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
    end if;
    if taken_count < cardinality(wanted) then
        raise exclusion_violation using message = 'a resource is busy, or is gone';
    end if;
    return query select coalesce(of_hold, new_slot), begin_at, end_at, in_room, is_unverified;
end
$$;
