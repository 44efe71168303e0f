-- Each search asks for it: in firms that block nobody it is one look at a small table, and nothing else is planned.

create or replace function unread_resources(now_at timestamptz) returns table (resource_key integer)
    language plpgsql stable as $$
begin
    if exists (select from calendar_connection where when_stale = 'Block') then
        return query
            select resource.resource_key
            from calendar_connection as reading
            join calendar_mailbox as mailbox using (tenant_id, connection_id)
            join resource
                on resource.tenant_id = mailbox.tenant_id
                and resource.resource_id = coalesce(mailbox.employee_id, mailbox.room_id)
            where reading.when_stale = 'Block'
                and (mailbox.near_at is null or mailbox.near_at <= now_at - reading.stale_after);
    end if;
end
$$;
