-- Work that is done later (docs/decisions/0112, 0158), and leases of work that one process does.

-- Jobs: work that is due at a time, written in the transaction that wants it, for whichever process takes it.
create table job (
    tenant_id   uuid not null references tenant on delete cascade,
    queue       text not null check (queue <> ''),
    job_id      uuid not null, -- of the row that says what is to be done
    lane        text not null default '', -- jobs of a lane share what is scarce: a few of them are in work at a time
    due_at      timestamptz not null,
    generation  integer not null default 0, -- how often it was enqueued again
    failures    integer not null default 0, -- in a row
    taken_by    uuid, -- the process that has it in work; null: none
    taken_until timestamptz, -- then another process may take it
    primary key (tenant_id, queue, job_id),
    check ((taken_by is null) = (taken_until is null))
);
create index job_by_due on job (due_at) where taken_by is null;
create index job_by_lane on job (queue, tenant_id, lane, due_at) where taken_by is null;
create index job_in_work on job (taken_by, taken_until) where taken_by is not null;
call isolate_by_tenant('job');

-- For the functions below alone.
create policy look on job for select to current_user using (current_setting('meetdeck.identifying', true) = 'jobs');
create policy take on job for update to current_user using (current_setting('meetdeck.identifying', true) = 'jobs');
create policy finish on job for delete to current_user using (current_setting('meetdeck.identifying', true) = 'jobs');
create policy look on tenant for select to current_user using (current_setting('meetdeck.identifying', true) = 'jobs');

-- Jobs that a process may take of some queues, with a share for each tenant and lane: what another process has in
-- work, which may have been killed, takes no room. Disabled tenants' jobs wait. Where few are due, all of them are looked at;
-- where many are, lanes are looked up one by one, so that a hundred thousand jobs of one are in nobody's way.
--
-- One tenant has at most `most_of_tenant` jobs of these queues in work, and one of its lanes no more than are left for the
-- others: however many lanes of a tenant are slow, another one finds a place. `most_of_lane` bounds a lane besides.
create function list_due_jobs(
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
                select from tenant where tenant.tenant_id = due.tenant_id and disabled_at is not null
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
revoke execute on function list_due_jobs from public;

-- Takes jobs that are due, one process after the other, so that none finds what another is taking. This and the next two are
-- planned as if there were many jobs, however few there were when the table was last counted: they look up each by its key.
create function take_jobs(
    queues text[], at timestamptz, until timestamptz, by uuid, most integer, most_of_lane integer, most_of_tenant integer
)
    returns table (tenant_id uuid, queue text, job_id uuid, generation integer, failures integer)
language plpgsql security definer
set search_path = public set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    perform set_config('meetdeck.identifying', 'jobs', true);
    if exists (select from job where taken_by is null and due_at <= at)
        or exists (select from job where taken_by is not null and taken_until <= at)
    then
        perform pg_advisory_xact_lock(hashtext('take_jobs'));
        return query
            with free as (
                select job.tenant_id, job.queue, job.job_id
                from list_due_jobs(queues, at, by, most, most_of_lane, most_of_tenant) as due
                join job using (tenant_id, queue, job_id)
                where due_at <= at and (taken_until is null or taken_until <= at)
                for update of job skip locked
            )
            update job set taken_by = by, taken_until = until
            from free
            where job.tenant_id = free.tenant_id and job.queue = free.queue and job.job_id = free.job_id
            returning job.tenant_id, job.queue, job.job_id, job.generation, job.failures;
    end if;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Keeps what a process has in work.
create function renew_jobs(tenant_ids uuid[], queues text[], job_ids uuid[], by uuid, until timestamptz) returns void
language plpgsql security definer
set search_path = public set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
    perform set_config('meetdeck.identifying', 'jobs', true);
    perform from unnest(tenant_ids, queues, job_ids) as each (tenant_id, queue, job_id)
    join job using (tenant_id, queue, job_id)
    order by tenant_id, queue, job_id
    for update of job; -- in the same order as the next, which one process may run meanwhile
    update job set taken_until = until
    from unnest(tenant_ids, queues, job_ids) as each (tenant_id, queue, job_id)
    where job.tenant_id = each.tenant_id and job.queue = each.queue and job.job_id = each.job_id and taken_by = by;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Deletes jobs that a process has done; those that were enqueued again meanwhile are given back.
create function finish_jobs(tenant_ids uuid[], queues text[], job_ids uuid[], generations integer[], by uuid) returns void
language plpgsql security definer
set search_path = public set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
    perform set_config('meetdeck.identifying', 'jobs', true);
    perform from unnest(tenant_ids, queues, job_ids) as each (tenant_id, queue, job_id)
    join job using (tenant_id, queue, job_id)
    order by tenant_id, queue, job_id
    for update of job;
    with done as (
        select * from unnest(tenant_ids, queues, job_ids, generations) as each (tenant_id, queue, job_id, generation)
    ),
    gone as (
        delete from job using done
        where job.tenant_id = done.tenant_id and job.queue = done.queue and job.job_id = done.job_id
            and job.generation = done.generation and taken_by = by
    )
    update job set taken_by = null, taken_until = null
    from done
    where job.tenant_id = done.tenant_id and job.queue = done.queue and job.job_id = done.job_id
        and job.generation <> done.generation and taken_by = by;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Of each queue, how many jobs are due and wait, since when the first is, how many failed and are tried again. Disabled
-- tenants' are left out.
create function measure_jobs(at timestamptz)
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
        where tenant.disabled_at is null and (due_at <= at or failures > 0)
        group by job.queue;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Who is at what work, so that another process waits for it and does not do it too. A lease whose time is over is none.
create table lease (
    tenant_id  uuid not null references tenant on delete cascade,
    name       text not null check (name <> ''),
    holder     uuid not null,
    expires_at timestamptz not null, -- by the database's clock: holders need not agree on the time
    primary key (tenant_id, name)
);
call isolate_by_tenant('lease');
