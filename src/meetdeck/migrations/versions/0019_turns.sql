-- Waiting for one's turn, and then looking, in one round trip. A statement sees what was committed before it began to
-- wait; each statement of these functions sees what was committed when its turn came.

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
create function find_reservation(of_token uuid) returns setof time_slot
language plpgsql rows 1 as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('reservation ' || of_token, 0));
    return query select * from time_slot where token = of_token and status = 'Reserved' for no key update;
end
$$;

-- Reservations past their time are in the way of who takes time of the resource: they are found by this alone.
create index occupancy_expiring on occupancy (tenant_id, resource_key, expires_at) where expires_at is not null;
