-- name: lock_event(owner_id)!
select from calendar_event where owner_id = :owner_id for no key update;

-- name: find_event(owner_id)^
-- With what its connection writes now.
select
    connection_id, number, event_id, mailbox, calendar_event.starts_at, calendar_event.ends_at, digest, is_unsure,
    begun_at, join_url, link_number = number as has_link, missing_at, differs, writes <> 'None' as is_written
from calendar_event
join calendar_connection using (tenant_id, connection_id)
where owner_id = :owner_id;

-- name: add_event(owner_id, connection_id, now)!
insert into calendar_event (tenant_id, meeting_id, shared_slot_id, connection_id, number, is_unsure, begun_at)
select
    current_tenant(), (select meeting_id from meeting where meeting_id = :owner_id),
    (select shared_slot_id from shared_slot where shared_slot_id = :owner_id), :connection_id, 0, false, :now
on conflict do nothing;

-- name: hand_over(owner_id, to_shared_slot_id)!
-- The event of a shared slot becomes that of another, with its times.
update calendar_event set shared_slot_id = :to_shared_slot_id where shared_slot_id = :owner_id;

-- name: find_other_link(meeting_id, owner_id)$
-- The link of a meeting that is the Teams meeting of another owner's event.
select video_link from meeting
where meeting_id = :meeting_id and exists (
    select from calendar_event where join_url = meeting.video_link and owner_id <> :owner_id
);

-- name: find_end(shared_slot_id)$
select ends_at from shared_slot where shared_slot_id = :shared_slot_id;

-- name: update_event(owner_id, connection_id, number, event_id, mailbox, starts_at, ends_at, digest, is_unsure, now)!
-- A creation with another number begins now; what is known of the event before it goes.
update calendar_event
set connection_id = :connection_id, event_id = :event_id, mailbox = :mailbox, starts_at = :starts_at,
    ends_at = :ends_at, digest = :digest, is_unsure = :is_unsure,
    begun_at = case when number = :number then begun_at else :now end, number = :number,
    missing_at = null, differs = null
where owner_id = :owner_id;

-- name: add_times(owner_id, mailboxes, are_guests, starts_at, ends_at)!
insert into calendar_event_time (tenant_id, meeting_id, mailbox, starts_at, ends_at, is_guests)
select current_tenant(), :owner_id, mailbox, :starts_at, :ends_at, is_guests
from unnest(:mailboxes::text[], :are_guests::boolean[]) as given (mailbox, is_guests)
on conflict (tenant_id, meeting_id, mailbox, starts_at, ends_at) do update
set gone_at = null, is_guests = excluded.is_guests;

-- name: end_times(owner_id, mailboxes, starts_at, ends_at, now)!
-- All but those that are written now.
update calendar_event_time set gone_at = :now
where meeting_id = :owner_id and gone_at is null
    and not (mailbox = any (:mailboxes::text[]) and (starts_at, ends_at) = (:starts_at, :ends_at));

-- name: list_times(mailboxes, gone_after)
-- The times in mailboxes that are written, or were until lately.
select mailbox, meeting_id as owner_id, starts_at, ends_at, gone_at, is_guests
from calendar_event_time
where mailbox = any (:mailboxes::text[]) and (gone_at is null or gone_at > :gone_after);

-- name: mark_missing(owner_ids, now, looked_before)
-- Marks events that are to be read, unless one was read lately, or is being written.
update calendar_event set missing_at = :now
where owner_id = any (:owner_ids::uuid[]) and event_id is not null and not is_unsure and ends_at > :now
    and missing_at is null and (looked_at is null or looked_at < :looked_before)
returning owner_id;

-- name: forget_differences(owner_ids)!
update calendar_event set differs = null, missing_at = null
where owner_id = any (:owner_ids::uuid[]) and (differs is not null or missing_at is not null);

-- name: record_look(owner_id, differs, now)!
update calendar_event set looked_at = :now, missing_at = null, differs = :differs where owner_id = :owner_id;

-- name: record_problem(owner_id, problem)$
-- Counts it; null ends the count.
update calendar_event
set problem = :problem::text, failures = case when :problem::text is null then 0 else failures + 1 end
where owner_id = :owner_id and (:problem::text is not null or problem is not null)
returning failures;

-- name: record_join_url(owner_id, join_url)!
update calendar_event set join_url = :join_url, link_number = number where owner_id = :owner_id;

-- name: list_concerned(meeting_ids)
-- The owners of the events that some meetings have, had or should have: themselves, and the shared slots in which they are
-- or were.
with concerned as (
    select meeting_id, shared_slot_id, employee_id, date_created from meeting where meeting_id = any (:meeting_ids::uuid[])
)
select meeting_id, owner_id from concerned join calendar_event using (meeting_id)
union
select concerned.meeting_id, owner_id
from concerned
join calendar_event on calendar_event.shared_slot_id = concerned.shared_slot_id
union
select entry.meeting_id, owner_id
from meeting_history as entry
cross join jsonb_to_recordset(entry.changes) as change (member text, before text)
join calendar_event on calendar_event.shared_slot_id = change.before::uuid
where entry.meeting_id = any (:meeting_ids::uuid[]) and entry.action = 'Changed' and member = 'sharedSlotId'
union
select meeting_id, coalesce(shared_slot_id, meeting_id)
from concerned
where exists (
    select from calendar_mailbox
    join calendar_connection using (tenant_id, connection_id)
    where calendar_mailbox.employee_id = concerned.employee_id and writes <> 'None' and writes_since <= date_created
);

-- name: list_unwritten(connection_id, now)
-- The owners of events that a connection should write, and of which none was begun.
select distinct coalesce(meeting.shared_slot_id, meeting.meeting_id) as owner_id
from calendar_connection
join calendar_mailbox using (tenant_id, connection_id)
join meeting using (tenant_id, employee_id)
where connection_id = :connection_id and writes <> 'None' and date_created >= writes_since
    and cancelled_at is null and ends_at > :now
    and not exists (
        select from calendar_event where owner_id = coalesce(meeting.shared_slot_id, meeting.meeting_id)
    );

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

-- name: was_written_for(owner_id, mailbox)$
select exists (select from calendar_event_time where meeting_id = :owner_id and mailbox = lower(:mailbox));

-- name: list_files(owner_id)
select content_id, attachment_id, name_digest from calendar_event_file where meeting_id = :owner_id;

-- name: put_file(owner_id, content_id, attachment_id, name_digest)!
insert into calendar_event_file (tenant_id, meeting_id, content_id, attachment_id, name_digest)
values (current_tenant(), :owner_id, :content_id, :attachment_id, :name_digest)
on conflict (tenant_id, meeting_id, content_id)
do update set attachment_id = excluded.attachment_id, name_digest = excluded.name_digest;

-- name: delete_files(owner_id, content_ids)!
-- All of a meeting for null.
delete from calendar_event_file
where meeting_id = :owner_id and (:content_ids::uuid[] is null or content_id = any (:content_ids));
