-- name: add_meeting(meeting_id, time_slot_id, crm_id, booked_by, customer_type_id, topic_id, portal_id, employee_id, room_id, customer_id, type, title, description, video_link, starts_at, ends_at, external_attendees, custom_fields, cpr_encrypted, now)!
insert into meeting (
    tenant_id, meeting_id, time_slot_id, crm_id, booked_by, customer_type_id, topic_id, portal_id, employee_id, room_id,
    customer_id, type, title, description, video_link, starts_at, ends_at, external_attendees, custom_fields,
    cpr_encrypted, date_created, date_modified
)
values (
    current_tenant(), :meeting_id, :time_slot_id, :crm_id, :booked_by, :customer_type_id, :topic_id, :portal_id,
    :employee_id, :room_id, :customer_id, :type, :title, :description, :video_link, :starts_at, :ends_at,
    :external_attendees, :custom_fields, :cpr_encrypted, :now, :now
);

-- name: add_additional_employees(meeting_id, employee_ids)!
insert into meeting_additional_employee (tenant_id, meeting_id, employee_id, position)
select current_tenant(), :meeting_id, employee_id, position
from unnest(:employee_ids::uuid[]) with ordinality as given (employee_id, position);

-- name: find_meeting(meeting_id)^
select
    meeting_id as id, crm_id, booked_by, customer_type_id, time_slot_id, date_created, date_modified, title, description,
    video_link, room_id, starts_at as start_date, ends_at as end_date, type, topic_id, employee_id, customer_id, portal_id,
    custom_fields, external_attendees, sequence,
    array(
        select employee_id from meeting_additional_employee as additional
        where additional.meeting_id = meeting.meeting_id order by position
    ) as additional_employees
from meeting
where meeting_id = :meeting_id and cancelled_at is null;

-- name: list_parties(ids)
-- Names and addresses for an invitation, of those too who were deleted since.
select employee_id as id, name, email from employee where employee_id = any (:ids::uuid[])
union all
select deleted_id, name, email from deletion
where kind = 'employee' and deleted_id = any (:ids::uuid[])
    and not exists (select from employee where employee_id = deleted_id);

-- name: find_room_place(room_id)^
-- How people find a room: its name and its location's display name; where it was, when it was deleted since.
select found.name, coalesce(nullif(location.display_name, ''), found.location) as place
from (
    select name, location, 1 as preference from room where room_id = :room_id
    union all
    select name, location, 2 from deletion where kind = 'room' and deleted_id = :room_id
) as found
left join location on lower(location.location) = lower(found.location)
order by preference
limit 1;
