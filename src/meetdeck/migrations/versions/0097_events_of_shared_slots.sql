-- The meetings that share a time are one event in a calendar (docs/decisions/0213). An event's owner is a meeting or a shared
-- slot; in `calendar_event_time` and `calendar_event_file`, `meeting_id` is the owner.

alter table calendar_event_time drop constraint calendar_event_time_tenant_id_meeting_id_fkey;
alter table calendar_event_file drop constraint calendar_event_file_tenant_id_meeting_id_fkey;
alter table calendar_event
    drop constraint calendar_event_pkey,
    alter column meeting_id drop not null,
    add column shared_slot_id uuid,
    add column owner_id uuid not null generated always as (coalesce(meeting_id, shared_slot_id)) stored,
    add primary key (tenant_id, owner_id),
    add check (num_nonnulls(meeting_id, shared_slot_id) = 1),
    add unique (tenant_id, meeting_id),
    add unique (tenant_id, shared_slot_id),
    add foreign key (tenant_id, shared_slot_id) references shared_slot on delete cascade;
alter table calendar_event_time
    add foreign key (tenant_id, meeting_id) references calendar_event (tenant_id, owner_id)
        on update cascade on delete cascade;
alter table calendar_event_file
    add foreign key (tenant_id, meeting_id) references calendar_event (tenant_id, owner_id)
        on update cascade on delete cascade;
