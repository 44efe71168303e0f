-- Whether a portal for anybody books when the customer has confirmed the e-mail address.
alter table portal add column confirm_email boolean not null default false;

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

-- Their mails are notices, with the booking as their occasion.
alter table notice
    drop constraint notice_kind_check,
    drop constraint notice_check1, -- (kind = 'Offer') = (meeting_id is null)
    add constraint notice_kind_check check (
        kind in ('Offer', 'EmployeeDocuments', 'EmployeeDocumentsFailed', 'AddressChange', 'BookingConfirmation')
    ) not valid,
    add constraint notice_meeting_check check (
        (kind in ('Offer', 'BookingConfirmation')) = (meeting_id is null)
    ) not valid;

create function forget_notice_of_unconfirmed_booking() returns trigger language plpgsql as $$
begin
    delete from notice
    where tenant_id = old.tenant_id and kind = 'BookingConfirmation' and occasion = old.unconfirmed_booking_id;
    return null;
end
$$;
create trigger forget_notice_of_unconfirmed_booking after delete on unconfirmed_booking
    for each row execute function forget_notice_of_unconfirmed_booking();
