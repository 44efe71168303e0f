-- Jobs that a process may take of some queues, with a share for each tenant and lane (docs/decisions/0158). The functions of
-- 0038 with fewer parameters stay for the release before.
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
revoke execute on function list_due_jobs(text[], timestamptz, uuid, integer, integer, integer) from public;

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
