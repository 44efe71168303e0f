-- Connections to a firm's CalDAV server: an account signs in by name and password, and each mailbox is where somebody's
-- calendars are, with tags of what was read there last.

alter table calendar_connection
    drop constraint calendar_connection_kind_check,
    add constraint calendar_connection_kind_check check (kind in ('Microsoft365', 'CalDav')),
    alter column directory_id drop not null,
    alter column client_id drop not null,
    alter column group_id drop not null,
    alter column login_address drop not null,
    add column user_name text,
    add constraint calendar_connection_account check (
        case kind
            when 'CalDav' then user_name is not null and not is_certificate and writes = 'None'
            else num_nulls(directory_id, client_id, group_id, login_address) = 0
        end
    );

alter table calendar_mailbox
    add column homes text[] not null default '{}',
    add column near_tag text,
    add column far_tag text;
