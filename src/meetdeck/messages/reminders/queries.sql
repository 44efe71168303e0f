-- name: find_meeting(meeting_id)^
-- A meeting, as far as it decides who is reminded of it; telephone numbers are the answers to its portal's fields for them.
select
    meeting_id, starts_at, time_sequence, coalesce(time_since, date_created) as time_since,
    cancelled_at is not null as is_cancelled, external_attendees,
    array(
        select answer ->> 'value'
        from jsonb_array_elements(meeting.custom_fields) as answer
        join portal_field on portal_field.portal_id = meeting.portal_id and portal_field.name = answer ->> 'key'
        where portal_field.type = 'Phone' and answer ->> 'value' <> ''
    ) as phones
from meeting
where meeting_id = :meeting_id;

-- name: add_reminder(reminder_id, meeting_id, kind, recipient, address, time_sequence, now)$
-- Inserts a reminder unless there is one; returns whether it did.
insert into reminder (tenant_id, reminder_id, meeting_id, kind, recipient, address, time_sequence, created_at)
values (current_tenant(), :reminder_id, :meeting_id, :kind, :recipient, :address, :time_sequence, :now)
on conflict do nothing
returning true;

-- name: begin_reminder(reminder_id, now)^
-- Marks a waiting reminder as begun, and locks it. An attempt that was begun and never ended may have sent it.
update reminder set begun_at = :now, is_perhaps_sent = is_perhaps_sent or begun_at is not null
where reminder_id = :reminder_id and status = 'Waiting'
returning reminder_id, meeting_id, kind, recipient, address, time_sequence, status, attempts, is_perhaps_sent;

-- name: end_reminder(reminder_id, status, reason, now)!
update reminder
set status = :status, reason = :reason, ended_at = :now, begun_at = null,
    is_perhaps_sent = is_perhaps_sent and :status <> 'Sent'
where reminder_id = :reminder_id and status = 'Waiting';

-- name: count_attempt(reminder_id, reason, is_perhaps_sent)$
update reminder
set attempts = attempts + 1, reason = :reason, begun_at = null, is_perhaps_sent = is_perhaps_sent or :is_perhaps_sent
where reminder_id = :reminder_id and status = 'Waiting'
returning attempts;
