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

-- name: lock_notice(notice_id)^
select notice_id, kind, wish_id, meeting_id, occasion, status from notice where notice_id = :notice_id for update;

-- name: was_told(meeting_id, kind, told)$
-- Whether the last notice of a kind that was sent for a meeting said the same.
select coalesce(
    (
        select told = :told
        from notice
        where meeting_id = :meeting_id and kind = :kind and status = 'Sent'
        order by ended_at desc
        limit 1
    ),
    false
);

-- name: end_notice(notice_id, status, reason, told, now)!
update notice set status = :status, reason = :reason, told = :told, ended_at = :now
where notice_id = :notice_id and status = 'Waiting';

-- name: note_attempt(notice_id, reason)$
update notice set attempts = attempts + 1, reason = :reason where notice_id = :notice_id and status = 'Waiting'
returning attempts;
