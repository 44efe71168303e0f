-- The service groups that a meeting asks for, and the person of each who comes along, in the same order.

alter table meeting
    add column also_service_groups uuid[] not null default '{}',
    add column also_employees uuid[] not null default '{}',
    add check (cardinality(also_service_groups) = cardinality(also_employees));

-- A topic with service groups needs a search for their people, and so more than one statement.
create or replace function take_at_once(
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
        perform from meeting_topic where topic_id = of_topic and also_service_groups = '{}' for key share;
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
