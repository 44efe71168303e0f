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

-- Their mails are notices: of the meeting, and with the change as their occasion.
alter table notice
    drop constraint notice_kind_check,
    add constraint notice_kind_check
        check (kind in ('Offer', 'EmployeeDocuments', 'EmployeeDocumentsFailed', 'AddressChange')) not valid;
