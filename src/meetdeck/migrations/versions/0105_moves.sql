-- Moving a tenant to another database (docs/decisions/0233). While its rows are copied there, and until the last of them are
-- deleted here, nothing in the background acts on them: `tenant.cell` says that the tenant lives elsewhere.
--
-- A tenant with the lease `move` is about to leave: its jobs wait until it has left.

-- The lock of who moves a tenant out of a database or into it, in the session that writes there.
create function move_lock(id text) returns bigint language sql immutable
    return hashtextextended('move ' || id, 0);

create policy look on lease for select to current_user using (current_setting('meetdeck.identifying', true) = 'jobs');

create or replace function list_due_jobs(
    queues text[], at timestamptz, by uuid, most integer, most_of_lane integer, most_of_tenant integer
)
    returns table (tenant_id uuid, queue text, job_id uuid)
language plpgsql rows 100 set enable_hashjoin = on set enable_mergejoin = on as $$
#variable_conflict use_column
declare
    few constant integer := 500;
    is_much boolean := (
        select count(*) > few
        from (select from job where taken_by is null and due_at <= at order by due_at limit few + 1) as due
    );
begin
    return query
        with recursive lane as (
            (
                select job.queue, job.tenant_id, job.lane from job
                where is_much and taken_by is null
                order by job.queue, job.tenant_id, job.lane limit 1
            )
            union all
            select later.queue, later.tenant_id, later.lane
            from lane
            cross join lateral (
                select job.queue, job.tenant_id, job.lane from job
                where taken_by is null and (job.queue, job.tenant_id, job.lane) > (lane.queue, lane.tenant_id, lane.lane)
                order by job.queue, job.tenant_id, job.lane limit 1
            ) as later
        ),
        busy as (
            select job.queue, job.tenant_id, job.lane, count(*) as jobs from job
            where taken_by = by and taken_until > at and job.queue = any (queues)
            group by job.queue, job.tenant_id, job.lane
        ),
        busy_tenant as (
            select busy.tenant_id, sum(busy.jobs) as jobs from busy group by busy.tenant_id
        ),
        due as (
            (
                select job.queue, job.tenant_id, job.lane, job.job_id, job.due_at from job
                where not is_much and taken_by is null and due_at <= at
                order by due_at limit few
            )
            union all
            select lane.queue, lane.tenant_id, lane.lane, first.job_id, first.due_at
            from lane
            cross join lateral (
                select job.job_id, job.due_at from job
                where job.queue = lane.queue and job.tenant_id = lane.tenant_id and job.lane = lane.lane
                    and taken_by is null and due_at <= at
                order by job.queue, job.tenant_id, job.lane, due_at
                limit most_of_lane
            ) as first
            where lane.queue = any (queues)
            union all
            select job.queue, job.tenant_id, job.lane, job.job_id, job.due_at from job
            where taken_by is not null and taken_until <= at
        ),
        in_lane as (
            select due.*, row_number() over (partition by due.queue, due.tenant_id, due.lane order by due.due_at)
                + coalesce(busy.jobs, 0) as of_lane
            from due
            left join busy using (queue, tenant_id, lane)
            where due.queue = any (queues) and not exists (
                select from tenant
                where tenant.tenant_id = due.tenant_id and (disabled_at is not null or cell is not null)
            )
            and not exists (
                select from lease
                where lease.tenant_id = due.tenant_id and lease.name = 'move' and lease.expires_at > clock_timestamp()
            )
        ),
        placed as (
            select in_lane.*, row_number() over (partition by in_lane.tenant_id order by of_lane, in_lane.due_at)
                + coalesce(busy_tenant.jobs, 0) as of_tenant
            from in_lane
            left join busy_tenant using (tenant_id)
            where of_lane <= most_of_lane
        )
        select placed.tenant_id, placed.queue, placed.job_id
        from placed
        where of_tenant <= most_of_tenant and of_lane <= greatest(1, most_of_tenant - of_tenant + 1)
        order by of_tenant, of_lane, placed.due_at
        limit most;
end
$$;

create or replace function measure_jobs(at timestamptz)
    returns table (queue text, due bigint, first_due_at timestamptz, failing bigint)
language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
begin
    perform set_config('meetdeck.identifying', 'jobs', true);
    return query
        select job.queue, count(*) filter (where waits), min(due_at) filter (where waits), count(*) filter (where failures > 0)
        from job
        join tenant using (tenant_id)
        cross join lateral (select due_at <= at and (taken_until is null or taken_until <= at) as waits) as each
        where tenant.disabled_at is null and tenant.cell is null and (due_at <= at or failures > 0)
        group by job.queue;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

create or replace function list_to_route(subscribers text[], at timestamptz) returns table (tenant_id uuid, is_overdue boolean)
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
        where tenant.disabled_at is null and tenant.cell is null
        group by found.tenant_id;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

create or replace function tenants_to_route(subscribers text[], at timestamptz) returns setof uuid
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
        select found.tenant_id from found join tenant using (tenant_id) where tenant.disabled_at is null and tenant.cell is null;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

create or replace function measure_routing() returns timestamptz
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
    where tenant.disabled_at is null and tenant.cell is null;
    perform set_config('meetdeck.identifying', '', true);
    return first_at;
end
$$;
