-- Whose calendars are read first: of those who were searched for lately; and when a mailbox was last tried, also in vain.

alter table calendar_mailbox add column sought_at timestamptz, add column tried_at timestamptz;

create index calendar_mailbox_employees on calendar_mailbox (tenant_id, employee_id) where employee_id is not null;
create index calendar_mailbox_rooms on calendar_mailbox (tenant_id, room_id) where room_id is not null;

create policy identify on calendar_connection for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'calendars');

-- The tenants with a connection: only of their searches and reservations anything is noted.
create function list_connected_tenants() returns setof uuid
    language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'calendars', true);
    return query select distinct tenant_id from calendar_connection;
    perform set_config('meetdeck.identifying', '', true);
end
$$;
