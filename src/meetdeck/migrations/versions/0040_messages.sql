-- Messages to the people of meetings, and the words that firms chose for them (docs/decisions/0115, 0116).

-- A message that is due, or was. What it says is made when it is sent, of the meeting as it is then, and is kept nowhere.
create table message (
    tenant_id     uuid not null,
    message_id    uuid not null,
    meeting_id    uuid not null,
    kind          text not null constraint message_kind check (kind in ('Invitation', 'Change', 'Cancellation')),
    recipient     text not null check (recipient in ('Attendee', 'Employee')),
    address       text not null,
    sequence      integer not null, -- of the meeting's calendar object, when it became due
    told          bytea not null check (length(told) = 16), -- a digest of time, place and title, as they are told
    status        text not null default 'Waiting' check (status in ('Waiting', 'Sent', 'Dropped', 'Failed')),
    reason        text, -- of a message that was not sent (yet); names nobody
    attempts      integer not null default 0,
    language      text, -- in which it was sent
    sent_sequence integer, -- of the calendar object that was sent
    created_at    timestamptz not null,
    ended_at      timestamptz, -- when it was sent, or given up
    primary key (tenant_id, message_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    check ((status = 'Waiting') = (ended_at is null))
);
-- None goes twice.
create unique index message_once on message (tenant_id, meeting_id, kind, lower(address), sequence);
call isolate_by_tenant('message');

-- A customer's address goes with the rest of what a meeting knows of its customer.
create function forget_messages() returns trigger language plpgsql as $$
begin
    delete from message
    where tenant_id = new.tenant_id and meeting_id = new.meeting_id and recipient = 'Attendee';
    return null;
end
$$;
create trigger forget_messages after update of erased_at on meeting
    for each row when (new.erased_at is not null) execute function forget_messages();

-- What the mailbox of the test environment shows; nothing is in it in production.
create table kept_mail (
    tenant_id  uuid not null,
    message_id uuid not null,
    number     bigint not null generated always as identity, -- in this order
    kept_at    timestamptz not null,
    recipients text[] not null,
    subject    text not null,
    text       text not null,
    html       text not null,
    calendar   text,
    primary key (tenant_id, message_id),
    foreign key (tenant_id, message_id) references message on delete cascade
);
create index kept_mail_by_number on kept_mail (number);
call isolate_by_tenant('kept_mail');

-- Read inside the functions below alone, as portals are (0028): whoever opens the mailbox has no credentials.
create policy identify on kept_mail for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'mailbox');

create function list_kept_mails(most integer) returns setof kept_mail
language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'mailbox', true);
    return query select * from kept_mail order by number desc limit most;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- The words of a firm's own for a kind of messages; without a row, those that Meetdeck comes with.
create table message_text (
    tenant_id uuid not null references tenant on delete cascade,
    kind      text not null,
    language  text not null,
    subject   text not null,
    heading   text not null,
    body      text not null,
    closing   text not null,
    primary key (tenant_id, kind, language)
);
call isolate_by_tenant('message_text');

-- Which messages a firm wants; without a row, all.
create table message_setting (
    tenant_id     uuid primary key references tenant on delete cascade,
    send_messages boolean not null default true
);
call isolate_by_tenant('message_setting');

-- What became of a message stands in its meeting's history.
alter table meeting_history
    add column reason text,
    drop constraint meeting_history_action_check,
    add constraint meeting_history_action_check
        check (action in ('Created', 'Changed', 'Cancelled', 'Erased', 'MessageNotSent', 'AttendeeReplied')),
    drop constraint meeting_history_command_check,
    add constraint meeting_history_command_check check (command in ('erase', 'retention', 'messages'));
