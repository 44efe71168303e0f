-- name: add_entry(meeting_id, now, user_id, user_name, command, action, changes, is_undo, event_type)!
-- Inserts an entry with its event: the meeting is as it was changed before.
with entry as (
    insert into meeting_history (
        tenant_id, meeting_id, happened_at, user_id, user_name, command, action, changes, is_undo
    )
    values (current_tenant(), :meeting_id, :now, :user_id, :user_name, :command, :action, :changes, :is_undo)
)
insert into event (tenant_id, type, happened_at, subject, sequence, data)
select tenant_id, :event_type, :now, 'meetings/' || meeting_id, revision, meeting_as_json::json
from meeting
where meeting_id = :meeting_id;

-- name: list_changes(meeting_id, most)
-- The last changes of a meeting, the newest first.
select happened_at, user_id, action, changes, is_undo
from meeting_history
where meeting_id = :meeting_id and action in ('Created', 'Changed', 'Cancelled')
order by entry_id desc
limit :most;

-- name: add_event(meeting_id, event_type, now)!
-- Inserts an event of a meeting of which its history tells nothing.
with meeting as (
    update meeting set revision = revision + 1 where meeting_id = :meeting_id returning *
)
insert into event (tenant_id, type, happened_at, subject, sequence, data)
select tenant_id, :event_type, :now, 'meetings/' || meeting_id, revision, meeting_as_json::json
from meeting;

-- name: add_note(meeting_id, reason, is_perhaps_sent, now)!
insert into meeting_history (tenant_id, meeting_id, happened_at, command, action, reason, is_perhaps_sent)
values (current_tenant(), :meeting_id, :now, 'messages', 'MessageNotSent', :reason, :is_perhaps_sent);

-- name: add_answer(meeting_id, now, changes)!
insert into meeting_history (tenant_id, meeting_id, happened_at, command, action, changes)
values (current_tenant(), :meeting_id, :now, 'messages', 'AttendeeReplied', :changes);

-- name: find_employee(employee_ids, address)$
-- The employee among these with the e-mail address, in lower case.
select employee_id from employee where employee_id = any (:employee_ids::uuid[]) and lower(email) = :address limit 1;

-- name: find_answer(meeting_id, employee_id)$
-- The last answer of an employee since the meeting's last change.
select changes -> 0 -> 'after' ->> 'status'
from meeting_history as entry
where meeting_id = :meeting_id and action = 'AttendeeReplied'
    and changes @> jsonb_build_array(jsonb_build_object(
        'member', 'employeeAnswer', 'after', jsonb_build_object('employeeId', :employee_id::uuid)
    ))
    and not exists (
        select from meeting_history as later
        where later.meeting_id = entry.meeting_id and later.action = 'Changed' and later.entry_id > entry.entry_id
    )
order by entry_id desc
limit 1;

-- name: put_notice(meeting_id, line, is_now, written_at, waits_since)!
-- Stores the line for the messages about a meeting's last change; a waiting line stays unless there is a new one.
insert into change_notice (tenant_id, meeting_id, entry_id, sequence, own_line, is_now, written_at)
select
    tenant_id, meeting_id,
    (
        select max(entry_id) from meeting_history as entry
        where entry.meeting_id = meeting.meeting_id and action in ('Created', 'Changed', 'Cancelled')
    ),
    sequence, :line, :is_now, :written_at
from meeting
where meeting_id = :meeting_id
on conflict (tenant_id, meeting_id) do update
set own_line = coalesce(
        excluded.own_line, case when change_notice.written_at > :waits_since then change_notice.own_line end
    ),
    entry_id = excluded.entry_id, sequence = excluded.sequence, is_now = excluded.is_now,
    written_at = excluded.written_at;

-- name: was_sent_early(meeting_id)$
-- True if the messages about a meeting's last change were sent before their time.
select exists (
    select from change_notice
    where meeting_id = :meeting_id and is_now and entry_id = (
        select max(entry_id) from meeting_history as entry
        where entry.meeting_id = :meeting_id and action in ('Created', 'Changed', 'Cancelled')
    )
);

-- name: drop_notice(meeting_id)!
delete from change_notice where meeting_id = :meeting_id;

-- name: list_waiting(meeting_ids)
-- The meetings whose last change was made by staff, and the moment until which nobody is told of it.
select
    meeting_id,
    case
        when exists (
            select from change_notice
            where change_notice.meeting_id = each.meeting_id and is_now and change_notice.entry_id = change.entry_id
        )
        then happened_at
        else happened_at + coalesce((select change_notice_delay from organization_setting), '1 minute')
    end as wait_until
from unnest(:meeting_ids::uuid[]) as each (meeting_id)
cross join lateral (
    select entry_id, happened_at, user_id, action
    from meeting_history
    where meeting_history.meeting_id = each.meeting_id and action in ('Created', 'Changed', 'Cancelled')
    order by entry_id desc
    limit 1
) as change
where action <> 'Created' and user_id is not null
    and not exists (select from portal where portal_id = user_id); -- for whose visitors the portal acts

-- name: list_entries(meeting_id)
-- The oldest first.
select
    happened_at, user_id, user_name, command, changes, reason,
    case when is_perhaps_sent then 'MessagePerhapsSent' else action end as action
from meeting_history
where meeting_id = :meeting_id
order by entry_id;
