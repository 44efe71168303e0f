-- name: list_states(meeting_ids)
-- Meetings, cancelled ones too, as far as they decide who is told what.
select
    meeting_id, sequence, starts_at, ends_at, type, title, video_link, room_id, employee_id, additional_employees,
    external_attendees, cancelled_at
from meeting
where meeting_id = any (:meeting_ids::uuid[]);

-- name: list_messages(meeting_ids)
-- All messages of some meetings, in the order in which they became due.
select message_id, meeting_id, kind, recipient, address, sequence, told, status, attempts
from message
where meeting_id = any (:meeting_ids::uuid[])
order by meeting_id, sequence, created_at, message_id;

-- name: list_addresses(employee_ids)
-- E-mail addresses of employees.
select employee_id, email from employee where employee_id = any (:employee_ids::uuid[]);

-- name: add_message(message_id, meeting_id, kind, recipient, address, sequence, told, now)$
-- Inserts a message unless there is one; returns whether it did.
insert into message (tenant_id, message_id, meeting_id, kind, recipient, address, sequence, told, created_at)
values (current_tenant(), :message_id, :meeting_id, :kind, :recipient, :address, :sequence, :told, :now)
on conflict do nothing
returning true;

-- name: lock_message(message_id)^
select meeting_id from message where message_id = :message_id for update;

-- name: end_message(message_id, status, reason, now)!
update message set status = :status, reason = :reason, ended_at = :now where message_id = :message_id and status = 'Waiting';

-- name: mark_sent(message_id, told, language, sequence, now)!
update message
set status = 'Sent', reason = null, told = :told, language = :language, sent_sequence = :sequence, ended_at = :now
where message_id = :message_id and status = 'Waiting';

-- name: note_attempt(message_id, reason)$
update message set attempts = attempts + 1, reason = :reason where message_id = :message_id and status = 'Waiting'
returning attempts;

-- name: find_tenant_name()$
select name from tenant;
