-- name: find_settings()^
-- The organization's rules that scheduling needs.
select
    opening_time, closing_time, minimum_booking_notice, max_time_from_booking_to_meeting, max_meeting_time_per_day,
    closing_days, time_zone, ical_meeting_title, ical_meeting_description
from organization_setting;

-- name: list_candidates(topic_id, customer_type_id, named, by_kind, explicit, local, customer_location)
-- Who may be offered, as far as service groups let them: active, bookable, serving the topic and the customer type.
-- A topic that no group names is served by everybody; otherwise a group of the employee must name it, or name none.
-- What groups say is looked up in lists, which PostgreSQL hashes; joins would be gone through again for each employee as
-- long as it has no statistics of a tenant and guesses that there is one.
with served as (
    select
        competence_group_id,
        not exists (
            select from competence_group_topic as any_topic
            where any_topic.competence_group_id = competence_group.competence_group_id
        ) or exists (
            select from competence_group_topic as this_topic
            where this_topic.competence_group_id = competence_group.competence_group_id
                and this_topic.topic_id = :topic_id
        ) as serves_topic,
        not exists (
            select from competence_group_customer_type as any_type
            where any_type.competence_group_id = competence_group.competence_group_id
        ) or exists (
            select from competence_group_customer_type as this_type
            where this_type.competence_group_id = competence_group.competence_group_id
                and this_type.customer_type_id = :customer_type_id
        ) or :customer_type_id::uuid is null as serves_type
    from competence_group
)
select
    employee.employee_id, resource.resource_key, employee.time_zone, employee.location, schedule.max_meeting_time_per_day,
    (not :by_kind or :explicit) and employee.employee_id = any (:named::uuid[]) as is_named,
    not :by_kind or (
        :local and (
            lower(employee.location) = lower(:customer_location)
            or exists (
                select from employee_workday as workday
                where workday.employee_schedule_id = schedule.employee_schedule_id
                    and workday.is_available and lower(workday.location) = lower(:customer_location)
            )
        )
    ) as is_of_kind
from employee
join resource on resource.resource_id = employee.employee_id
join employee_schedule as schedule on schedule.employee_id = employee.employee_id
where employee.active
    and schedule.can_be_booked
    and (employee.employee_id = any (:named::uuid[]) or not schedule.is_only_explicitly_available)
    and (
        :customer_type_id::uuid is null
        or employee.employee_id not in (select employee_id from employee_customer_type)
        or employee.employee_id in (
            select employee_id from employee_customer_type where customer_type_id = :customer_type_id
        )
    )
    and case
        when exists (select from competence_group_topic where topic_id = :topic_id) then employee.employee_id in (
            select employee_id from competence_group_employee
            where competence_group_id in (select competence_group_id from served where serves_topic and serves_type)
        )
        when :topic_id::uuid is not null then true
        else employee.employee_id not in (select employee_id from competence_group_employee)
            or employee.employee_id in (
                select employee_id from competence_group_employee
                where competence_group_id in (select competence_group_id from served where serves_type)
            )
    end
order by employee.name, employee.employee_id;

-- name: list_service_groups(topic_id, customer_type_id, meeting_types, places, by_service_group)
-- Each with its rules, and whether its trigger fits: what it names is asked for, or the search leaves it open.
-- Beside its own members, when asked for: those of its competence groups who are in no service group of their own.
select
    priority, response_time, buffer_before, buffer_after, max_meeting_time_per_day, trigger_meeting_types,
    (
        :topic_id::uuid is null
        or not exists (
            select from service_group_topic as any_topic
            where any_topic.service_group_id = service_group.service_group_id
        )
        or exists (
            select from service_group_topic as this_topic
            where this_topic.service_group_id = service_group.service_group_id and this_topic.topic_id = :topic_id
        )
    )
    and (
        :customer_type_id::uuid is null
        or not exists (
            select from service_group_customer_type as any_type
            where any_type.service_group_id = service_group.service_group_id
        )
        or exists (
            select from service_group_customer_type as this_type
            where this_type.service_group_id = service_group.service_group_id
                and this_type.customer_type_id = :customer_type_id
        )
    )
    and (
        trigger_meeting_types = '{}' or :meeting_types::text[] is null
        or trigger_meeting_types && :meeting_types::text[]
    )
    and (
        trigger_locations = '{}' or :places::text[] = '{}'
        or exists (
            select from unnest(trigger_locations) as named (location)
            join unnest(:places::text[]) as asked (place) on lower(location) = lower(place)
        )
    ) as is_fitting,
    array(
        select employee_id from service_group_employee as member
        where member.service_group_id = service_group.service_group_id
    ) as member_ids,
    array(
        select member.employee_id
        from service_group_competence_group as through
        join competence_group_employee as member using (tenant_id, competence_group_id)
        where :by_service_group and through.service_group_id = service_group.service_group_id
            and member.employee_id not in (select employee_id from service_group_employee)
    ) as through_ids
from service_group;

-- name: list_workdays(employee_ids)
-- The hours of some employees, in the order they were written.
select
    schedule.employee_id, workday.day_of_week, workday.from_time, workday.to_time, workday.meeting_types, workday.location
from employee_workday as workday
join employee_schedule as schedule using (tenant_id, employee_schedule_id)
where workday.is_available and schedule.employee_id = any (:employee_ids::uuid[])
order by schedule.employee_id, workday.position;

