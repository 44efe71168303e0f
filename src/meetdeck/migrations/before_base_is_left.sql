-- Give the version before 1.0 a `find_reservation` that names its columns, while it goes on to call it.
--
-- It returns `setof time_slot`, and its body there selects `*`. A call that waits in it for the locks of the
-- steps was promised the columns before them, and fails when it then finds more. Step 0067 replaces the function, but only
-- in the transaction that adds the columns. The schema of 1.0 never had it.

do $do$
begin
    if to_regprocedure('find_reservation(uuid)')::oid in (
        select oid from pg_proc where prorettype = 'time_slot'::regtype
    ) then
        create or replace function find_reservation(of_token uuid) returns setof time_slot
        language plpgsql rows 1 as $$
        begin
            perform pg_advisory_xact_lock(hashtextextended('reservation ' || of_token, 0));
            return query
                select
                    tenant_id, time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token,
                    expires_at, renewals, existing_meeting_id, created_at, is_expiry_written
                from time_slot
                where token = of_token and status = 'Reserved'
                for no key update;
        end
        $$;
    end if;
end
$do$;
