-- Functions that return rows name the columns. One that returned `setof` a table failed the calls that were waiting for the
-- table's lock while a step added a column: the rows then had a column more than the caller had been promised.

drop function find_reservation(uuid);
create function find_reservation(of_token uuid) returns table (
    time_slot_id uuid, starts_at timestamptz, ends_at timestamptz, employee_id uuid, room_id uuid, service_group text,
    status text, token uuid, expires_at timestamptz, renewals smallint, existing_meeting_id uuid
)
language plpgsql rows 1 as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('reservation ' || of_token, 0));
    return query
        select
            slot.time_slot_id, slot.starts_at, slot.ends_at, slot.employee_id, slot.room_id, slot.service_group,
            slot.status, slot.token, slot.expires_at, slot.renewals, slot.existing_meeting_id
        from time_slot as slot
        where slot.token = of_token and slot.status = 'Reserved'
        for no key update;
end
$$;

drop function list_kept_mails(integer);
create function list_kept_mails(most integer) returns table (
    message_id uuid, kept_at timestamptz, recipients text[], subject text, text text, html text, calendar text
)
language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'mailbox', true);
    return query
        select mail.message_id, mail.kept_at, mail.recipients, mail.subject, mail.text, mail.html, mail.calendar
        from kept_mail as mail
        order by mail.number desc
        limit most;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- What only releases before schema 0066 called.
drop function if exists identify_subscription_key(bytea);
drop function if exists take_rate_share(bytea, integer, integer, integer, integer, bigint);
drop function if exists take_jobs(text[], timestamptz, timestamptz, uuid, integer, integer);
drop function if exists list_due_jobs(text[], timestamptz, uuid, integer, integer);
