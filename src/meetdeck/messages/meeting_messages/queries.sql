-- name: list_states(meeting_ids)
-- The parts of meetings, cancelled ones too, that decide who gets which message.
select
    meeting_id, sequence, starts_at, ends_at, type, title, video_link, room_id, employee_id, additional_employees,
    external_attendees, cancelled_at, series_id, shared_slot_id
from meeting
where meeting_id = any (:meeting_ids::uuid[]);

-- name: list_messages(meeting_ids)
-- All messages of some meetings, in the order in which they became due.
select message_id, meeting_id, kind, recipient, address, sequence, told as facts_digest, status, attempts, begun_at, is_perhaps_sent
from message
where meeting_id = any (:meeting_ids::uuid[])
order by meeting_id, sequence, created_at, message_id;

-- name: find_line(meeting_id, address, now)$
-- The line of whoever changed a meeting, for a recipient who was not told of that change.
select own_line
from change_notice as notice
where meeting_id = :meeting_id and written_at > :now::timestamptz - interval '2 days' and not exists (
    select from message
    where message.meeting_id = notice.meeting_id and lower(address) = lower(:address) and status = 'Sent'
        and sent_sequence >= notice.sequence
);

-- name: list_waiting_messages(meeting_id)
-- Those with which they are sent, of messages about a series.
select coalesce(carried_by, message_id) as message_id from message where meeting_id = :meeting_id and status = 'Waiting';

-- name: list_addresses(employee_ids)
-- E-mail addresses of employees.
select employee_id, email from employee where employee_id = any (:employee_ids::uuid[]);

-- name: list_addresses_of(meeting_ids)
-- Those of meetings.
select employee_id, email
from employee
where employee_id = any (array(
    select person
    from meeting
    cross join unnest(meeting.employee_id || meeting.additional_employees) as person
    where meeting.meeting_id = any (:meeting_ids::uuid[])
));

-- name: add_messages(messages, now)
-- Inserts messages unless there are the same; returns the ids of those that it did.
insert into message (tenant_id, message_id, meeting_id, kind, recipient, address, sequence, told, created_at)
select current_tenant(), message_id, meeting_id, kind, recipient, address, sequence, decode(digest, 'hex'), :now
from jsonb_to_recordset(:messages) as each (
    message_id uuid, meeting_id uuid, kind text, recipient text, address text, sequence integer, digest text
)
on conflict do nothing
returning message_id;

-- name: carry(carried_ids, carrier_ids)!
-- Has messages about meetings of a series, or of a shared time, sent with those of others.
update message set carried_by = given.carrier_id
from unnest(:carried_ids::uuid[], :carrier_ids::uuid[]) as given (carried_id, carrier_id)
where message_id = given.carried_id;

-- name: uncarry(message_id)!
update message set carried_by = null where message_id = :message_id;

-- name: list_carried(message_id)
-- The waiting messages that are sent with another, by the start of their meetings.
select message.message_id
from message
join meeting using (meeting_id)
where carried_by = :message_id and status = 'Waiting'
order by meeting.starts_at, message.message_id;

-- name: restate(meeting_id, facts_digest)!
-- Not those that are being sent, or perhaps were: a change follows them.
update message set told = :facts_digest
where meeting_id = :meeting_id and status = 'Waiting' and kind <> 'Cancellation' and begun_at is null and not is_perhaps_sent;

-- name: begin_message(message_id, now)^
-- Marks a waiting message as begun, and locks all messages of the meeting to its recipient: of two at once, the second
-- sees what the first began. An attempt that was begun and never ended may have sent it. With its meeting and SEQUENCE,
-- as they were before it waited for the lock: a change since then makes another message due.
with recipient as (
    select meeting_id, lower(address) as address from message where message_id = :message_id
),
locked as materialized (
    select message.message_id
    from message
    join recipient on recipient.meeting_id = message.meeting_id and recipient.address = lower(message.address)
    order by message.message_id
    for update of message
),
begun as (
    update message set begun_at = :now, is_perhaps_sent = is_perhaps_sent or begun_at is not null
    where message_id = :message_id and status = 'Waiting' and message_id in (select message_id from locked)
    returning meeting_id, recipient, address
)
select recipient, address, {meeting as members}, meeting.sequence from begun join meeting using (meeting_id);

-- name: end_message(message_id, status, reason, now)!
update message set status = :status, reason = :reason, ended_at = :now, begun_at = null
where message_id = :message_id and status = 'Waiting';

-- name: mark_sent(tenant_id, message_id, facts_digest, language, sequence, now)$
-- Called with or without a tenant.
select mark_sent(:tenant_id, :message_id, :facts_digest, :language, :sequence, :now);

-- name: count_attempt(message_id, reason, is_perhaps_sent)$
update message
set attempts = attempts + 1, reason = :reason, begun_at = null, is_perhaps_sent = is_perhaps_sent or :is_perhaps_sent
where message_id = :message_id and status = 'Waiting'
returning attempts;

-- name: find_tenant_name()$
select name from tenant;

-- name: count_too_few(meeting_id)^
-- The customers of a shared slot that was cancelled by itself, and the minimum of its topic.
select
    coalesce(minimum_seats, 1) as minimum,
    (
        select count(*) from meeting as other
        where other.shared_slot_id = meeting.shared_slot_id and other.cancelled_at = meeting.cancelled_at
    ) as booked
from meeting
left join meeting_topic using (tenant_id, topic_id)
where meeting_id = :meeting_id;
