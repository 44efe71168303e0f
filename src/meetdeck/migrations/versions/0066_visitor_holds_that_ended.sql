-- A hold is known for an hour, though its reservation was replaced, which deletes the time slot: what a visitor lets go
-- is not offered to the waiting list.

lock table time_slot, visitor_hold in share row exclusive mode;

alter table visitor_hold drop constraint visitor_hold_tenant_id_time_slot_id_fkey;
alter table visitor_hold add column held_at timestamptz not null default now(); -- or kept last
