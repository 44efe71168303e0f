-- Notices: mails about an offer of the waiting list, and about a meeting's documents. The address is looked up when one
-- is sent: none is kept here.

create table notice (
    tenant_id  uuid not null,
    notice_id  uuid not null,
    kind       text not null check (kind in ('Offer', 'EmployeeDocuments', 'EmployeeDocumentsFailed')),
    wish_id    uuid,
    meeting_id uuid,
    occasion   uuid not null, -- of an offer its reservation, of documents the event
    status     text not null default 'Waiting' check (status in ('Waiting', 'Sent', 'Dropped', 'Failed')),
    reason     text, -- of one that was not sent (yet); names nobody
    attempts   integer not null default 0,
    told       bytea, -- the digest of what was sent, and to which address
    created_at timestamptz not null,
    ended_at   timestamptz, -- when it was sent, or given up
    primary key (tenant_id, notice_id),
    unique (tenant_id, kind, occasion),
    foreign key (tenant_id, wish_id) references wish on delete cascade,
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    check ((kind = 'Offer') = (wish_id is not null)),
    check ((kind = 'Offer') = (meeting_id is null)),
    check ((status = 'Waiting') = (ended_at is null))
);
create index notice_by_meeting on notice (tenant_id, meeting_id);
create index notice_by_wish on notice (tenant_id, wish_id);
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
