-- name: delete_others(time_slot_id, email)!
-- Links that were sent to another address for the same reservation end.
delete from unconfirmed_booking
where time_slot_id = :time_slot_id and meeting_id is null and lower(email) <> lower(:email);

-- name: is_asked(time_slot_id, email, since)$
select exists (
    select from unconfirmed_booking
    where time_slot_id = :time_slot_id and lower(email) = lower(:email) and asked_at > :since
);

-- name: add_booking(id, portal_id, time_slot_id, email, language, place, content, now)!
insert into unconfirmed_booking
    (tenant_id, unconfirmed_booking_id, portal_id, time_slot_id, email, language, place, content, asked_at)
values (current_tenant(), :id, :portal_id, :time_slot_id, :email, :language, :place, :content, :now);

-- name: update_content(time_slot_id, content)!
update unconfirmed_booking set content = :content where time_slot_id = :time_slot_id and meeting_id is null;

-- name: find_booking(id)^
select
    unconfirmed_booking_id as id, portal_id, time_slot_id, email, language, place, content::text as content, meeting_id
from unconfirmed_booking
where unconfirmed_booking_id = :id;

-- name: lock_of_time_slot(time_slot_id)
select from unconfirmed_booking where time_slot_id = :time_slot_id order by unconfirmed_booking_id for update;

-- name: mark_booked(time_slot_id, meeting_id)!
update unconfirmed_booking
set content = null, meeting_id = :meeting_id
where time_slot_id = :time_slot_id and meeting_id is null;

-- name: is_confirmed(meeting_id, email)$
select exists (
    select from unconfirmed_booking where meeting_id = :meeting_id and lower(email) = lower(:email)
);

-- name: delete_unconfirmed(asked_before, most)!
delete from unconfirmed_booking
where (tenant_id, unconfirmed_booking_id) in (
    select tenant_id, unconfirmed_booking_id from unconfirmed_booking
    where meeting_id is null and asked_at < :asked_before
    limit :most
    for update skip locked
);
