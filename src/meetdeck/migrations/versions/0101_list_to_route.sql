-- The tenants with events to place or pass on, and whether they have reservations that have expired without an event.
-- `tenants_to_route` stays for the previous release.
create function list_to_route(subscribers text[], at timestamptz) returns table (tenant_id uuid, is_overdue boolean)
language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
begin
    perform set_config('meetdeck.identifying', 'events', true);
    return query
        with found as (
            select event.tenant_id, false as has_expired from event where event.position is null
            union
            select event_feed.tenant_id, false from event_feed
            where event_feed.ends_at > event_feed.routed_to or not event_feed.routed_by @> subscribers
            union
            select time_slot.tenant_id, true from time_slot
            where time_slot.status = 'Reserved' and not time_slot.is_expiry_written and time_slot.expires_at <= at
        )
        select found.tenant_id, bool_or(found.has_expired)
        from found join tenant using (tenant_id)
        where tenant.disabled_at is null
        group by found.tenant_id;
    perform set_config('meetdeck.identifying', '', true);
end
$$;
