-- A reservation is found with those who come along, in the statement that waited for its token: one that begins before the
-- wait does not see the row that a rival has written meanwhile.

drop function find_reservation(uuid);
create function find_reservation(of_token uuid) returns table (
    time_slot_id uuid, starts_at timestamptz, ends_at timestamptz, employee_id uuid, room_id uuid, service_group text,
    status text, token uuid, expires_at timestamptz, renewals smallint, existing_meeting_id uuid,
    also_service_groups text[], additional_employees uuid[]
)
language plpgsql rows 1 as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('reservation ' || of_token, 0));
    return query
        select
            slot.time_slot_id, slot.starts_at, slot.ends_at, slot.employee_id, slot.room_id, slot.service_group,
            slot.status, slot.token, slot.expires_at, slot.renewals, slot.existing_meeting_id,
            slot.also_service_groups, slot.additional_employees
        from time_slot as slot
        where slot.token = of_token and slot.status = 'Reserved'
        for no key update;
end
$$;
