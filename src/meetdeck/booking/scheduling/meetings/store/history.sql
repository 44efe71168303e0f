-- name: add_entry(meeting_id, now, user_id, command, action, changes)!
insert into meeting_history (tenant_id, meeting_id, happened_at, user_id, command, action, changes)
values (current_tenant(), :meeting_id, :now, :user_id, :command, :action, :changes);

-- name: list_entries(meeting_id)
-- The oldest first.
select happened_at, user_id, command, action, changes from meeting_history where meeting_id = :meeting_id order by entry_id;
