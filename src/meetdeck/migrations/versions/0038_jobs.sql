-- Jobs: work that is due at a time, written in the transaction that wants it, for whichever process takes it (docs/decisions/0112).

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
create index job_by_lease on job (taken_until) where taken_by is not null;
create index job_by_lane on job (queue, tenant_id, lane, due_at);
call isolate_by_tenant('job');

-- Read inside the functions below alone, as tenants are (0032).
create policy look on job for select to current_user using (current_setting('meetdeck.identifying', true) = 'jobs');
create policy look on tenant for select to current_user using (current_setting('meetdeck.identifying', true) = 'jobs');

-- Jobs that may be taken, at most so many: of each lane the first, as many as are free in it. Lanes are looked up one by one,
-- so that a hundred thousand jobs of one are in nobody's way; but only when anything is due at all. Disabled tenants' wait.
create function list_due_jobs(queues text[], at timestamptz, most integer, most_of_lane integer)
    returns table (tenant_id uuid, queue text, job_id uuid)
language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
begin
    perform set_config('meetdeck.identifying', 'jobs', true);
    if exists (select from job where taken_by is null and due_at <= at)
        or exists (select from job where taken_by is not null and taken_until <= at)
    then
        return query
            with recursive lane as (
                (
                    select job.queue, job.tenant_id, job.lane from job
                    order by job.queue, job.tenant_id, job.lane limit 1
                )
                union all
                select later.queue, later.tenant_id, later.lane
                from lane
                cross join lateral (
                    select job.queue, job.tenant_id, job.lane from job
                    where (job.queue, job.tenant_id, job.lane) > (lane.queue, lane.tenant_id, lane.lane)
                    order by job.queue, job.tenant_id, job.lane limit 1
                ) as later
            )
            select lane.tenant_id, lane.queue, free.job_id
            from lane
            cross join lateral (
                select job.job_id, job.due_at, row_number() over (order by job.due_at) as place
                from job
                where job.queue = lane.queue and job.tenant_id = lane.tenant_id and job.lane = lane.lane
                    and job.due_at <= at and (job.taken_until is null or job.taken_until <= at)
                order by job.due_at
                limit greatest(
                    0,
                    most_of_lane - (
                        select count(*) from job as busy
                        where busy.queue = lane.queue and busy.tenant_id = lane.tenant_id and busy.lane = lane.lane
                            and busy.taken_by is not null and busy.taken_until > at
                    )
                )
            ) as free
            where lane.queue = any (queues) and not exists (
                select from tenant where tenant.tenant_id = lane.tenant_id and disabled_at is not null
            )
            order by free.place, free.due_at
            limit most;
    end if;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Of each queue, how many jobs are due and since when the first is; how many failed and are tried again.
create function measure_jobs(at timestamptz)
    returns table (queue text, due bigint, first_due_at timestamptz, failing bigint)
language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
begin
    perform set_config('meetdeck.identifying', 'jobs', true);
    return query
        select job.queue, count(*) filter (where due_at <= at), min(due_at) filter (where due_at <= at),
            count(*) filter (where failures > 0)
        from job
        where due_at <= at or failures > 0
        group by job.queue;
    perform set_config('meetdeck.identifying', '', true);
end
$$;
