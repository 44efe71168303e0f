-- Group meetings (docs/decisions/0209): several customers book the same time of an advisor, each with a meeting of its own.

alter table meeting_topic add column seats integer not null default 1 check (seats between 1 and 1000);

-- A time at which an advisor meets several customers about a topic. Its members are the time slots that refer to it; whoever
-- begins it or takes a seat has locked the advisor.
create table shared_slot (
    tenant_id      uuid not null references tenant on delete cascade,
    shared_slot_id uuid not null,
    employee_id    uuid not null,
    topic_id       uuid not null,
    meeting_type   text not null,
    starts_at      timestamptz not null,
    ends_at        timestamptz not null,
    room_id        uuid,
    is_placed      boolean not null, -- whether the room, or none, was settled: by the first booking, or a hold of a room
    created_at     timestamptz not null,
    primary key (tenant_id, shared_slot_id),
    unique (tenant_id, employee_id, starts_at, ends_at, topic_id, meeting_type),
    check (starts_at < ends_at)
);
create index shared_slot_by_topic on shared_slot (tenant_id, topic_id, starts_at);
create index shared_slot_by_end on shared_slot (ends_at, tenant_id);
call isolate_by_tenant('shared_slot');

alter table time_slot
    add column shared_slot_id uuid,
    add column seat integer,
    add foreign key (tenant_id, shared_slot_id) references shared_slot,
    add check ((shared_slot_id is null) = (seat is null));
create index time_slot_by_shared_slot on time_slot (tenant_id, shared_slot_id) where shared_slot_id is not null;

alter table meeting add column shared_slot_id uuid;
create index meeting_by_shared_slot on meeting (tenant_id, shared_slot_id) where shared_slot_id is not null;

-- Two rows of one resource overlap only if they are of one shared slot, and then each has a seat of its own.
alter table occupancy
    add column shared_slot_id uuid,
    add column seat integer,
    add column taken_by uuid not null generated always as (coalesce(shared_slot_id, time_slot_id)) stored,
    add check ((shared_slot_id is null) = (seat is null)),
    drop constraint no_double_booking,
    add constraint no_double_booking exclude using gist (
        tenant_id with =, resource_key with =, during with &&, taken_by with <>
    ) where (starts_at < ends_at);
create unique index no_seat_twice on occupancy (tenant_id, shared_slot_id, resource_key, seat, starts_at)
    where shared_slot_id is not null;
create index occupancy_of_shared_slots on occupancy (tenant_id, starts_at) where shared_slot_id is not null;

drop function find_reservation(uuid);
create function find_reservation(of_token uuid) returns table (
    time_slot_id uuid, starts_at timestamptz, ends_at timestamptz, employee_id uuid, room_id uuid, service_group text,
    status text, token uuid, expires_at timestamptz, renewals smallint, existing_meeting_id uuid,
    also_service_groups text[], additional_employees uuid[], shared_slot_id uuid, seat integer
)
language plpgsql rows 1 as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('reservation ' || of_token, 0));
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

-- As before, but a topic with seats needs a closer look, too.
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
        perform from meeting_topic
        where topic_id = of_topic and also_service_groups = '{}' and seats = 1
        for key share;
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
