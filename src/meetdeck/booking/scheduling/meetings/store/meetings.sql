-- name: lock_meeting(meeting_id)!
-- Locks the meeting.
select from meeting where meeting_id = :meeting_id for update;

-- name: find_meeting(meeting_id)^
select {columns as members} from meeting where meeting_id = :meeting_id;

-- name: find_version(meeting_id)^
-- A meeting with its SEQUENCE.
select {columns as members}, sequence from meeting where meeting_id = :meeting_id;

-- name: find_language(meeting_id)$
-- Of a meeting, cancelled or not.
select language from meeting where meeting_id = :meeting_id;

-- name: find_meeting_in(time_slot_id)$
select meeting_id from meeting where time_slot_id = :time_slot_id;

-- name: list_sharing(shared_slot_id)
-- The living meetings that share a time.
select meeting_id from meeting where shared_slot_id = :shared_slot_id and cancelled_at is null order by meeting_id;

-- name: write_meetings(include_cancelled, time_slot_id, shared_slot_id, employee_ids, room_ids, series_id, customer_id, search, modified_from, modified_before, ends_after, starts_before, longest, after_start, after_id, most)
-- The selected meetings as JSON, by start: all, or `most` of those after a position in the list. In one pass: the rows are
-- sorted, and each is written when it is fetched.
select starts_at, meeting_id as id, convert_to(meeting_as_json, 'UTF8') as item
from (
    select *
    from meeting
    where (:include_cancelled or cancelled_at is null)
        and (:time_slot_id::uuid is null or time_slot_id = :time_slot_id)
        and (:series_id::uuid is null or series_id = :series_id)
        and (:shared_slot_id::uuid is null or shared_slot_id = :shared_slot_id)
        and (:customer_id::text is null or customer_id = :customer_id)
        and (:room_ids::uuid[] is null or room_id = any (:room_ids))
        and (
            :search::text is null
            or customer_id = :search
            or left(meeting_id::text, 8) = lower(replace(:search, '-', ''))
            or position(lower(:search) in lower(title)) > 0
            or exists (
                select from jsonb_array_elements(external_attendees) as attendee
                where position(lower(:search) in lower(concat_ws(' ', attendee ->> 'name', attendee ->> 'email'))) > 0
            )
        )
        and (
            :employee_ids::uuid[] is null
            or meeting_id = any (
                array(
                    select own.meeting_id from meeting as own
                    where own.employee_id = any (:employee_ids)
                        and (:ends_after::timestamptz is null or own.starts_at > :ends_after - :longest::interval)
                        and (:starts_before::timestamptz is null or own.starts_at < :starts_before)
                    union all
                    select additional.meeting_id from meeting_additional_employee as additional
                    where additional.employee_id = any (:employee_ids)
                )
            )
        )
        and (:modified_from::timestamptz is null or date_modified >= :modified_from)
        and (:modified_before::timestamptz is null or date_modified < :modified_before)
        and (:ends_after::timestamptz is null or (ends_at > :ends_after and starts_at > :ends_after - :longest::interval))
        and (:starts_before::timestamptz is null or starts_at < :starts_before)
        and (:after_start::timestamptz is null or (starts_at, meeting_id) > (:after_start, :after_id::uuid))
    order by starts_at, meeting_id
    limit :most
) as meeting;

-- name: list_from(series_id, starts_at)
select meeting_id from meeting
where series_id = :series_id and starts_at >= :starts_at and cancelled_at is null
order by starts_at, meeting_id;

-- name: list_series(series_id)
-- The meetings of a series with their SEQUENCE, cancelled ones too, by the start that the rule gave.
select {columns as members}, sequence from meeting where series_id = :series_id order by original_start_date, meeting_id;

-- name: is_employee_known(employee_id)$
-- True for a deleted employee, too.
select exists (select from employee where employee_id = :employee_id)
    or exists (select from deletion where kind = 'employee' and deleted_id = :employee_id);

