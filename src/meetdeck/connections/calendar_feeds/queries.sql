-- name: find_feed(employee_id)^
select employee_id, created_at from calendar_feed where employee_id = :employee_id;

-- name: put_feed(employee_id, digest, now)!
insert into calendar_feed (tenant_id, employee_id, digest, created_at)
values (current_tenant(), :employee_id, :digest, :now)
on conflict (tenant_id, employee_id) do update set digest = excluded.digest, created_at = excluded.created_at;

-- name: delete_feed(employee_id)!
delete from calendar_feed where employee_id = :employee_id;

-- name: identify_feed(digest)^
-- Called without a tenant.
select tenant_id, employee_id from identify_calendar_feed(:digest);

-- name: find_owner(employee_id)^
select name, main_locale() as language from employee where employee_id = :employee_id and active;

-- name: list_meetings(employee_id, begins, ends, most)
-- Living meetings in which the employee takes part.
select
    meeting.meeting_id as id, meeting.starts_at, meeting.ends_at, meeting.date_modified as changed_at, meeting.title,
    coalesce(meeting_topic.name, '') as topic, meeting.description, meeting.video_link,
    concat_ws(', ', room.name, nullif(room.location, '')) as room, meeting.external_attendees as attendees,
    meeting.shared_slot_id, coalesce(meeting_topic.seats, 1) as seats
from (
    select meeting_id from meeting where employee_id = :employee_id and starts_at >= :begins and starts_at < :ends
    union
    select meeting_id from meeting_additional_employee where employee_id = :employee_id
) as own
join meeting using (meeting_id)
left join meeting_topic using (topic_id)
left join room on room.room_id = meeting.room_id
where meeting.cancelled_at is null and meeting.starts_at >= :begins and meeting.starts_at < :ends
order by meeting.starts_at, meeting.meeting_id
limit :most;

-- name: list_absences(employee_id, begins, ends, most)
-- Busy time that was entered here. What other calendars say is left out: a calendar that subscribes knows it already.
select time_slot_id as id, starts_at, ends_at, created_at as changed_at
from calendar_entry
where employee_id = :employee_id and status = 'Busy' and calendar_id is null and starts_at >= :begins and starts_at < :ends
order by starts_at, time_slot_id
limit :most;
