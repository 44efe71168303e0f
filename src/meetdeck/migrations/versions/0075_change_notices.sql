-- What whoever changed a meeting says to the messages about it while they wait: a line of their own, and that they go now.

create table change_notice (
    tenant_id  uuid not null,
    meeting_id uuid not null,
    entry_id   bigint not null, -- of the history: the last change, which it is about
    sequence   integer not null, -- of the meeting since that change
    own_line   text, -- null: none
    is_now     boolean not null,
    written_at timestamptz not null,
    primary key (tenant_id, meeting_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade
);
call isolate_by_tenant('change_notice');

create function forget_change_notices() returns trigger language plpgsql as $$
begin
    delete from change_notice where tenant_id = new.tenant_id and meeting_id = new.meeting_id;
    return null;
end
$$;
create trigger forget_change_notices after update of erased_at on meeting
    for each row when (new.erased_at is not null) execute function forget_change_notices();
