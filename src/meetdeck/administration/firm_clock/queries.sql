-- name: lock_clock()$
-- The lead of the firm's clock, locked until the transaction ends.
insert into moved_clock (tenant_id, ahead) values (current_tenant(), '0')
on conflict (tenant_id) do update set ahead = moved_clock.ahead
returning ahead;

-- name: move_clock(ahead)!
update moved_clock set ahead = :ahead;

-- name: reset_clock(now)!
-- Jobs that are due by the firm's time stay due.
with due as materialized (select bring_jobs_forward(:now))
delete from moved_clock using due;

-- name: list_clocks()
-- Called without a tenant.
select tenant_id, ahead from list_moved_clocks();
