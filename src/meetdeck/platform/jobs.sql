-- name: enqueue(queue, job_id, lane, due_at)!
-- One that is in work stays so, and is due again afterwards.
insert into job (tenant_id, queue, job_id, lane, due_at)
values (current_tenant(), :queue, :job_id, :lane, :due_at)
on conflict (tenant_id, queue, job_id) do update
set lane = excluded.lane, due_at = excluded.due_at, generation = job.generation + 1, failures = 0;

-- name: enqueue_all(queue, job_ids, lanes, due_at)!
insert into job (tenant_id, queue, job_id, lane, due_at)
select current_tenant(), :queue, job_id, lane, :due_at
from unnest(:job_ids::uuid[], :lanes::text[]) as each (job_id, lane)
on conflict (tenant_id, queue, job_id) do update
set lane = excluded.lane, due_at = excluded.due_at, generation = job.generation + 1, failures = 0;

-- name: cancel(queue, job_id)!
delete from job where queue = :queue and job_id = :job_id;

-- name: list_due(queues, now, most, most_of_lane)
-- Called without a tenant.
select tenant_id, queue, job_id from list_due_jobs(:queues::text[], :now, :most, :most_of_lane);

-- name: take(queues, job_ids, now, until, taken_by)
-- What another process took meanwhile is left to it.
update job
set taken_by = :taken_by, taken_until = :until
from (
    select job.queue, job.job_id
    from unnest(:queues::text[], :job_ids::uuid[]) as wanted (queue, job_id)
    join job using (queue, job_id)
    where due_at <= :now and (taken_until is null or taken_until <= :now)
    for update of job skip locked
) as free
where job.queue = free.queue and job.job_id = free.job_id
returning job.queue, job.job_id, generation, failures;

-- name: renew(taken_by, until)!
update job set taken_until = :until where taken_by = :taken_by;

-- name: finish(queues, job_ids, generations, taken_by)!
-- Deletes jobs that are done; those that were enqueued again meanwhile are given back.
with done as (
    select queue, job_id, generation
    from unnest(:queues::text[], :job_ids::uuid[], :generations::int[]) as each (queue, job_id, generation)
),
gone as (
    delete from job using done
    where job.queue = done.queue and job.job_id = done.job_id and job.generation = done.generation
        and taken_by = :taken_by
)
update job set taken_by = null, taken_until = null
from done
where job.queue = done.queue and job.job_id = done.job_id and job.generation <> done.generation
    and taken_by = :taken_by;

-- name: put_back(queue, job_id, generation, taken_by, due_at, failures)!
-- Gives a job back, due at a time; at the time that it was enqueued for meanwhile.
update job
set taken_by = null, taken_until = null,
    due_at = case when generation = :generation then :due_at else due_at end,
    failures = case when generation = :generation then :failures else 0 end
where queue = :queue and job_id = :job_id and taken_by = :taken_by;

-- name: measure(now)
-- Called without a tenant.
select queue, due, first_due_at, failing from measure_jobs(:now);
