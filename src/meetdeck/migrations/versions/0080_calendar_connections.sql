-- Connections to a firm's calendars, and the mailboxes that they are read from: of a mailbox's entries, times and kinds
-- alone are kept, as calendar entries whose `calendar_id` is the mailbox.

create table calendar_connection (
    tenant_id           uuid not null references tenant on delete cascade,
    connection_id       uuid not null,
    name                text not null,
    kind                text not null check (kind in ('Microsoft365')),
    directory_id        text not null,
    client_id           text not null,
    secret_encrypted    bytea not null,
    is_certificate      boolean not null, -- the secret is a private key and its certificate
    address             text not null,
    login_address       text not null,
    group_id            text not null,
    tentative_blocks    boolean not null,
    stale_after_seconds integer not null,
    created_at          timestamptz not null,
    members_at          timestamptz, -- when the mailboxes were last listed
    tried_at            timestamptz, -- the last try of anything
    problem             text, -- of the last try; null: it succeeded
    is_too_wide         boolean not null default false, -- it may read mailboxes outside of the group, too
    primary key (tenant_id, connection_id)
);
call isolate_by_tenant('calendar_connection');

create table calendar_mailbox (
    tenant_id     uuid not null,
    mailbox_id    uuid not null,
    connection_id uuid not null,
    email         text not null, -- in lower case
    employee_id   uuid, -- both null: nobody here has this address
    room_id       uuid,
    near_at       timestamptz, -- when the next two weeks were last read without a problem, and the weeks after
    far_at        timestamptz,
    problem       text, -- of the last try
    primary key (tenant_id, mailbox_id),
    check (num_nonnulls(employee_id, room_id) <= 1),
    foreign key (tenant_id, connection_id) references calendar_connection on delete cascade,
    foreign key (tenant_id, employee_id) references employee on delete cascade,
    foreign key (tenant_id, room_id) references room on delete cascade
);
create unique index calendar_mailbox_email on calendar_mailbox (tenant_id, connection_id, email);
call isolate_by_tenant('calendar_mailbox');

create function forget_mailbox_entries() returns trigger language plpgsql as $$
begin
    delete from calendar_entry where tenant_id = old.tenant_id and calendar_id = old.mailbox_id;
    return null;
end
$$;
create trigger forget_mailbox_entries after delete on calendar_mailbox
    for each row execute function forget_mailbox_entries();
create trigger forget_entries_of_another after update of employee_id, room_id on calendar_mailbox
    for each row when (old.employee_id is distinct from new.employee_id or old.room_id is distinct from new.room_id)
    execute function forget_mailbox_entries();
