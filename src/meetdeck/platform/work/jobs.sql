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

-- name: take(queues, now, until, taken_by, most, most_of_lane, most_of_tenant)
-- Called without a tenant; so are the next two. While the installation is held there is room for none.
-- A synchronous standby is not waited for, since the lock that take_jobs holds would keep all other processes waiting, too:
-- jobs whose taking is lost in a failover are taken again.
select tenant_id, queue, job_id, generation, failures
from set_config('synchronous_commit', 'local', true) as local, take_jobs(
    :queues::text[], :now, :until, :taken_by, case when exists (select from sending_hold) then 0 else :most::integer end,
    :most_of_lane, :most_of_tenant
);

-- name: renew(tenant_ids, queues, job_ids, taken_by, until)!
select renew_jobs(:tenant_ids::uuid[], :queues::text[], :job_ids::uuid[], :taken_by, :until);

-- name: finish(tenant_ids, queues, job_ids, generations, taken_by)!
select finish_jobs(:tenant_ids::uuid[], :queues::text[], :job_ids::uuid[], :generations::int[], :taken_by);

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
