-- The index that finds reservations to forget begins with when they expired, so that no other search is like it: while a
-- young database has no statistics, PostgreSQL read it through for each search by token.
drop index time_slot_to_forget;
create index time_slot_to_forget on time_slot (expires_at, tenant_id) where status = 'Reserved';
