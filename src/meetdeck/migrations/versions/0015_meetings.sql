-- Meetings: finding them, their history, and what is kept of them for a while only.

create index meeting_by_start on meeting (tenant_id, starts_at, meeting_id);
create index meeting_by_change on meeting (tenant_id, date_modified);
create index meeting_by_employee on meeting (tenant_id, employee_id, starts_at);
create index meetings_of_additional_employee on meeting_additional_employee (tenant_id, employee_id);

-- Who did what to a meeting, written in the transaction that did it. Nobody but the deletion of the meeting itself, when
-- its retention ends, takes anything away again.
create table meeting_history (
    tenant_id   uuid not null,
    entry_id    bigint not null generated always as identity,
    meeting_id  uuid not null,
    happened_at timestamptz not null,
    user_id     uuid not null,
    action      text not null check (action in ('Created', 'Changed', 'Cancelled')),
    changes     jsonb not null default '[]', -- each {member, before, after}; never the cpr
    primary key (tenant_id, entry_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade
);
create index meeting_history_by_meeting on meeting_history (tenant_id, meeting_id, entry_id);
call isolate_by_tenant('meeting_history');
revoke update, delete on meeting_history from meetdeck_app;

-- What retention looks for: numbers to erase, cancelled meetings to delete, reservations that came to nothing.
create index meeting_to_forget on meeting (tenant_id, ends_at) where cpr_encrypted is not null or cancelled_at is not null;
create index time_slot_to_forget on time_slot (tenant_id, expires_at) where status = 'Reserved';

-- Whose meetings there are to forget: retention works for all tenants, one after another. Every tenant has had a key.
create function list_tenants() returns setof uuid
    language sql stable security definer set search_path = public
begin atomic
    select distinct tenant_id from subscription_key;
end;
