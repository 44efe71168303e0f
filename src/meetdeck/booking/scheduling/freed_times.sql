-- name: find_horizon(now)$
select max(to_at) from wish where to_at > :now;

-- name: add_freed_time(freed_time_id, employee_id, starts_at, ends_at, now)!
insert into freed_time (tenant_id, freed_time_id, employee_id, starts_at, ends_at, freed_at)
values (current_tenant(), :freed_time_id, :employee_id, :starts_at, :ends_at, :now);
