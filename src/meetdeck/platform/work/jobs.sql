-- name: enqueue(jobs)!
-- A running job continues, and is due again afterwards.
insert into job (tenant_id, queue, job_id, lane, due_at)
select current_tenant(), queue, job_id, lane, due_at
from jsonb_to_recordset(:jobs) as each (queue text, job_id uuid, lane text, due_at timestamptz)
on conflict (tenant_id, queue, job_id) do update
set lane = excluded.lane, due_at = excluded.due_at, generation = job.generation + 1, failures = 0;

-- name: cancel(queue, job_id)!
delete from job where queue = :queue and job_id = :job_id;

-- name: take(halves, now, until, taken_by, most_of_lane, tenant_ids, done_queues, job_ids, generations)
-- Finishes the jobs that are done, and then takes due ones: of each half of the queues, whose names commas separate, as many
-- as there is room for. Called without a tenant; so are the next two. While the installation is held there is room for none.
-- A synchronous standby is not waited for, since the lock that take_jobs holds would keep all other processes waiting, too:
-- jobs whose taking is lost in a failover are taken again.
with finished as materialized (
    select finish_jobs(:tenant_ids::uuid[], :done_queues::text[], :job_ids::uuid[], :generations::int[], :taken_by)::text as done
    from set_config('synchronous_commit', 'local', true)
)
select taken.tenant_id, taken.queue, taken.job_id, taken.generation, taken.failures
from finished
cross join jsonb_to_recordset(:halves) as half (queues text, room integer, most_of_tenant integer)
cross join lateral take_jobs(
    string_to_array(half.queues, ','), :now, :until, :taken_by,
    case when done is not null and not exists (select from sending_hold) then room else 0 end, -- it is finished before
    :most_of_lane, half.most_of_tenant
) as taken;

-- name: bring_forward(now)!
-- Makes jobs due that are due by a clock that was moved. Called without a tenant.
select bring_jobs_forward(:now);

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
