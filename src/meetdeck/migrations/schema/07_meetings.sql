-- Meetings, what was done to them, and what waits for a customer's confirmation.

-- Meetings outlive what they name: employees, rooms, topics and customer types (see `deletion`), and portals, for which meetings
-- to come are looked for under a lock before one is deleted.
create table meeting (
    tenant_id            uuid not null references tenant on delete cascade,
    meeting_id           uuid not null,
    time_slot_id         uuid not null,
    crm_id               text,
    booked_by            text not null check (booked_by in ('Employee', 'Customer', 'PortalPartner', 'PortalCustomer')),
    customer_type_id     uuid,
    topic_id             uuid,
    portal_id            uuid,
    employee_id          uuid not null,
    room_id              uuid,
    customer_id          text not null,
    type                 text not null check (type in ('Physical', 'Online', 'Telephone', 'Offsite')),
    title                text not null default '',
    description          text not null default '',
    video_link           text not null default '',
    starts_at            timestamptz not null,
    ends_at              timestamptz not null,
    external_attendees   jsonb not null default '[]',
    custom_fields        jsonb not null default '[]',
    cpr_encrypted        bytea,
    sequence             integer not null default 0, -- iCalendar SEQUENCE
    date_created         timestamptz not null,
    date_modified        timestamptz not null,
    cancelled_at         timestamptz,
    is_room_given        boolean not null default false, -- by the location's rule, and not named by the caller
    -- As `meeting_additional_employee` has them: a list need not look them up for each meeting.
    additional_employees uuid[] not null default '{}',
    -- Null again as soon as something is written that may be personal.
    erased_at            timestamptz,
    revision             integer not null default 0, -- of its events; `sequence` counts the changes that calendars must learn of
    -- The time that a meeting has: the sequence of the change that gave it, and when that was. Null: when it was booked.
    time_sequence        integer not null default 0,
    time_since           timestamptz,
    -- Whether the customer came to a meeting, once somebody has said so.
    attendance           text check (attendance in ('Attended', 'NoShow')),
    primary key (tenant_id, meeting_id),
    unique (tenant_id, time_slot_id),
    foreign key (tenant_id, time_slot_id) references time_slot,
    check (starts_at < ends_at)
);
create index meeting_by_portal on meeting (tenant_id, portal_id) where portal_id is not null;
create index meeting_by_start on meeting (tenant_id, starts_at, meeting_id);
create index meeting_by_change on meeting (tenant_id, date_modified);
create index meeting_by_employee on meeting (tenant_id, employee_id, starts_at);
-- What retention looks for: numbers to erase, cancelled meetings to delete.
create index meeting_to_forget on meeting (tenant_id, ends_at) where cpr_encrypted is not null or cancelled_at is not null;
create index meeting_by_customer on meeting (tenant_id, customer_id, starts_at);
create index meeting_to_erase on meeting (tenant_id, ends_at) where erased_at is null and cancelled_at is null;
call isolate_by_tenant('meeting');

-- The way from an additional employee to the meetings.
create table meeting_additional_employee (
    tenant_id   uuid not null,
    meeting_id  uuid not null,
    employee_id uuid not null,
    position    integer not null,
    primary key (tenant_id, meeting_id, employee_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade
);
create index meetings_of_additional_employee on meeting_additional_employee (tenant_id, employee_id);
call isolate_by_tenant('meeting_additional_employee');

-- Who did what to a meeting, written in the transaction that did it. Nobody but the deletion of the meeting itself, when
-- its retention ends, takes anything away again.
create table meeting_history (
    tenant_id       uuid not null,
    entry_id        bigint not null generated always as identity,
    meeting_id      uuid not null,
    happened_at     timestamptz not null,
    user_id         uuid, -- a command has none
    action          text not null check (
        action in ('Created', 'Changed', 'Cancelled', 'Erased', 'MessageNotSent', 'AttendeeReplied')
    ),
    changes         jsonb not null default '[]', -- each {member, before, after}; never the cpr
    command         text check (command in ('erase', 'retention', 'messages')),
    reason          text, -- why a message was not sent
    is_perhaps_sent boolean not null default false, -- of `MessageNotSent`: it may have arrived all the same
    primary key (tenant_id, entry_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    check (num_nonnulls(user_id, command) = 1)
);
create index meeting_history_by_meeting on meeting_history (tenant_id, meeting_id, entry_id);
-- Who looks for a customer that meetings had once, and have no more.
create index meeting_history_of_customers on meeting_history (tenant_id, meeting_id)
    where changes @> '[{"member": "customerId"}]';
call isolate_by_tenant('meeting_history');
revoke update, delete on meeting_history from meetdeck_app;

-- A time as JSON, as the rest of the application writes it: in UTC, with microseconds when there are any.
create function json_time(moment timestamptz) returns text language sql stable return
    case
        when moment = date_trunc('second', moment) then rtrim(to_json(moment at time zone 'UTC')::text, '"') || 'Z"'
        else '"' || to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || 'Z"'
    end;

-- Changes of a customer's e-mail address that were asked for by a meeting's link. Each takes effect when its own link, which
-- is sent to the old address, is confirmed.
create table address_change (
    tenant_id         uuid not null,
    address_change_id uuid not null,
    meeting_id        uuid not null,
    old_email         text not null, -- the link ends when the customer has another address by now
    name              text not null,
    email             text not null,
    asked_at          timestamptz not null,
    confirmed_at      timestamptz,
    primary key (tenant_id, address_change_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade
);
create index address_change_by_meeting on address_change (tenant_id, meeting_id);
call isolate_by_tenant('address_change');

create function forget_address_changes() returns trigger language plpgsql as $$
begin
    delete from address_change where tenant_id = new.tenant_id and meeting_id = new.meeting_id;
    return null;
end
$$;
create trigger forget_address_changes after update of erased_at on meeting
    for each row when (new.erased_at is not null) execute function forget_address_changes();

-- Bookings that wait for a link in a mail to be confirmed, while their time is reserved. Each mail has a row of its own.
create table unconfirmed_booking (
    tenant_id              uuid not null,
    unconfirmed_booking_id uuid not null,
    portal_id              uuid not null,
    time_slot_id           uuid not null, -- the reservation
    email                  text not null,
    language               text not null,
    place                  text not null,
    content                json, -- the body of the meeting; null once it is booked
    asked_at               timestamptz not null,
    meeting_id             uuid, -- once it is booked
    primary key (tenant_id, unconfirmed_booking_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    check ((content is null) = (meeting_id is not null))
);
create index unconfirmed_booking_by_time_slot on unconfirmed_booking (tenant_id, time_slot_id);
create index unconfirmed_booking_by_meeting on unconfirmed_booking (tenant_id, meeting_id);
call isolate_by_tenant('unconfirmed_booking');

create function forget_unconfirmed_bookings() returns trigger language plpgsql as $$
begin
    delete from unconfirmed_booking where tenant_id = new.tenant_id and meeting_id = new.meeting_id;
    return null;
end
$$;
create trigger forget_unconfirmed_bookings after update of erased_at on meeting
    for each row when (new.erased_at is not null) execute function forget_unconfirmed_bookings();
