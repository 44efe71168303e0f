-- name: lock_event(meeting_id)!
select from calendar_event where meeting_id = :meeting_id for no key update;

-- name: find_event(meeting_id)^
-- With what its connection writes now.
select
    connection_id, number, event_id, mailbox, calendar_event.starts_at, calendar_event.ends_at, digest, is_unsure,
    begun_at, join_url, link_number = number as has_link, missing_at, differs, writes <> 'None' as is_written
from calendar_event
join calendar_connection using (tenant_id, connection_id)
where meeting_id = :meeting_id;

-- name: add_event(meeting_id, connection_id, now)!
insert into calendar_event (tenant_id, meeting_id, connection_id, number, is_unsure, begun_at)
values (current_tenant(), :meeting_id, :connection_id, 0, false, :now)
on conflict do nothing;

-- name: update_event(meeting_id, connection_id, number, event_id, mailbox, starts_at, ends_at, digest, is_unsure, now)!
-- A creation with another number begins now; what is known of the event before it goes.
update calendar_event
set connection_id = :connection_id, event_id = :event_id, mailbox = :mailbox, starts_at = :starts_at,
    ends_at = :ends_at, digest = :digest, is_unsure = :is_unsure,
    begun_at = case when number = :number then begun_at else :now end, number = :number,
    missing_at = null, differs = null
where meeting_id = :meeting_id;

-- name: add_times(meeting_id, mailboxes, are_guests, starts_at, ends_at)!
insert into calendar_event_time (tenant_id, meeting_id, mailbox, starts_at, ends_at, is_guests)
select current_tenant(), :meeting_id, mailbox, :starts_at, :ends_at, is_guests
from unnest(:mailboxes::text[], :are_guests::boolean[]) as given (mailbox, is_guests)
on conflict (tenant_id, meeting_id, mailbox, starts_at, ends_at) do update
set gone_at = null, is_guests = excluded.is_guests;

-- name: end_times(meeting_id, mailboxes, starts_at, ends_at, now)!
-- All but those that are written now.
update calendar_event_time set gone_at = :now
where meeting_id = :meeting_id and gone_at is null
    and not (mailbox = any (:mailboxes::text[]) and (starts_at, ends_at) = (:starts_at, :ends_at));

-- name: list_times(mailboxes, gone_after)
-- The times in mailboxes that are written, or were until lately.
select mailbox, meeting_id, starts_at, ends_at, gone_at, is_guests
from calendar_event_time
where mailbox = any (:mailboxes::text[]) and (gone_at is null or gone_at > :gone_after);

-- name: mark_missing(meeting_ids, now, looked_before)
-- Marks events that are to be read, unless one was read lately, or is being written.
update calendar_event set missing_at = :now
where meeting_id = any (:meeting_ids::uuid[]) and event_id is not null and not is_unsure and ends_at > :now
    and missing_at is null and (looked_at is null or looked_at < :looked_before)
returning meeting_id;

-- name: forget_differences(meeting_ids)!
update calendar_event set differs = null, missing_at = null
where meeting_id = any (:meeting_ids::uuid[]) and (differs is not null or missing_at is not null);

-- name: record_look(meeting_id, differs, now)!
update calendar_event set looked_at = :now, missing_at = null, differs = :differs where meeting_id = :meeting_id;

-- name: record_problem(meeting_id, problem)$
-- Counts it; null ends the count.
update calendar_event
set problem = :problem::text, failures = case when :problem::text is null then 0 else failures + 1 end
where meeting_id = :meeting_id and (:problem::text is not null or problem is not null)
returning failures;

-- name: record_join_url(meeting_id, join_url)!
update calendar_event set join_url = :join_url, link_number = number where meeting_id = :meeting_id;

-- name: list_concerned(meeting_ids)
-- Those of some meetings that have an event, or should have one.
select meeting_id
from meeting
where meeting_id = any (:meeting_ids::uuid[]) and (
    exists (select from calendar_event where calendar_event.meeting_id = meeting.meeting_id)
    or exists (
        select from calendar_mailbox
        join calendar_connection using (tenant_id, connection_id)
        where calendar_mailbox.employee_id = meeting.employee_id and writes <> 'None' and writes_since <= date_created
    )
);

-- name: list_unwritten(connection_id, now)
-- Living meetings that should have an event of a connection, and of which none was begun.
select meeting_id
from calendar_connection
join calendar_mailbox using (tenant_id, connection_id)
join meeting using (tenant_id, employee_id)
where connection_id = :connection_id and writes <> 'None' and date_created >= writes_since
    and cancelled_at is null and ends_at > :now
    and not exists (select from calendar_event where calendar_event.meeting_id = meeting.meeting_id);

-- name: find_writing(employee_id, date_created, is_known)^
-- The mailbox that an employee's meetings are written into; older meetings only when one has an event already.
select connection_id, calendar_mailbox.email, writes
from calendar_mailbox
join calendar_connection using (tenant_id, connection_id)
where employee_id = :employee_id and writes <> 'None' and (:is_known or writes_since <= :date_created)
order by created_at, connection_id
limit 1;

-- name: find_room(room_id)^
select name, email from room where room_id = :room_id;

-- name: was_written_for(meeting_id, mailbox)$
select exists (select from calendar_event_time where meeting_id = :meeting_id and mailbox = lower(:mailbox));

-- name: list_files(meeting_id)
select content_id, attachment_id, name_digest from calendar_event_file where meeting_id = :meeting_id;

-- name: put_file(meeting_id, content_id, attachment_id, name_digest)!
insert into calendar_event_file (tenant_id, meeting_id, content_id, attachment_id, name_digest)
values (current_tenant(), :meeting_id, :content_id, :attachment_id, :name_digest)
on conflict (tenant_id, meeting_id, content_id)
do update set attachment_id = excluded.attachment_id, name_digest = excluded.name_digest;

-- name: delete_files(meeting_id, content_ids)!
-- All of a meeting for null.
delete from calendar_event_file
where meeting_id = :meeting_id and (:content_ids::uuid[] is null or content_id = any (:content_ids));
