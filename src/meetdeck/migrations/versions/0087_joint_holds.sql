-- The people of service groups who come along to a hold, or to the meeting that was booked from it, and the groups asked for.

alter table time_slot
    add column additional_employees uuid[] not null default '{}',
    add column also_service_groups text[] not null default '{}';
create index time_slot_with_others on time_slot (tenant_id, starts_at) where additional_employees <> '{}';