-- name: add_meeting({columns as arguments}, is_room_given, user_id, user_name)$
-- Inserts a meeting with the first entry of its history and its event, in one round trip; returns its language. Its values
-- one by one: a record of jsonb takes a fourth longer, in every booking.
with added as (
    insert into meeting (tenant_id, {columns}, is_room_given)
    values (current_tenant(), {columns as parameters}, :is_room_given)
    returning *
),
told as (
    insert into event (tenant_id, type, happened_at, subject, sequence, data)
    select tenant_id, 'meeting.created', date_created, 'meetings/' || meeting_id, revision, meeting_as_json::json
    from added
)
insert into meeting_history (tenant_id, meeting_id, happened_at, user_id, user_name, action)
select tenant_id, meeting_id, date_created, :user_id, :user_name, 'Created' from added
returning (select language from added);

-- name: update_meeting(meeting, is_room_given)!
-- Calendars recognize a change by the sequence, which counts the changes of a series in all of its meetings.
update meeting set ({columns}) = row({given.columns}), sequence = next_sequence(meeting),
    revision = meeting.revision + 1, is_room_given = :is_room_given, erased_at = null,
    time_sequence = case
        when (meeting.starts_at, meeting.ends_at) = (given.starts_at, given.ends_at) then meeting.time_sequence
        else next_sequence(meeting)
    end,
    time_since = case
        when (meeting.starts_at, meeting.ends_at) = (given.starts_at, given.ends_at) then meeting.time_since
        else given.date_modified
    end
from jsonb_populate_record(null::meeting, :meeting::jsonb) as given
where meeting.meeting_id = given.meeting_id;

-- name: is_room_given(meeting_id)$
select is_room_given from meeting where meeting_id = :meeting_id;

-- name: set_cpr(cpr_encrypted, meeting_id)!
update meeting set cpr_encrypted = :cpr_encrypted, erased_at = null where meeting_id = :meeting_id;

-- name: set_attendees(meeting_id, attendees, now)!
-- Calendars need not learn of it.
update meeting set external_attendees = :attendees, date_modified = :now, revision = revision + 1
where meeting_id = :meeting_id;

-- name: cancel_meeting(now, cancellation_reason, meeting_id)!
update meeting
set cancelled_at = :now, cancellation_reason = :cancellation_reason, date_modified = :now, sequence = next_sequence(meeting),
    revision = revision + 1
where meeting_id = :meeting_id;

-- name: restore_meeting(now, meeting_id)!
update meeting
set cancelled_at = null, cancellation_reason = null, date_modified = :now, sequence = next_sequence(meeting),
    revision = revision + 1
where meeting_id = :meeting_id;

-- name: delete_additional_employees(meeting_id)!
-- The rows that lead from an employee to the meetings.
delete from meeting_additional_employee where meeting_id = :meeting_id;

-- name: add_additional_employees(meeting_id, employee_ids)!
insert into meeting_additional_employee (tenant_id, meeting_id, employee_id, position)
select current_tenant(), :meeting_id, employee_id, position
from unnest(:employee_ids::uuid[]) with ordinality as given (employee_id, position);

-- name: list_parties(ids)
-- Names and addresses for an invitation, of deleted employees too.
select employee_id as id, name, email from employee where employee_id = any (:ids::uuid[])
union all
select deleted_id, name, email from deletion
where kind = 'employee' and deleted_id = any (:ids::uuid[])
    and not exists (select from employee where employee_id = deleted_id);

-- name: find_room_place(room_id, language)^
-- A room's name and its location's display name, for an invitation; of a deleted room too. A null language is the main one.
select
    found.name,
    coalesce(location.localized_name ->> :language, nullif(location.display_name, ''), found.location) as place
from (
    select name, location, 1 as preference from room where room_id = :room_id
    union all
    select name, location, 2 from deletion where kind = 'room' and deleted_id = :room_id
) as found
left join location on lower(location.location) = lower(found.location)
order by preference
limit 1;

-- name: find_calendar_texts()^
select
    ical_meeting_title as title, localized_ical_meeting_title as localized_title,
    ical_meeting_description as description, localized_ical_meeting_description as localized_description,
    main_locale, enabled_locales
from organization_setting;
