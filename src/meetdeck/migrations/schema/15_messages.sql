-- Messages to the people of meetings, reminders and notices (docs/decisions/0115, 0116, 0119, 0144).

-- A message that is due, or was. What it says is made when it is sent, of the meeting as it is then, and is kept nowhere.
create table message (
    tenant_id       uuid not null,
    message_id      uuid not null,
    meeting_id      uuid not null,
    kind            text not null constraint message_kind check (kind in ('Invitation', 'Change', 'Cancellation')),
    recipient       text not null check (recipient in ('Attendee', 'Employee')),
    address         text not null,
    sequence        integer not null, -- of the meeting's calendar object, when it became due
    told            bytea not null check (length(told) = 16), -- a digest of time, place and title, as they are told
    status          text not null default 'Waiting' check (status in ('Waiting', 'Sent', 'Dropped', 'Failed')),
    reason          text, -- of a message that was not sent (yet); names nobody
    attempts        integer not null default 0,
    language        text, -- in which it was sent
    sent_sequence   integer, -- of the calendar object that was sent
    created_at      timestamptz not null,
    ended_at        timestamptz, -- when it was sent, or given up
    -- `begun_at` is committed before an attempt and null after it: one whose process was killed keeps it.
    -- `is_perhaps_sent`: an attempt before the present one ended without an answer.
    begun_at        timestamptz,
    is_perhaps_sent boolean not null default false,
    primary key (tenant_id, message_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    check ((status = 'Waiting') = (ended_at is null))
);
-- None goes twice.
create unique index message_once on message (tenant_id, meeting_id, kind, lower(address), sequence);
create index message_by_meeting on message (meeting_id);
-- What was tried and is not sent yet: none, as long as the servers answer.
create index message_not_sent on message (tenant_id) where status = 'Waiting' and attempts > 0;
call isolate_by_tenant('message');

-- A customer's address goes with the rest of what a meeting knows of its customer.
create function forget_messages() returns trigger language plpgsql as $$
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
create trigger forget_messages after update of erased_at on meeting
    for each row when (new.erased_at is not null) execute function forget_messages();

-- Answers to invitations come by mail, before their tenant is known: whose the meeting is, of those about which messages were
-- sent. Read inside this function alone.
create policy identify on message for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'message');

create function identify_told_meeting(id uuid) returns uuid
language plpgsql security definer set search_path = public as $$
declare
    found_id uuid;
begin
    perform set_config('meetdeck.identifying', 'message', true);
    select tenant_id into found_id from message where meeting_id = id limit 1;
    perform set_config('meetdeck.identifying', '', true);
    return found_id;
end
$$;

-- What the mailbox of the test environment shows: messages, reminders and notices. Nothing is in it in production.
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
    foreign key (tenant_id) references tenant on delete cascade
);
create index kept_mail_by_number on kept_mail (number);
call isolate_by_tenant('kept_mail');

-- Read inside the function below alone: whoever opens the mailbox has no credentials.
create policy identify on kept_mail for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'mailbox');

-- The newest first; its columns are named for the same reason as those of `find_reservation`.
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
    tenant_id           uuid primary key references tenant on delete cascade,
    send_messages       boolean not null default true,
    mail_reminder_hours integer not null default 72 check (mail_reminder_hours between 0 and 720),
    text_reminder_hours integer not null default 24 check (text_reminder_hours between 0 and 720),
    quiet_from          time not null default '21:00',
    quiet_until         time not null default '08:00'
);
call isolate_by_tenant('message_setting');

-- Reminders: decided from the meeting as it is when their time has come (docs/decisions/0119).
create table reminder (
    tenant_id       uuid not null,
    reminder_id     uuid not null,
    meeting_id      uuid not null,
    kind            text not null check (kind in ('Mail', 'Text')),
    recipient       text not null check (recipient in ('Attendee', 'Employee')),
    address         text not null, -- an e-mail address, or a telephone number; empty: the channel of the installation
    time_sequence   integer not null, -- of the time of which it reminds
    status          text not null default 'Waiting' check (status in ('Waiting', 'Sent', 'Dropped', 'Failed')),
    reason          text, -- of one that was not sent (yet); names nobody
    attempts        integer not null default 0,
    created_at      timestamptz not null,
    ended_at        timestamptz, -- when it was sent, or given up
    begun_at        timestamptz,
    is_perhaps_sent boolean not null default false,
    primary key (tenant_id, reminder_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    check ((status = 'Waiting') = (ended_at is null))
);
-- Nobody is reminded twice of a time.
create unique index reminder_once on reminder (tenant_id, meeting_id, kind, lower(address), time_sequence);
create index reminder_not_sent on reminder (tenant_id) where status = 'Waiting' and attempts > 0;
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

-- Notices: mails about an offer of the waiting list, a meeting's documents, a change of an e-mail address, and a booking that
-- waits to be confirmed. The address is looked up when one
-- is sent: none is kept here.
create table notice (
    tenant_id       uuid not null,
    notice_id       uuid not null,
    kind            text not null,
    wish_id         uuid,
    meeting_id      uuid,
    occasion        uuid not null, -- of an offer its reservation, of documents the event, else what waits for confirmation
    status          text not null default 'Waiting' check (status in ('Waiting', 'Sent', 'Dropped', 'Failed')),
    reason          text, -- of one that was not sent (yet); names nobody
    attempts        integer not null default 0,
    told            bytea, -- the digest of what was sent, and to which address
    created_at      timestamptz not null,
    ended_at        timestamptz, -- when it was sent, or given up
    begun_at        timestamptz,
    is_perhaps_sent boolean not null default false,
    primary key (tenant_id, notice_id),
    unique (tenant_id, kind, occasion),
    foreign key (tenant_id, wish_id) references wish on delete cascade,
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    check ((kind = 'Offer') = (wish_id is not null)),
    constraint notice_check2 check ((status = 'Waiting') = (ended_at is null))
);
create index notice_by_meeting on notice (tenant_id, meeting_id);
create index notice_by_wish on notice (tenant_id, wish_id);
create index notice_not_sent on notice (tenant_id) where status = 'Waiting' and attempts > 0;
-- Not valid: rows of before 1.0 were never looked through for these two.
alter table notice
    add constraint notice_kind_check check (
        kind in ('Offer', 'EmployeeDocuments', 'EmployeeDocumentsFailed', 'AddressChange', 'BookingConfirmation')
    ) not valid,
    add constraint notice_meeting_check check (
        (kind in ('Offer', 'BookingConfirmation')) = (meeting_id is null)
    ) not valid;
call isolate_by_tenant('notice');

-- A mail that the test environment keeps goes with its wish or meeting.
create function forget_notice_mail() returns trigger language plpgsql as $$
begin
    delete from kept_mail where tenant_id = old.tenant_id and message_id = old.notice_id;
    return null;
end
$$;
create trigger forget_notice_mail after delete on notice for each row execute function forget_notice_mail();

create function forget_notices() returns trigger language plpgsql as $$
begin
    delete from notice where tenant_id = new.tenant_id and meeting_id = new.meeting_id;
    return null;
end
$$;
create trigger forget_notices after update of erased_at on meeting
    for each row when (new.erased_at is not null) execute function forget_notices();

create function forget_notice_of_unconfirmed_booking() returns trigger language plpgsql as $$
begin
    delete from notice
    where tenant_id = old.tenant_id and kind = 'BookingConfirmation' and occasion = old.unconfirmed_booking_id;
    return null;
end
$$;
create trigger forget_notice_of_unconfirmed_booking after delete on unconfirmed_booking
    for each row execute function forget_notice_of_unconfirmed_booking();
