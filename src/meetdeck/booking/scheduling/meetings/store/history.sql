-- name: add_entry(meeting_id, now, user_id, command, action, changes, event_type)!
-- Inserts an entry with its event: the meeting is as it was changed before.
with entry as (
    insert into meeting_history (tenant_id, meeting_id, happened_at, user_id, command, action, changes)
    values (current_tenant(), :meeting_id, :now, :user_id, :command, :action, :changes)
)
insert into event (tenant_id, type, happened_at, subject, sequence, data)
select tenant_id, :event_type, :now, 'meetings/' || meeting_id, revision, meeting_as_json::json
from meeting
where meeting_id = :meeting_id;

-- name: add_event(meeting_id, event_type, now)!
-- Inserts an event of a meeting of which its history tells nothing.
with meeting as (
    update meeting set revision = revision + 1 where meeting_id = :meeting_id returning *
)
insert into event (tenant_id, type, happened_at, subject, sequence, data)
select tenant_id, :event_type, :now, 'meetings/' || meeting_id, revision, meeting_as_json::json
from meeting;

-- name: add_note(meeting_id, action, reason, now)!
insert into meeting_history (tenant_id, meeting_id, happened_at, command, action, reason)
values (current_tenant(), :meeting_id, :now, 'messages', :action, :reason);

-- name: list_entries(meeting_id)
-- The oldest first.
select happened_at, user_id, command, action, changes, reason from meeting_history where meeting_id = :meeting_id order by entry_id;
