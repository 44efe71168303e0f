-- How far the clocks of firms are ahead of the real time: tests of the test environment move them, and production reads
-- neither the table nor its functions.
create table moved_clock (
    tenant_id uuid primary key references tenant on delete cascade,
    ahead     interval not null check (ahead >= interval '0')
);
call isolate_by_tenant('moved_clock');
create policy look on moved_clock for select to current_user using (current_setting('meetdeck.identifying', true) = 'jobs');

create function list_moved_clocks() returns table (tenant_id uuid, ahead interval)
language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
begin
    perform set_config('meetdeck.identifying', 'jobs', true);
    return query select tenant_id, ahead from moved_clock where ahead > interval '0';
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Makes the jobs due now that are due by their firm's clock, for whichever process takes jobs by the real time.
create function bring_jobs_forward(at timestamptz) returns void
language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
begin
    perform set_config('meetdeck.identifying', 'jobs', true);
    with due as (
        select job.tenant_id, job.queue, job.job_id
        from moved_clock
        join job using (tenant_id)
        where taken_by is null and due_at > at and due_at <= at + ahead
        for update of job skip locked
    )
    update job set due_at = at
    from due
    where job.tenant_id = due.tenant_id and job.queue = due.queue and job.job_id = due.job_id;
    perform set_config('meetdeck.identifying', '', true);
end
$$;
