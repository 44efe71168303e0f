-- What a search offers of people whose calendar was not read for a while; the while becomes an interval.

alter table calendar_connection
    add column when_stale text not null default 'Offer' check (when_stale in ('Offer', 'Block')),
    add column stale_after interval not null default '10 minutes'
        check (stale_after between interval '1 minute' and interval '1 day');
update calendar_connection set stale_after = stale_after_seconds * interval '1 second';
alter table calendar_connection drop column stale_after_seconds;

-- The employees and rooms of whom nothing is offered now, because their calendar was not read for so long.
create function unread_resources(now_at timestamptz) returns table (resource_key integer) language sql stable as $$
    select resource.resource_key
    from calendar_connection as reading
    join calendar_mailbox as mailbox using (tenant_id, connection_id)
    join resource
        on resource.tenant_id = mailbox.tenant_id
        and resource.resource_id = coalesce(mailbox.employee_id, mailbox.room_id)
    where reading.when_stale = 'Block'
        and (mailbox.near_at is null or mailbox.near_at <= now_at - reading.stale_after)
$$;
