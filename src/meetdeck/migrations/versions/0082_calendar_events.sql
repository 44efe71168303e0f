-- The events of meetings in the calendars of a firm: what was written, and what is known of it (docs/decisions/0203).
-- Nothing of it names a customer: an event's content is kept as a digest.

alter table calendar_connection
    add column writes text not null default 'None' check (writes in ('None', 'Events', 'EventsWithTeams')),
    add column writes_since timestamptz; -- meetings that were booked before are not written

create table calendar_event (
    tenant_id     uuid not null,
    meeting_id    uuid not null,
    connection_id uuid not null, -- whose application writes it
    number        integer not null, -- of creations, kept before each is sent
    event_id      text, -- null with a mailbox: a creation whose answer is not known
    mailbox       text, -- null: there is no event
    starts_at     timestamptz, -- what the event says, as its digest is of all that it says
    ends_at       timestamptz,
    digest        bytea,
    is_unsure     boolean not null, -- it perhaps says something else, or is gone
    begun_at      timestamptz not null, -- when the last creation was begun
    join_url      text not null default '', -- of its Teams meeting
    link_number   integer not null default 0, -- the creation whose link that is
    problem       text, -- of the last try
    failures      integer not null default 0, -- one after the other
    missing_at    timestamptz, -- when its time was not found in the calendar, until the event is read
    looked_at     timestamptz, -- when it was last read
    differs       text, -- how it differs from the meeting, once that was told
    primary key (tenant_id, meeting_id),
    check (num_nulls(mailbox, starts_at, ends_at, digest) in (0, 4)),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    foreign key (tenant_id, connection_id) references calendar_connection on delete cascade
);
create index calendar_event_unwritten on calendar_event (tenant_id, connection_id) where problem is not null;
call isolate_by_tenant('calendar_event');

-- The times that were written into mailboxes of the firm: those of the organizer, and of colleagues and rooms.
create table calendar_event_time (
    tenant_id  uuid not null,
    meeting_id uuid not null,
    mailbox    text not null,
    starts_at  timestamptz not null,
    ends_at    timestamptz not null,
    is_guests  boolean not null,
    gone_at    timestamptz, -- since when the event is elsewhere, or cancelled
    primary key (tenant_id, meeting_id, mailbox, starts_at, ends_at),
    foreign key (tenant_id, meeting_id) references calendar_event on delete cascade
);
create index calendar_event_time_by_mailbox on calendar_event_time (tenant_id, mailbox);
call isolate_by_tenant('calendar_event_time');

-- The documents that are attached to an event.
create table calendar_event_file (
    tenant_id     uuid not null,
    meeting_id    uuid not null,
    content_id    uuid not null,
    attachment_id text, -- null: it was begun, and the answer is not known
    primary key (tenant_id, meeting_id, content_id),
    foreign key (tenant_id, meeting_id) references calendar_event on delete cascade
);
call isolate_by_tenant('calendar_event_file');

alter table organization_setting
    add column when_moved_there text not null default 'Report'
        check (when_moved_there in ('Follow', 'PutBack', 'Report'));

alter table meeting_history
    drop constraint meeting_history_command_check,
    add constraint meeting_history_command_check check (command in ('erase', 'retention', 'messages', 'calendar')) not valid;
