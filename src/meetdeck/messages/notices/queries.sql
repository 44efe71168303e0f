-- name: add_offer_notice(notice_id, wish_id, occasion, now)$
-- Inserts the notice of an offer unless there is one; returns whether it did.
insert into notice (tenant_id, notice_id, kind, wish_id, occasion, created_at)
values (current_tenant(), :notice_id, 'Offer', :wish_id, :occasion, :now)
on conflict do nothing
returning true;

-- name: add_meeting_notice(notice_id, kind, meeting_id, occasion, now)$
-- Inserts a notice of a meeting unless there is one, or the meeting is gone; returns whether it did.
insert into notice (tenant_id, notice_id, kind, meeting_id, occasion, created_at)
select current_tenant(), :notice_id, :kind, meeting_id, :occasion, :now
from meeting
where meeting_id = :meeting_id and erased_at is null
on conflict do nothing
returning true;

-- name: add_booking_notice(notice_id, occasion, now)!
-- Inserts the notice of a booking that waits for an address to be confirmed.
insert into notice (tenant_id, notice_id, kind, occasion, created_at)
values (current_tenant(), :notice_id, 'BookingConfirmation', :occasion, :now);

-- name: begin_notice(notice_id, now)^
-- Marks a waiting notice as begun, and locks all of its kind of the meeting: of two at once, the second sees what the first
-- began. An attempt that was begun and never ended may have sent it.
with locked as materialized (
    select notice_id
    from notice
    where notice_id = :notice_id
        or (meeting_id, kind) = (select meeting_id, kind from notice where notice_id = :notice_id)
    order by notice_id
    for update
)
update notice set begun_at = :now, is_perhaps_sent = is_perhaps_sent or begun_at is not null
where notice_id = :notice_id and status = 'Waiting' and notice_id in (select notice_id from locked)
returning notice_id, kind, wish_id, meeting_id, occasion, status, is_perhaps_sent;

-- name: find_other_notices(meeting_id, kind, notice_id, facts_digest, begun_after)^
-- True if the last notice of a kind sent for a meeting said the same, and true if one is being sent.
select
    coalesce(
        (
            select told = :facts_digest
            from notice
            where meeting_id = :meeting_id and kind = :kind and status = 'Sent'
            order by ended_at desc
            limit 1
        ),
        false
    ) as was_sent,
    exists (
        select from notice
        where meeting_id = :meeting_id and kind = :kind and notice_id <> :notice_id and begun_at > :begun_after
    ) as is_being_sent;

-- name: end_notice(notice_id, status, reason, facts_digest, now)!
update notice
set status = :status, reason = :reason, told = :facts_digest, ended_at = :now, begun_at = null,
    is_perhaps_sent = is_perhaps_sent and :status <> 'Sent'
where notice_id = :notice_id and status = 'Waiting';

-- name: count_attempt(notice_id, reason, is_perhaps_sent)$
update notice
set attempts = attempts + 1, reason = :reason, begun_at = null, is_perhaps_sent = is_perhaps_sent or :is_perhaps_sent
where notice_id = :notice_id and status = 'Waiting'
returning attempts;
