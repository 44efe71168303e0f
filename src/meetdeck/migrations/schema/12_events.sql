-- The outbox and the feed (docs/decisions/0109).

-- The outbox: an event in the transaction of each change, kept for a time as the log that the feed reads.
create table event (
    tenant_id   uuid not null references tenant on delete cascade,
    event_id    uuid not null default gen_random_uuid(),
    written     bigint not null generated always as identity, -- in this order within a transaction, and for each subject
    position    bigint, -- in the feed; null until it is placed there, after its transaction
    type        text not null check (type <> ''),
    happened_at timestamptz not null,
    subject     text not null, -- the last steps of the resource's address: `meetings/{id}`
    sequence    bigint not null, -- higher with each event of a subject
    data        json, -- the resource as v3 reads it; null: nothing is kept of it
    primary key (tenant_id, event_id)
);
create unique index event_by_position on event (tenant_id, position) where position is not null;
create index event_to_place on event (tenant_id, written) where position is null;
call isolate_by_tenant('event');

-- Where a tenant's feed ends, and how much of its beginning is gone. Its row is the lock of who places events.
create table event_feed (
    tenant_id uuid primary key references tenant on delete cascade,
    ends_at   bigint not null default 0, -- the last position
    gone_to   bigint not null default 0, -- the last position that is not kept any more
    routed_to bigint not null default 0, -- the position that every one of these subscribers has reached
    routed_by text[] not null default '{}'
);
call isolate_by_tenant('event_feed');

-- How far each subscriber has received the feed.
create table event_subscriber (
    tenant_id uuid not null references tenant on delete cascade,
    name      text not null,
    position  bigint not null,
    primary key (tenant_id, name)
);
call isolate_by_tenant('event_subscriber');

-- The sequence of what counts no changes of its own: it is taken under the lock of what changes.
create sequence event_sequence;

-- Place events of the current tenant at the end of its feed, `most` at a time; return how many. Whoever places waits for
-- whoever does: a position is seen after all before it, and an event that commits late comes last.
create function place_events(most integer) returns integer
language plpgsql as $$
declare
    last   bigint;
    placed integer;
begin
    insert into event_feed (tenant_id) values (current_tenant()) on conflict do nothing;
    select ends_at into last from event_feed where tenant_id = current_tenant() for update;
    with waiting as (
        select event_id, row_number() over (order by written) as place
        from (
            select event_id, written from event
            where tenant_id = current_tenant() and position is null
            order by written
            limit most
        ) as first
    )
    update event set position = last + waiting.place
    from waiting
    where event.tenant_id = current_tenant() and event.event_id = waiting.event_id;
    get diagnostics placed = row_count;
    update event_feed set ends_at = last + placed where tenant_id = current_tenant() and placed > 0;
    return placed;
end
$$;

-- Read inside the functions below alone.
create policy route on event for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'events');
create policy route on event_feed for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'events');
create policy route on time_slot for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'events');
create policy route on tenant for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'events');

-- Tenants with events to place or to receive, or with reservations that expired; disabled ones wait.
create function tenants_to_route(subscribers text[], at timestamptz) returns setof uuid
language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'events', true);
    return query
        with found as (
            select distinct event.tenant_id from event where event.position is null
            union
            select event_feed.tenant_id from event_feed
            where event_feed.ends_at > event_feed.routed_to or not event_feed.routed_by @> subscribers
            union
            select distinct time_slot.tenant_id from time_slot
            where time_slot.status = 'Reserved' and not time_slot.is_expiry_written and time_slot.expires_at <= at
        )
        select found.tenant_id from found join tenant using (tenant_id) where tenant.disabled_at is null;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- When the first event happened that some subscriber has not received; null when all have. Disabled tenants' are left out.
create function measure_routing() returns timestamptz
language plpgsql security definer set search_path = public as $$
declare
    first_at timestamptz;
begin
    perform set_config('meetdeck.identifying', 'events', true);
    select min(waiting.happened_at) into first_at
    from (
        select event.tenant_id, event.happened_at from event where event.position is null
        union all
        select event.tenant_id, event.happened_at
        from event_feed
        join event on event.tenant_id = event_feed.tenant_id and event.position = event_feed.routed_to + 1
        where event_feed.ends_at > event_feed.routed_to
    ) as waiting
    join tenant using (tenant_id)
    where tenant.disabled_at is null;
    perform set_config('meetdeck.identifying', '', true);
    return first_at;
end
$$;
