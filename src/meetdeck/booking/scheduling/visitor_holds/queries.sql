-- name: lock_holds()!
-- Lets one transaction at a time count the firm's holds and add one, until it ends. Taken before any other lock.
select pg_advisory_xact_lock(hashtextextended('visitor holds ' || current_tenant()::text, 0));

-- name: list_live(now)
-- Those that still hold their time.
select holder, token, employee_id, starts_at, ends_at, expires_at
from visitor_hold
join time_slot using (tenant_id, time_slot_id)
where status = 'Reserved' and expires_at > :now;

-- name: add_hold(time_slot_id, holder, now)!
insert into visitor_hold (tenant_id, time_slot_id, holder, held_at)
values (current_tenant(), :time_slot_id, :holder, :now)
on conflict (tenant_id, time_slot_id) do update set held_at = excluded.held_at;

-- name: holds(time_slot_id)$
select exists (select from visitor_hold where time_slot_id = :time_slot_id);

-- name: delete_ended(now)!
-- An hour later: whoever is told of their end asks whose they were.
delete from visitor_hold
where held_at < cast(:now as timestamptz) - interval '1 hour' and not exists (
    select from time_slot
    where time_slot.time_slot_id = visitor_hold.time_slot_id and status = 'Reserved' and expires_at > :now
);
