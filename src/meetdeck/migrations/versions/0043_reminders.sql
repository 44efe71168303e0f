-- Reminders: decided from the meeting as it is when their time has come (docs/decisions/0119).

lock table message in access exclusive mode; -- its reference from kept_mail goes below

-- The time that a meeting has: the sequence of the change that gave it, and when that was. Null: when it was booked.
alter table meeting
    add column time_sequence integer not null default 0,
    add column time_since timestamptz;

create table reminder (
    tenant_id     uuid not null,
    reminder_id   uuid not null,
    meeting_id    uuid not null,
    kind          text not null check (kind in ('Mail', 'Text')),
    recipient     text not null check (recipient in ('Attendee', 'Employee')),
    address       text not null, -- an e-mail address, or a telephone number; empty: the channel of the installation
    time_sequence integer not null, -- of the time of which it reminds
    status        text not null default 'Waiting' check (status in ('Waiting', 'Sent', 'Dropped', 'Failed')),
    reason        text, -- of one that was not sent (yet); names nobody
    attempts      integer not null default 0,
    created_at    timestamptz not null,
    ended_at      timestamptz, -- when it was sent, or given up
    primary key (tenant_id, reminder_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    check ((status = 'Waiting') = (ended_at is null))
);
-- Nobody is reminded twice of a time.
create unique index reminder_once on reminder (tenant_id, meeting_id, kind, lower(address), time_sequence);
call isolate_by_tenant('reminder');

-- A customer's address goes with the rest of what a meeting knows of its customer.
create function forget_reminders() returns trigger language plpgsql as $$
begin
    with gone as (
        delete from reminder
        where tenant_id = new.tenant_id and meeting_id = new.meeting_id and recipient = 'Attendee'
        returning reminder_id
    )
    delete from kept_mail using gone where tenant_id = new.tenant_id and message_id = reminder_id;
    return null;
end
$$;
create trigger forget_reminders after update of erased_at on meeting
    for each row when (new.erased_at is not null) execute function forget_reminders();

-- Reminders are kept there, too.
alter table kept_mail
    drop constraint kept_mail_tenant_id_message_id_fkey,
    add foreign key (tenant_id) references tenant on delete cascade;
create or replace function forget_messages() returns trigger language plpgsql as $$
begin
    with gone as (
        delete from message
        where tenant_id = new.tenant_id and meeting_id = new.meeting_id and recipient = 'Attendee'
        returning message_id
    )
    delete from kept_mail using gone where tenant_id = new.tenant_id and kept_mail.message_id = gone.message_id;
    return null;
end
$$;

alter table message_setting
    add column mail_reminder_hours integer not null default 72 check (mail_reminder_hours between 0 and 720),
    add column text_reminder_hours integer not null default 24 check (text_reminder_hours between 0 and 720),
    add column quiet_from time not null default '21:00',
    add column quiet_until time not null default '08:00';