-- name: list_bookable_rooms()
select room.room_id, resource.resource_key, room.location, room.capacity
from room
join resource on resource.resource_id = room.room_id
where room.available;

-- name: list_locations_that_require_rooms()
select location from location where require_available_room;

-- name: find_topic(customer_type_id, topic_id)^
select
    duration_minutes, meeting_types,
    not exists (
        select from meeting_topic_customer_type as any_type where any_type.topic_id = meeting_topic.topic_id
    ) or exists (
        select from meeting_topic_customer_type as this_type
        where this_type.topic_id = meeting_topic.topic_id and this_type.customer_type_id = :customer_type_id
    ) or :customer_type_id::uuid is null as serves_type
from meeting_topic
where topic_id = :topic_id;

-- name: list_unbookable(ids)
-- Which of some employees and rooms cannot be booked, by name.
select employee.employee_id as id, employee.name
from employee
left join employee_schedule as schedule on schedule.employee_id = employee.employee_id
where employee.employee_id = any (:ids::uuid[]) and (not employee.active or schedule.can_be_booked is false)
union all
select room_id, name from room where room_id = any (:ids::uuid[]) and not available;

-- name: list_group_members_by_load(service_group_id, day_ends_at, day_starts_at, now)
-- A service group's direct members who can be booked, the least booked that day first.
select employee.employee_id
from service_group
join service_group_employee as member using (tenant_id, service_group_id)
join employee using (tenant_id, employee_id)
join resource on resource.resource_id = employee.employee_id
left join employee_schedule as schedule on schedule.employee_id = employee.employee_id
where service_group.service_group_id = :service_group_id
    and employee.active and schedule.can_be_booked is not false
order by (
    select coalesce(sum(least(ends_at, :day_ends_at) - greatest(starts_at, :day_starts_at)), '0')
    from occupancy
    where occupancy.resource_key = resource.resource_key and during && tstzrange(:day_starts_at, :day_ends_at)
        and (expires_at is null or expires_at > :now)
), employee.name, employee.employee_id;

-- name: find_service_group(named)^
-- By id or name; of several of one name, the one that comes first in a search.
select service_group_id from service_group where service_group_id::text = lower(:named) or name = :named
order by service_group_id::text = lower(:named) desc, priority desc, service_group_id limit 1;

-- name: lock_token(token)!
-- One transaction at a time for one token.
select pg_advisory_xact_lock(hashtextextended('reservation ' || :token::uuid, 0));

-- name: lock_resources(resource_ids)
-- One transaction at a time for one resource; sorted, so that two transactions never wait for each other. None of them is
-- deleted before the transaction ends; one that is gone already has no row.
select pg_advisory_xact_lock(7349, resource_key)
from (
    select resource_key from resource where resource_id = any (:resource_ids::uuid[])
    order by resource_key
    for key share
) as sorted;

-- name: forget_expired(now, starts_at, ends_at, resource_ids)!
-- Reservations past their time block nobody, whether or not anything swept them.
delete from occupancy
where expires_at <= :now
    and during && tstzrange(:starts_at, :ends_at)
    and resource_key in (select resource_key from resource where resource_id = any (:resource_ids::uuid[]));

-- name: release(time_slot_id)!
-- What a slot holds.
delete from occupancy where time_slot_id = :time_slot_id;

-- name: occupy(time_slot_id, expires_at, starts_at, ends_at, existing_meeting_id, resource_ids)!
-- Take the time, except what the meeting that is being moved holds already.
insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id, expires_at)
select current_tenant(), resource_key, lower(part), upper(part), :time_slot_id, :expires_at
from resource
cross join lateral unnest(
    tstzmultirange(tstzrange(:starts_at, :ends_at)) - coalesce(
        (
            select range_agg(held.during)
            from occupancy as held
            join meeting on meeting.time_slot_id = held.time_slot_id
            where held.resource_key = resource.resource_key and meeting.meeting_id = :existing_meeting_id
        ),
        tstzmultirange()
    )
) as part
where resource_id = any (:resource_ids::uuid[]);

-- name: find_slot_of_token_for_update(token)^
-- Holds the row until the transaction ends, so that it is not made a meeting meanwhile.
select
    time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, renewals
from time_slot
where token = :token and status = 'Reserved'
for update;

-- name: find_slot_for_update(time_slot_id)^
-- Holds the row until the transaction ends, so that a reservation becomes a meeting once.
select
    time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, renewals
from time_slot
where time_slot_id = :time_slot_id
for update;

-- name: delete_slot(time_slot_id)!
delete from time_slot where time_slot_id = :time_slot_id;

-- name: renew_slot(expires_at, time_slot_id)!
update time_slot set expires_at = :expires_at, renewals = renewals + 1 where time_slot_id = :time_slot_id;

-- name: add_slot(time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, existing_meeting_id, now)!
insert into time_slot (
    tenant_id, time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at,
    existing_meeting_id, created_at
)
values (
    current_tenant(), :time_slot_id, :starts_at, :ends_at, :employee_id, :room_id, :service_group, :status, :token,
    :expires_at, :existing_meeting_id, :now
);

-- name: book_slot(employee_id, room_id, time_slot_id)!
update time_slot
set status = 'Booked', token = null, expires_at = null, employee_id = :employee_id, room_id = :room_id
where time_slot_id = :time_slot_id;

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
